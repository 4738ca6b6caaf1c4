/* Requests: what they stand for, and what is told when they are started, tested, waited for. */
#include "tracer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

struct known_request {
    MPI_Request handle;
    /* Messages that it stands for. */
    int count;
    struct waited *messages;
    /* The number of something else that goes on beside the rank. */
    int later;
    /* Where the line is that has begun its message. */
    long line;
    /* Lines of each start, if there are starts; behind a number of their own for a collective. */
    char *begin;
    int is_collective, is_active, is_cancelled;
    /* What a communicator is made of. */
    MPI_Comm *copy;
    MPI_Request agreement;
    int id;
    struct known_request *next;
};

static struct known_request *buckets[1024];
/* Messages that were begun and not waited for, in order; those that may have been withdrawn do not
 * count where others are told apart. */
static struct begun {
    struct waited message;
    const void *owner;
    int may_be_withdrawn;
} *begun;
static int unwaited, room_for_begun;
/* Requests that may have been cancelled. */
static int cancels;
/* What goes on beside the rank. */
static struct numbers under_way;

static void begin_message(struct waited message, const void *owner) {
    if (!trace) return;
    if (unwaited == room_for_begun) begun = realloc(begun, sizeof *begun * (room_for_begun = 2 * unwaited + 16));
    begun[unwaited++] = (struct begun){message, owner, 0};
}

static int is_same(struct waited one, struct waited other) {
    return one.from == other.from && one.to == other.to && one.tag == other.tag;
}

/* Where the owner's oldest message of this name is, and how many others of that name are older. */
static int place_of(struct waited message, const void *owner, int *older) {
    int at = *older = 0;
    for (; at < unwaited; at++) {
        if (!is_same(begun[at].message, message)) continue;
        if (begun[at].owner == owner) break;
        *older += !begun[at].may_be_withdrawn;
    }
    return at;
}

/* A line waits for the message, or looks for it: says which one it is among those that fit. */
static int tell_which(struct waited message, const void *owner) {
    int older, at = place_of(message, owner, &older);
    if (older && at < unwaited) fprintf(trace, "#@ %d younger %d\n", me, older);
    return at;
}

static void end_message(int at) {
    if (at < unwaited) memmove(&begun[at], &begun[at + 1], sizeof *begun * (--unwaited - at));
}

/* From now on nobody waits for its messages, or it may turn out that they never came to be. */
static void mark_messages(const void *owner, int is_left) {
    for (int at = 0; at < unwaited; at++) {
        if (begun[at].owner != owner) continue;
        if (is_left) begun[at].owner = NULL;
        else begun[at].may_be_withdrawn = 1;
    }
}

static struct known_request **find_request(MPI_Request request) {
    uint64_t bits = 0;
    memcpy(&bits, &request, sizeof request);
    struct known_request **at = &buckets[bits * 0x9e3779b97f4a7c15ull >> 54];
    while (*at && (*at)->handle != request) at = &(*at)->next;
    return at;
}

static struct known_request *known_request(MPI_Request request) {
    return trace && request != MPI_REQUEST_NULL ? *find_request(request) : NULL;
}

static struct known_request *learn(MPI_Request request) {
    if (request == MPI_REQUEST_NULL || !trace) return NULL;
    struct known_request **at = find_request(request), *known;
    /* What is complete from the start may have the handle of others that were: the oldest goes first. */
    while (*at) at = &(*at)->next;
    known = calloc(1, sizeof *known);
    *at = known;
    known->handle = request, known->later = NONE, known->line = NONE;
    known->agreement = MPI_REQUEST_NULL;
    known->is_active = 1;
    return known;
}

static void forget_request(MPI_Request request) {
    struct known_request **at = find_request(request), *known = *at;
    if (!known) return;
    mark_messages(known, 1);
    *at = known->next;
    free(known->messages);
    free(known->begin);
    free(known);
}

void learn_requests(MPI_Request request, int count, struct waited *messages) {
    struct known_request *known = learn(request);
    for (int i = 0; i < count; i++) begin_message(messages[i], known);
    if (known) known->count = count, known->messages = messages;
    else free(messages);
}

void learn_request(MPI_Request request, struct waited message, long line) {
    struct known_request *known = learn(request);
    begin_message(message, known);
    if (!known) return;
    known->messages = malloc(sizeof message);
    *known->messages = message, known->count = 1, known->line = line;
}

void keep_requests(MPI_Request request, int count, struct waited *messages, char *begin) {
    struct known_request *known = learn(request);
    if (!known) return;
    known->count = count, known->messages = messages, known->begin = begin, known->is_active = 0;
}

void keep_collective(MPI_Request request, char *begin) {
    keep_requests(request, 0, NULL, begin);
    struct known_request *known = known_request(request);
    if (known) known->is_collective = 1;
}

int put_off(int is_told) {
    if (!trace || !is_told) return NONE;
    int number = take_number(&under_way);
    fprintf(trace, "%d later %d\n", me, number);
    return number;
}

void learn_later(MPI_Request request, int number) {
    struct known_request *known = number == NONE ? NULL : learn(request);
    if (known) known->later = number;
}

void end_later(int number) {
    if (!trace || number == NONE) return;
    fprintf(trace, "%d await %d\n", me, number);
    free_number(&under_way, number);
}

void learn_copy(MPI_Request request, MPI_Comm *comm, MPI_Comm parent) {
    struct known_request *known = is_traced(parent) ? learn(request) : NULL;
    if (!known) return;
    known->copy = comm;
    if (!is_whole(parent)) {
        /* First ranks of two groups cannot agree without waiting for each other. */
        known->id = copy_id(known_comm(parent));
        return;
    }
    known->id = next_id(parent);
    /* Whoever has the copy knows that all have asked for it, so this is under way everywhere. */
    PMPI_Ibcast(&known->id, 1, MPI_INT, 0, parent, &known->agreement);
}

static void tell_waits(int count, const struct waited *messages, const void *owner) {
    if (count > 1 && count == unwaited) {
        fprintf(trace, "%d waitall %d\n", me, count);
        unwaited = 0;
        return;
    }
    for (const struct waited *message = messages; message < messages + count; message++) {
        int at = tell_which(*message, owner);
        fprintf(trace, "%d wait %ld %ld %ld\n", me, message->from, message->to, message->tag);
        end_message(at);
    }
}

void wait_for(int count, struct waited *messages) {
    for (int i = 0; i < count; i++) begin_message(messages[i], messages);
    tell_waits(count, messages, messages);
    free(messages);
}

/* A message that was withdrawn never came to be: its line becomes a comment. */
static void withdraw(struct known_request *known) {
    int older;
    end_message(place_of(*known->messages, known, &older));
    fseek(trace, known->line, SEEK_SET);
    fputc('#', trace);
    fseek(trace, 0, SEEK_END);
}

static int was_cancelled(struct known_request *known, MPI_Status *status) {
    int flag = 0;
    if (!known->is_cancelled) return 0;
    known->is_cancelled = 0;
    cancels--;
    if (status != MPI_STATUS_IGNORE) PMPI_Test_cancelled(status, &flag);
    return flag && known->line != NONE;
}

/* A request was waited for, or found done. */
static void done(MPI_Request request, MPI_Status *status) {
    struct known_request *known = known_request(request);
    if (!known || !known->is_active) return;
    if (known->copy) {
        PMPI_Wait(&known->agreement, MPI_STATUS_IGNORE);
        made_copy(*known->copy, known->id);
    } else if (known->later != NONE) {
        end_later(known->later);
        known->later = NONE;
    } else if (was_cancelled(known, status)) {
        withdraw(known);
    } else {
        tell_waits(known->count, known->messages, known);
    }
    known->is_active = 0;
    if (!known->begin) forget_request(request);
}

/* Starts. */

static void tell_start(MPI_Request request) {
    struct known_request *known = known_request(request);
    if (!known || !known->begin) return;
    if (known->is_collective) known->later = put_off(1);
    known->line = ftell(trace);
    fputs(known->begin, trace);
    for (int i = 0; i < known->count; i++) begin_message(known->messages[i], known);
    known->is_active = 1;
}

int MPI_Start(MPI_Request *request) {
    enter();
    tell_start(*request);
    return leave(PMPI_Start(request));
}

int MPI_Startall(int count, MPI_Request *requests) {
    enter();
    for (int i = 0; i < count; i++) tell_start(requests[i]);
    return leave(PMPI_Startall(count, requests));
}

/* Other ends. */

int MPI_Request_free(MPI_Request *request) {
    enter();
    struct known_request *known = known_request(*request);
    if (known && known->is_cancelled) {
        /* To wait for it cannot last, and tells whether it was in time. */
        MPI_Request before = *request;
        MPI_Status status;
        int code = PMPI_Wait(request, &status);
        done(before, &status);
        if (*request == MPI_REQUEST_NULL) return leave(code);
    }
    /* What is under way ends with the rank, and nobody waits for it. */
    if (known) forget_request(*request);
    return leave(PMPI_Request_free(request));
}

int MPI_Cancel(MPI_Request *request) {
    enter();
    struct known_request *known = known_request(*request);
    if (known && known->is_active && !known->is_cancelled) {
        known->is_cancelled = 1, cancels++;
        mark_messages(known, 0);
    }
    return leave(PMPI_Cancel(request));
}

/* Waiting. Requests are looked at before the library forgets them. */

static MPI_Request *copied(int count, const MPI_Request *requests) {
    MPI_Request *copy = malloc(sizeof *copy * (count > 0 ? count : 1));
    memcpy(copy, requests, sizeof *copy * (count > 0 ? count : 0));
    return copy;
}

/* Where something may have been cancelled, statuses say so, whether the program wants them or not. */
static MPI_Status *room_for(int count, MPI_Status *given) {
    if (given != MPI_STATUSES_IGNORE || !cancels) return given;
    return malloc(sizeof(MPI_Status) * (count > 0 ? count : 1));
}

static void all_done(int count, const int *indices, const MPI_Request *before, MPI_Status *statuses) {
    for (int i = 0; i < count; i++)
        done(before[indices ? indices[i] : i],
             statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
}

static int clear(int code, MPI_Request *before, MPI_Status *seen, MPI_Status *given) {
    if (seen != given) free(seen);
    free(before);
    return leave(code);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    enter();
    int code = PMPI_Wait(request, seen);
    done(before, seen);
    return leave(code);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    MPI_Status *seen = room_for(count, statuses);
    enter();
    int code = PMPI_Waitall(count, requests, seen);
    all_done(count, NULL, before, seen);
    return clear(code, before, seen, statuses);
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Waitany(count, requests, index, seen);
    if (*index != MPI_UNDEFINED) done(before[*index], seen);
    return clear(code, before, seen, seen);
}

int MPI_Waitsome(int count, MPI_Request *requests, int *found, int *indices, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    MPI_Status *seen = room_for(count, statuses);
    enter();
    int code = PMPI_Waitsome(count, requests, found, indices, seen);
    if (*found != MPI_UNDEFINED) all_done(*found, indices, before, seen);
    return clear(code, before, seen, statuses);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request before = *request;
    enter();
    int code = PMPI_Test(request, flag, seen);
    struct known_request *known = known_request(before);
    if (*flag) done(before, seen);
    else if (known && known->later != NONE) fprintf(trace, "%d look %d\n", me, known->later);
    else if (known && known->is_active && known->count) {
        tell_which(*known->messages, known);
        fprintf(trace, "%d test %ld %ld %ld\n", me, known->messages->from, known->messages->to,
                known->messages->tag);
    }
    return leave(code);
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    MPI_Status *seen = room_for(count, statuses);
    enter();
    int code = PMPI_Testall(count, requests, flag, seen);
    if (*flag) all_done(count, NULL, before, seen);
    return clear(code, before, seen, statuses);
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Testany(count, requests, index, flag, seen);
    if (*flag && *index != MPI_UNDEFINED) done(before[*index], seen);
    return clear(code, before, seen, seen);
}

int MPI_Testsome(int count, MPI_Request *requests, int *found, int *indices, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    MPI_Status *seen = room_for(count, statuses);
    enter();
    int code = PMPI_Testsome(count, requests, found, indices, seen);
    if (*found != MPI_UNDEFINED) all_done(*found, indices, before, seen);
    return clear(code, before, seen, statuses);
}
