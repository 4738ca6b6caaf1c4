/* Messages between two ranks. */
#include "tracer.h"

#include <stdlib.h>

#ifndef LARGE
long long bytes_of(MPI_Count count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (long long)count * size;
}

#endif

/* Whether a message with this peer is one that the trace can tell. */
static int is_told(int peer, MPI_Comm comm) {
    int is_inter = 0, size = 1;
    if (!trace || peer == MPI_PROC_NULL) return 0;
    if (known_comm(comm)) return 1;
    PMPI_Comm_test_inter(comm, &is_inter);
    PMPI_Comm_size(comm, &size);
    /* A rank alone talks to itself. */
    if (!is_inter && size == 1) return 1;
    leave_out("messages of communicators that were made in unknown ways");
    return 0;
}

static void tell(const char *name, long peer, long tag, long long bytes) {
    fprintf(trace, "%d %s %ld %ld %lld %d\n", me, name, peer, tag, bytes, BYTE);
}

static void tell_message(const char *name, int peer, int tag, MPI_Comm comm, COUNT count, MPI_Datatype type) {
    tell(name, world_rank(peer, comm), told_tag(tag, comm), bytes_of(count, type));
}

static struct waited sent(int to, int tag, MPI_Comm comm) {
    return (struct waited){me, world_rank(to, comm), told_tag(tag, comm)};
}

static struct waited received(int from, int tag, MPI_Comm comm) {
    return (struct waited){world_rank(from, comm), me, told_tag(tag, comm)};
}

#define SEND(function, name)                                                                       \
    int NAME(MPI_, function)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm) {                                                            \
        enter();                                                                                   \
        if (is_told(to, comm)) tell_message(name, to, tag, comm, count, type);                     \
        return leave(NAME(PMPI_, function)(buffer, count, type, to, tag, comm));                         \
    }
SEND(Send, "send")
SEND(Rsend, "send")
SEND(Ssend, "Ssend")
SEND(Bsend, "bsend")

#define ISEND(function, name)                                                                      \
    int NAME(MPI_, function)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm, MPI_Request *request) {                                      \
        enter();                                                                                   \
        int code = NAME(PMPI_, function)(buffer, count, type, to, tag, comm, request);                   \
        if (is_told(to, comm)) {                                                                   \
            long line = ftell(trace);                                                              \
            tell_message(name, to, tag, comm, count, type);                                        \
            learn_request(*request, sent(to, tag, comm), line);                                    \
        }                                                                                          \
        return leave(code);                                                                        \
    }
ISEND(Isend, "isend")
ISEND(Irsend, "isend")
ISEND(Issend, "ISsend")
ISEND(Ibsend, "ibsend")

/* What came, or else what there was room for. */
static long long bytes_in(const MPI_Status *status, COUNT count, MPI_Datatype type) {
    COUNT bytes = 0;
    NAME(PMPI_, Get_count)(status, MPI_BYTE, &bytes);
    return bytes == MPI_UNDEFINED ? bytes_of(count, type) : bytes;
}

int NAME(MPI_, Recv)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    enter();
    int code = NAME(PMPI_, Recv)(buffer, count, type, from, tag, comm, seen);
    /* Who has sent it, and how much, is known by now. */
    if (is_told(from, comm))
        tell("recv", world_rank(seen->MPI_SOURCE, comm), told_tag(seen->MPI_TAG, comm),
             bytes_in(seen, count, type));
    return leave(code);
}

int NAME(MPI_, Irecv)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = NAME(PMPI_, Irecv)(buffer, count, type, from, tag, comm, request);
    if (is_told(from, comm)) {
        long line = ftell(trace);
        tell_message("irecv", from, tag, comm, count, type);
        learn_request(*request, received(from, tag, comm), line);
    }
    return leave(code);
}

/* Messages that were found by probes which take them out: whose they are is known there only. */

#ifndef LARGE
static struct known_message *found_messages;

static void found(MPI_Message handle, MPI_Comm comm, const MPI_Status *status) {
    if (!is_told(status->MPI_SOURCE, comm)) return;
    struct known_message *known = malloc(sizeof *known);
    known->handle = handle, known->next = found_messages;
    known->from = world_rank(status->MPI_SOURCE, comm), known->tag = told_tag(status->MPI_TAG, comm);
    found_messages = known;
}

int take_message(MPI_Message handle, struct known_message *message) {
    struct known_message **at = &found_messages;
    while (*at && (*at)->handle != handle) at = &(*at)->next;
    struct known_message *known = *at;
    if (!known) return 0;
    *message = *known;
    *at = known->next;
    free(known);
    return 1;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    enter();
    int code = PMPI_Mprobe(from, tag, comm, message, seen);
    found(*message, comm, seen);
    return leave(code);
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    enter();
    int code = PMPI_Improbe(from, tag, comm, flag, message, seen);
    if (*flag) found(*message, comm, seen);
    return leave(code);
}
#endif

int NAME(MPI_, Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct known_message known;
    enter();
    int is_known = take_message(*message, &known);
    int code = NAME(PMPI_, Mrecv)(buffer, count, type, message, seen);
    if (is_known) tell("recv", known.from, known.tag, bytes_in(seen, count, type));
    return leave(code);
}

int NAME(MPI_, Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    struct known_message known;
    enter();
    int is_known = take_message(*message, &known);
    int code = NAME(PMPI_, Imrecv)(buffer, count, type, message, request);
    if (is_known) {
        long line = ftell(trace);
        tell("irecv", known.from, known.tag, bytes_of(count, type));
        learn_request(*request, (struct waited){known.from, me, known.tag}, line);
    }
    return leave(code);
}

/* Both at once: told one after the other, since the form for both has no tags. */

static void tell_both(COUNT count, MPI_Datatype type, int to, int tag, COUNT room, MPI_Datatype other, int from,
                      int from_tag, MPI_Comm comm) {
    struct waited *message;
    if (is_told(from, comm)) tell_message("irecv", from, from_tag, comm, room, other);
    if (is_told(to, comm)) tell_message("send", to, tag, comm, count, type);
    if (!is_told(from, comm)) return;
    message = malloc(sizeof *message);
    *message = received(from, from_tag, comm);
    wait_for(1, message);
}

int NAME(MPI_, Sendrecv)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag, void *room, COUNT most,
                 MPI_Datatype other, int from, int from_tag, MPI_Comm comm, MPI_Status *status) {
    enter();
    tell_both(count, type, to, tag, most, other, from, from_tag, comm);
    return leave(NAME(PMPI_, Sendrecv)(buffer, count, type, to, tag, room, most, other, from, from_tag, comm, status));
}

int NAME(MPI_, Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm comm, MPI_Status *status) {
    enter();
    tell_both(count, type, to, tag, count, type, from, from_tag, comm);
    return leave(NAME(PMPI_, Sendrecv_replace)(buffer, count, type, to, tag, from, from_tag, comm, status));
}

#if MPI_VERSION >= 4
static void begin_both(COUNT count, MPI_Datatype type, int to, int tag, COUNT room, MPI_Datatype other, int from,
                       int from_tag, MPI_Comm comm, MPI_Request request) {
    struct waited *both = malloc(2 * sizeof *both);
    int begun = 0;
    if (is_told(from, comm)) {
        tell_message("irecv", from, from_tag, comm, room, other);
        both[begun++] = received(from, from_tag, comm);
    }
    if (is_told(to, comm)) {
        tell_message("isend", to, tag, comm, count, type);
        both[begun++] = sent(to, tag, comm);
    }
    learn_requests(request, begun, both);
}

int NAME(MPI_, Isendrecv)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag, void *room, COUNT most,
                  MPI_Datatype other, int from, int from_tag, MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = NAME(PMPI_, Isendrecv)(buffer, count, type, to, tag, room, most, other, from, from_tag, comm, request);
    begin_both(count, type, to, tag, most, other, from, from_tag, comm, *request);
    return leave(code);
}

int NAME(MPI_, Isendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                          MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = NAME(PMPI_, Isendrecv_replace)(buffer, count, type, to, tag, from, from_tag, comm, request);
    begin_both(count, type, to, tag, count, type, from, from_tag, comm, *request);
    return leave(code);
}
#endif

/* Messages that are begun again and again. */

static void keep(MPI_Request request, const char *name, int peer, int tag, MPI_Comm comm, COUNT count,
                 MPI_Datatype type, struct waited message) {
    set_aside();
    tell_message(name, peer, tag, comm, count, type);
    char *begin = take_back();
    struct waited *kept = malloc(sizeof *kept);
    *kept = message;
    keep_requests(request, 1, kept, begin);
}

#define SEND_INIT(function, name)                                                                  \
    int NAME(MPI_, function)(const void *buffer, COUNT count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm, MPI_Request *request) {                                      \
        enter();                                                                                   \
        int code = NAME(PMPI_, function)(buffer, count, type, to, tag, comm, request);                   \
        if (is_told(to, comm)) keep(*request, name, to, tag, comm, count, type, sent(to, tag, comm)); \
        return leave(code);                                                                        \
    }
SEND_INIT(Send_init, "isend")
SEND_INIT(Rsend_init, "isend")
SEND_INIT(Ssend_init, "ISsend")
SEND_INIT(Bsend_init, "ibsend")

int NAME(MPI_, Recv_init)(void *buffer, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = NAME(PMPI_, Recv_init)(buffer, count, type, from, tag, comm, request);
    if (is_told(from, comm))
        keep(*request, "irecv", from, tag, comm, count, type, received(from, tag, comm));
    return leave(code);
}
