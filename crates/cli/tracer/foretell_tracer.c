/* Writes what the ranks of a real MPI run do as a time-independent trace.
 *
 * Compiled by the MPI library's own compiler wrapper, since handles differ from one MPI library to
 * another, and loaded before it: LD_PRELOAD, or linked in front of it. Each MPI call is passed on
 * to its PMPI twin. Ranks write their own files; only the numbers of new communicators are agreed
 * upon by a message.
 *
 * FORETELL_TRACE        the folder (default: foretell-trace)
 * FORETELL_COMPUTATION  time: CPU time times a speed; instructions: what the processor counts;
 *                       by default instructions if the machine lets them be counted
 * FORETELL_SPEED        flop/s that CPU time is multiplied by (default: 1e9), or flops for each
 *                       instruction (default: 1)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* As in traces of SimGrid. */
enum { ANY_SOURCE = -555, ANY_TAG = -444, PROC_NULL = -666, BYTE = 6 };

/* What is known of a communicator, kept with it. */
struct known_comm {
    int id; /* 0 for the world */
    int size;
    int *world; /* ranks in the world */
};

/* What a wait for a request says. */
struct known_request {
    MPI_Request handle;
    long from, to, tag;
    /* The number of a collective that goes on beside the rank; negative if it is none. */
    int later;
    /* A persistent request begins anew at each start. */
    int is_persistent, is_active;
    char begin[96];
    struct known_request *next;
};

/* Things that the trace cannot tell, each told once at the end. */
static const char *left_out[16];
static int left_out_count;

static FILE *trace;
static char *folder;
static int me = -1, ranks, keyval = MPI_KEYVAL_INVALID, made;
static double speed = 1e9, last;
static int counter = -1;
static struct known_request *buckets[1024];

/* Computation. */

static double used_so_far(void) {
    if (counter >= 0) {
        uint64_t count = 0;
        if (read(counter, &count, sizeof count) == sizeof count) return (double)count;
    }
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void choose_computation(void) {
    const char *how = getenv("FORETELL_COMPUTATION"), *value = getenv("FORETELL_SPEED");
    if (!how || strcmp(how, "time") != 0) {
        struct perf_event_attr attr;
        memset(&attr, 0, sizeof attr);
        attr.type = PERF_TYPE_HARDWARE;
        attr.size = sizeof attr;
        attr.config = PERF_COUNT_HW_INSTRUCTIONS;
        attr.exclude_kernel = attr.exclude_hv = 1;
        counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
        if (counter < 0 && how && me == 0) {
            fprintf(stderr, "foretell: instructions cannot be counted here (%s); CPU time is taken instead\n",
                    strerror(errno));
        }
    }
    if (counter >= 0) speed = 1.0;
    if (value) {
        char *end;
        double given = strtod(value, &end);
        if (end != value && *end == 0 && given > 0) speed = given;
        else if (me == 0) fprintf(stderr, "foretell: FORETELL_SPEED=%s is no positive number\n", value);
    }
    fprintf(trace, "# computation: %s times %g\n", counter >= 0 ? "instructions" : "seconds of CPU time", speed);
}

/* Each call begins with this: what was computed since the last one is written. */
static void enter(void) {
    if (!trace) return;
    double amount = (used_so_far() - last) * speed;
    if (amount >= 1.0) fprintf(trace, "%d compute %.0f\n", me, amount);
}

/* And ends with this: what MPI itself has used is not computation of the program. */
static int leave(int code) {
    if (trace) last = used_so_far();
    return code;
}

static void leave_out(const char *what) {
    for (int i = 0; i < left_out_count; i++) {
        if (left_out[i] == what) return;
    }
    if (left_out_count < 16) left_out[left_out_count++] = what;
}

/* Communicators. */

static int forget_comm(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)extra;
    free(((struct known_comm *)value)->world);
    free(value);
    return MPI_SUCCESS;
}

static struct known_comm *known_comm(MPI_Comm comm) {
    struct known_comm *known = NULL;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, keyval, &known, &is_there);
    return is_there ? known : NULL;
}

static struct known_comm *learn_comm(MPI_Comm comm, int id) {
    struct known_comm *known = malloc(sizeof *known);
    MPI_Group group, world;
    PMPI_Comm_size(comm, &known->size);
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int *own = malloc(sizeof(int) * known->size);
    known->world = malloc(sizeof(int) * known->size);
    for (int rank = 0; rank < known->size; rank++) own[rank] = rank;
    PMPI_Group_translate_ranks(group, known->size, own, world, known->world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(own);
    known->id = id;
    PMPI_Comm_set_attr(comm, keyval, known);
    return known;
}

/* A communicator was made: its ranks agree on a number, and each writes which ranks they are. */
static int made_comm(int code, MPI_Comm *comm) {
    if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || !trace) return leave(code);
    int is_inter = 0, id = 0, rank = 0;
    PMPI_Comm_test_inter(*comm, &is_inter);
    if (is_inter) {
        leave_out("inter-communicators");
        return leave(code);
    }
    PMPI_Comm_rank(*comm, &rank);
    /* Different for each first rank, and for each communicator of one. */
    if (rank == 0) id = (int)(1 + me + (long)ranks * made++ % (0x7fffffff - ranks));
    PMPI_Bcast(&id, 1, MPI_INT, 0, *comm);
    struct known_comm *known = learn_comm(*comm, id);
    fprintf(trace, "%d comm_def %d", me, id);
    for (int first = 0; first < known->size;) {
        int count = 1, stride = 1;
        if (first + 1 < known->size) stride = known->world[first + 1] - known->world[first];
        if (stride < 1) stride = 1;
        while (first + count < known->size &&
               known->world[first + count] == known->world[first] + count * stride)
            count++;
        fprintf(trace, " %d:%d:%d", known->world[first], count, stride);
        first += count;
    }
    fputc('\n', trace);
    return leave(code);
}

/* Whether a collective of this communicator can be told; says which communicator if need be. */
static int within(MPI_Comm comm) {
    if (!trace) return 0;
    struct known_comm *known = known_comm(comm);
    int size = 0;
    if (!known) {
        PMPI_Comm_size(comm, &size);
        if (size > 1) leave_out("collectives of communicators that were made in unknown ways");
        return 0;
    }
    if (known->id) fprintf(trace, "%d within %d\n", me, known->id);
    return 1;
}

static long world_rank(int rank, MPI_Comm comm) {
    if (rank == MPI_PROC_NULL) return PROC_NULL;
    if (rank == MPI_ANY_SOURCE) return ANY_SOURCE;
    struct known_comm *known = known_comm(comm);
    if (known) return known->world[rank];
    return me;
}

/* Tags of other communicators than the world are made up, far from those that programs use. */
static long told_tag(int tag, MPI_Comm comm) {
    if (tag == MPI_ANY_TAG) return ANY_TAG;
    struct known_comm *known = known_comm(comm);
    if (!known || !known->id) return tag;
    uint64_t both = (uint64_t)known->id << 32 | (uint32_t)tag;
    return 1L << 30 | (long)(both * 0x9e3779b97f4a7c15ull >> 34);
}

/* Sizes. */

static long long bytes_of(MPI_Count count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (long long)count * size;
}

/* A datatype of the trace whose elements are as large, since algorithms cut between elements. */
static int told_type(MPI_Datatype type, int *size) {
    PMPI_Type_size(type, size);
    switch (*size) {
    case 2: return 3;
    case 4: return 1;
    case 8: return 0;
    case 16: return 14;
    case 32: return 27;
    default: *size = 1; return BYTE;
    }
}

/* Requests. */

static unsigned bucket(MPI_Request request) {
    uint64_t bits = 0;
    memcpy(&bits, &request, sizeof request);
    return (unsigned)(bits * 0x9e3779b97f4a7c15ull >> 54);
}

static struct known_request **find_request(MPI_Request request) {
    struct known_request **at = &buckets[bucket(request)];
    while (*at && (*at)->handle != request) at = &(*at)->next;
    return at;
}

static struct known_request *learn_request(MPI_Request request, long from, long to, long tag) {
    if (request == MPI_REQUEST_NULL || !trace) return NULL;
    struct known_request **at = find_request(request), *known;
    /* What is complete from the start may have the handle of others that were: the oldest goes first. */
    while (*at) at = &(*at)->next;
    known = calloc(1, sizeof *known);
    *at = known;
    known->handle = request, known->from = from, known->to = to, known->tag = tag, known->later = -1;
    known->is_active = 1;
    return known;
}

static void forget_request(MPI_Request request) {
    struct known_request **at = find_request(request), *known = *at;
    if (known) {
        *at = known->next;
        free(known);
    }
}

/* Collectives that go on beside the rank, by number: whether there is one. */
static unsigned char *is_under_way;
static int numbers;

/* The next collective is begun, to be waited for later; gives its number. */
static int put_off(MPI_Comm comm) {
    int number = 0;
    if (!trace || !known_comm(comm)) return -1;
    while (number < numbers && is_under_way[number]) number++;
    if (number == numbers) {
        numbers = 2 * numbers + 8;
        is_under_way = realloc(is_under_way, numbers);
        memset(is_under_way + number, 0, numbers - number);
    }
    is_under_way[number] = 1;
    fprintf(trace, "%d later %d\n", me, number);
    return number;
}

static void learn_later(MPI_Request request, int number) {
    struct known_request *known = number < 0 ? NULL : learn_request(request, me, me, 0);
    if (known) known->later = number;
}

/* A request was waited for, or found done. */
static void done(MPI_Request request) {
    if (!trace || request == MPI_REQUEST_NULL) return;
    struct known_request *known = *find_request(request);
    if (!known || !known->is_active) return;
    if (known->later >= 0) {
        fprintf(trace, "%d await %d\n", me, known->later);
        is_under_way[known->later] = 0;
    } else {
        fprintf(trace, "%d wait %ld %ld %ld\n", me, known->from, known->to, known->tag);
    }
    known->is_active = 0;
    if (!known->is_persistent) forget_request(request);
}

static MPI_Request *copied(int count, const MPI_Request *requests) {
    MPI_Request *copy = malloc(sizeof *copy * (count > 0 ? count : 1));
    memcpy(copy, requests, sizeof *copy * (count > 0 ? count : 0));
    return copy;
}

/* Beginning and end. */

static void begin_trace(void) {
    char name[4096];
    const char *wanted = getenv("FORETELL_TRACE");
    folder = strdup(wanted && *wanted ? wanted : "foretell-trace");
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "foretell: rank %d cannot make the folder %s: %s\n", me, folder, strerror(errno));
        return;
    }
    snprintf(name, sizeof name, "%s/rank-%d.txt", folder, me);
    trace = fopen(name, "w");
    if (!trace) {
        fprintf(stderr, "foretell: rank %d cannot write %s: %s\n", me, name, strerror(errno));
        return;
    }
    setvbuf(trace, NULL, _IOFBF, 1 << 16);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_comm, &keyval, NULL);
    learn_comm(MPI_COMM_WORLD, 0);
    choose_computation();
    fprintf(trace, "%d init\n", me);
    last = used_so_far();
}

static void end_trace(void) {
    if (!trace) return;
    fprintf(trace, "%d finalize\n", me);
    int is_bad = ferror(trace);
    if (fclose(trace) != 0 || is_bad) fprintf(stderr, "foretell: rank %d could not write all of its trace\n", me);
    trace = NULL;
    for (int i = 0; i < left_out_count; i++)
        fprintf(stderr, "foretell: the trace of rank %d leaves out %s\n", me, left_out[i]);
    if (me != 0) return;
    char name[4096];
    snprintf(name, sizeof name, "%s/index.txt", folder);
    FILE *list = fopen(name, "w");
    for (int rank = 0; list && rank < ranks; rank++) fprintf(list, "rank-%d.txt\n", rank);
    if (!list || fclose(list) != 0) fprintf(stderr, "foretell: cannot write %s: %s\n", name, strerror(errno));
}

int MPI_Init(int *argc, char ***argv) {
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) begin_trace();
    return leave(code);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) begin_trace();
    if (trace && required == MPI_THREAD_MULTIPLE) leave_out("which thread a call is of");
    return leave(code);
}

int MPI_Finalize(void) {
    enter();
    end_trace();
    return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code) {
    if (trace) fflush(trace);
    return PMPI_Abort(comm, code);
}

/* Messages. */

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

static void tell_message(const char *name, int peer, int tag, MPI_Comm comm, int count, MPI_Datatype type) {
    fprintf(trace, "%d %s %ld %ld %lld %d\n", me, name, world_rank(peer, comm), told_tag(tag, comm),
            bytes_of(count, type), BYTE);
}

#define SEND(function, name)                                                                       \
    int MPI_##function(const void *buffer, int count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm) {                                                            \
        enter();                                                                                   \
        if (is_told(to, comm)) tell_message(name, to, tag, comm, count, type);                     \
        return leave(PMPI_##function(buffer, count, type, to, tag, comm));                         \
    }
SEND(Send, "send")
SEND(Rsend, "send")
SEND(Ssend, "Ssend")
SEND(Bsend, "bsend")

#define ISEND(function, name)                                                                      \
    int MPI_##function(const void *buffer, int count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm, MPI_Request *request) {                                      \
        enter();                                                                                   \
        int code = PMPI_##function(buffer, count, type, to, tag, comm, request);                   \
        if (is_told(to, comm)) {                                                                   \
            tell_message(name, to, tag, comm, count, type);                                        \
            learn_request(*request, me, world_rank(to, comm), told_tag(tag, comm));                \
        }                                                                                          \
        return leave(code);                                                                        \
    }
ISEND(Isend, "isend")
ISEND(Irsend, "isend")
ISEND(Issend, "ISsend")
ISEND(Ibsend, "ibsend")

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own;
    enter();
    int code = PMPI_Recv(buffer, count, type, from, tag, comm, status == MPI_STATUS_IGNORE ? &own : status);
    if (is_told(from, comm)) {
        /* Who has sent it, and how much, is known by now. */
        MPI_Status *found = status == MPI_STATUS_IGNORE ? &own : status;
        int bytes = 0;
        PMPI_Get_count(found, MPI_BYTE, &bytes);
        fprintf(trace, "%d recv %ld %ld %lld %d\n", me, world_rank(found->MPI_SOURCE, comm),
                told_tag(found->MPI_TAG, comm), bytes == MPI_UNDEFINED ? bytes_of(count, type) : (long long)bytes,
                BYTE);
    }
    return leave(code);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = PMPI_Irecv(buffer, count, type, from, tag, comm, request);
    if (is_told(from, comm)) {
        tell_message("irecv", from, tag, comm, count, type);
        learn_request(*request, world_rank(from, comm), me, told_tag(tag, comm));
    }
    return leave(code);
}

/* Messages that were found by probes which take them out: whose they are is known there only. */

static struct known_message {
    MPI_Message handle;
    long from, tag;
    struct known_message *next;
} *found_messages;

static void found(MPI_Message handle, MPI_Comm comm, const MPI_Status *status) {
    if (!is_told(status->MPI_SOURCE, comm)) return;
    struct known_message *known = malloc(sizeof *known);
    known->handle = handle, known->next = found_messages;
    known->from = world_rank(status->MPI_SOURCE, comm), known->tag = told_tag(status->MPI_TAG, comm);
    found_messages = known;
}

/* A message that is received now, if it is known, and is no longer known then. */
static int take_message(MPI_Message handle, struct known_message *message) {
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

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;
    struct known_message known;
    enter();
    int is_known = take_message(*message, &known), bytes = 0;
    int code = PMPI_Mrecv(buffer, count, type, message, seen);
    PMPI_Get_count(seen, MPI_BYTE, &bytes);
    if (is_known)
        fprintf(trace, "%d recv %ld %ld %lld %d\n", me, known.from, known.tag,
                bytes == MPI_UNDEFINED ? bytes_of(count, type) : (long long)bytes, BYTE);
    return leave(code);
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    struct known_message known;
    enter();
    int is_known = take_message(*message, &known);
    int code = PMPI_Imrecv(buffer, count, type, message, request);
    if (is_known) {
        fprintf(trace, "%d irecv %ld %ld %lld %d\n", me, known.from, known.tag, bytes_of(count, type), BYTE);
        learn_request(*request, known.from, me, known.tag);
    }
    return leave(code);
}

/* Told as a receive, a send and two waits: the form for both at once has no tags. */
static void tell_both(int count, MPI_Datatype type, int to, int tag, int room, MPI_Datatype other, int from,
                      int from_tag, MPI_Comm comm) {
    if (is_told(from, comm)) tell_message("irecv", from, from_tag, comm, room, other);
    if (is_told(to, comm)) tell_message("send", to, tag, comm, count, type);
    if (is_told(from, comm))
        fprintf(trace, "%d wait %ld %d %ld\n", me, world_rank(from, comm), me, told_tag(from_tag, comm));
}

int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *room, int most,
                 MPI_Datatype other, int from, int from_tag, MPI_Comm comm, MPI_Status *status) {
    enter();
    tell_both(count, type, to, tag, most, other, from, from_tag, comm);
    return leave(PMPI_Sendrecv(buffer, count, type, to, tag, room, most, other, from, from_tag, comm, status));
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm comm, MPI_Status *status) {
    enter();
    tell_both(count, type, to, tag, count, type, from, from_tag, comm);
    return leave(PMPI_Sendrecv_replace(buffer, count, type, to, tag, from, from_tag, comm, status));
}

/* Requests that are used again. */

static void keep(MPI_Request *request, const char *name, int peer, int tag, MPI_Comm comm, int count,
                 MPI_Datatype type, int is_receive) {
    if (!is_told(peer, comm)) return;
    long other = world_rank(peer, comm), told = told_tag(tag, comm);
    struct known_request *known =
        learn_request(*request, is_receive ? other : me, is_receive ? me : other, told);
    if (!known) return;
    known->is_persistent = 1, known->is_active = 0;
    snprintf(known->begin, sizeof known->begin, "%s %ld %ld %lld %d", name, other, told, bytes_of(count, type), BYTE);
}

#define SEND_INIT(function, name)                                                                  \
    int MPI_##function(const void *buffer, int count, MPI_Datatype type, int to, int tag,          \
                       MPI_Comm comm, MPI_Request *request) {                                      \
        enter();                                                                                   \
        int code = PMPI_##function(buffer, count, type, to, tag, comm, request);                   \
        keep(request, name, to, tag, comm, count, type, 0);                                        \
        return leave(code);                                                                        \
    }
SEND_INIT(Send_init, "isend")
SEND_INIT(Rsend_init, "isend")
SEND_INIT(Ssend_init, "ISsend")
SEND_INIT(Bsend_init, "ibsend")

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    enter();
    int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    keep(request, "irecv", from, tag, comm, count, type, 1);
    return leave(code);
}

static void tell_start(MPI_Request request) {
    struct known_request *known = trace ? *find_request(request) : NULL;
    if (!known || !known->is_persistent) return;
    fprintf(trace, "%d %s\n", me, known->begin);
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

int MPI_Request_free(MPI_Request *request) {
    enter();
    /* What is under way ends with the rank, and nobody waits for it. */
    if (trace) forget_request(*request);
    return leave(PMPI_Request_free(request));
}

int MPI_Cancel(MPI_Request *request) {
    if (trace) leave_out("that requests were cancelled");
    return PMPI_Cancel(request);
}

/* Waiting. */

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    MPI_Request before = *request;
    enter();
    int code = PMPI_Wait(request, status);
    done(before);
    return leave(code);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; i++) done(before[i]);
    free(before);
    return leave(code);
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Waitany(count, requests, index, status);
    if (*index != MPI_UNDEFINED) done(before[*index]);
    free(before);
    return leave(code);
}

int MPI_Waitsome(int count, MPI_Request *requests, int *found, int *indices, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Waitsome(count, requests, found, indices, statuses);
    for (int i = 0; *found != MPI_UNDEFINED && i < *found; i++) done(before[indices[i]]);
    free(before);
    return leave(code);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    MPI_Request before = *request;
    enter();
    int code = PMPI_Test(request, flag, status);
    struct known_request *known = trace && before != MPI_REQUEST_NULL ? *find_request(before) : NULL;
    if (*flag) done(before);
    else if (known && known->later >= 0) fprintf(trace, "%d look %d\n", me, known->later);
    else if (known && known->is_active)
        fprintf(trace, "%d test %ld %ld %ld\n", me, known->from, known->to, known->tag);
    return leave(code);
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Testall(count, requests, flag, statuses);
    for (int i = 0; *flag && i < count; i++) done(before[i]);
    free(before);
    return leave(code);
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Testany(count, requests, index, flag, status);
    if (*flag && *index != MPI_UNDEFINED) done(before[*index]);
    free(before);
    return leave(code);
}

int MPI_Testsome(int count, MPI_Request *requests, int *found, int *indices, MPI_Status *statuses) {
    MPI_Request *before = copied(count, requests);
    enter();
    int code = PMPI_Testsome(count, requests, found, indices, statuses);
    for (int i = 0; *found != MPI_UNDEFINED && i < *found; i++) done(before[indices[i]]);
    free(before);
    return leave(code);
}

/* Collectives. A non-blocking one is told by the same line, behind one that it is waited for later,
 * under the smallest number that is free: so what repeats has the same numbers each time. */

#define OPEN(...) __VA_ARGS__

#define BOTH(function, later, parameters, arguments, tell)                                         \
    int MPI_##function(OPEN parameters) {                                                          \
        enter();                                                                                   \
        tell;                                                                                      \
        return leave(PMPI_##function arguments);                                                   \
    }                                                                                              \
    LATER(later, parameters, arguments, tell)                                                      \
    KEPT(function##_init, parameters, arguments)

#define LATER(later, parameters, arguments, tell)                                                  \
    int MPI_##later(OPEN parameters, MPI_Request *request) {                                       \
        enter();                                                                                   \
        int number = put_off(comm);                                                                \
        tell;                                                                                      \
        int code = PMPI_##later(OPEN arguments, request);                                          \
        learn_later(*request, number);                                                             \
        return leave(code);                                                                        \
    }

/* Those that are begun again and again came with version 4. */
#if MPI_VERSION >= 4
static const char PERSISTENT[] = "persistent collectives";

#define KEPT(function, parameters, arguments)                                                      \
    int MPI_##function(OPEN parameters, MPI_Info info, MPI_Request *request) {                     \
        enter();                                                                                   \
        if (trace) leave_out(PERSISTENT);                                                          \
        return leave(PMPI_##function(OPEN arguments, info, request));                              \
    }
#else
#define KEPT(function, parameters, arguments)
#endif

static void tell_barrier(MPI_Comm comm) {
    if (within(comm)) fprintf(trace, "%d barrier\n", me);
}

static void tell_bcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (within(comm)) fprintf(trace, "%d bcast %lld %d %d\n", me, bytes_of(count, type), root, BYTE);
}

static void tell_reduce(int count, MPI_Datatype type, int root, MPI_Comm comm) {
    int size;
    if (!within(comm)) return;
    int told = told_type(type, &size);
    fprintf(trace, "%d reduce %lld 0 %d %d\n", me, bytes_of(count, type) / size, root, told);
}

static void tell_reduction(const char *name, int count, MPI_Datatype type, MPI_Comm comm) {
    int size;
    if (!within(comm)) return;
    int told = told_type(type, &size);
    fprintf(trace, "%d %s %lld 0 %d\n", me, name, bytes_of(count, type) / size, told);
}

/* Counts for each rank, in bytes, and none for ranks of the world that are not here. */
static void tell_counts(const int *counts, MPI_Datatype type, int each, int size) {
    for (int rank = 0; rank < ranks; rank++)
        fprintf(trace, " %lld", rank < size ? bytes_of(counts ? counts[rank] : each, type) : 0LL);
}

static long long sum_of(const int *counts, MPI_Datatype type, int size) {
    long long sum = 0;
    for (int rank = 0; rank < size; rank++) sum += bytes_of(counts[rank], type);
    return sum;
}

static void tell_reduce_scatter(const int *counts, int each, MPI_Datatype type, MPI_Comm comm) {
    int size, element, told;
    if (!within(comm)) return;
    PMPI_Comm_size(comm, &size);
    told = told_type(type, &element);
    fprintf(trace, "%d reducescatter", me);
    for (int rank = 0; rank < ranks; rank++)
        fprintf(trace, " %lld", rank < size ? bytes_of(counts ? counts[rank] : each, type) / element : 0LL);
    fprintf(trace, " 0 %d\n", told);
}

/* What is begun is the other operation of that shape. */
static void tell_blocks(int each, MPI_Datatype type, MPI_Comm comm) {
    int size;
    PMPI_Comm_size(comm, &size);
    if (trace && known_comm(comm))
        fprintf(trace, "%d passes %lld %lld other\n", me, size * bytes_of(each, type), bytes_of(each, type));
    tell_reduce_scatter(NULL, each, type, comm);
}

static void tell_exchange(const char *name, const void *sent, int count, MPI_Datatype type, int most,
                          MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE ? 0 : bytes_of(count, type);
    fprintf(trace, "%d %s %lld %lld %d %d\n", me, name, own, bytes_of(most, other), BYTE, BYTE);
}

static void tell_rooted(const char *name, long long sent, long long received, int root) {
    fprintf(trace, "%d %s %lld %lld %d %d %d\n", me, name, sent, received, root, BYTE, BYTE);
}

static int is_root(int root, MPI_Comm comm) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

static void tell_gather(const void *sent, int count, MPI_Datatype type, int most, MPI_Datatype other, int root,
                        MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE ? 0 : bytes_of(count, type);
    tell_rooted("gather", own, is_root(root, comm) ? bytes_of(most, other) : own, root);
}

static void tell_scatter(int count, MPI_Datatype type, const void *room, int most, MPI_Datatype other, int root,
                         MPI_Comm comm) {
    if (!within(comm)) return;
    long long got = room == MPI_IN_PLACE ? 0 : bytes_of(most, other);
    tell_rooted("scatter", is_root(root, comm) ? bytes_of(count, type) : got, got, root);
}

static void tell_gatherv(const void *sent, int count, MPI_Datatype type, const int *counts, MPI_Datatype other,
                         int root, MPI_Comm comm) {
    int size, rank;
    if (!within(comm)) return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    long long own = sent != MPI_IN_PLACE ? bytes_of(count, type) : bytes_of(counts[rank], other);
    fprintf(trace, "%d gatherv %lld", me, own);
    if (rank == root) tell_counts(counts, other, 0, size);
    else tell_counts(NULL, MPI_BYTE, 0, size);
    fprintf(trace, " %d %d %d\n", root, BYTE, BYTE);
}

static void tell_scatterv(const int *counts, MPI_Datatype type, const void *room, int most, MPI_Datatype other,
                          int root, MPI_Comm comm) {
    int size, rank;
    if (!within(comm)) return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    fprintf(trace, "%d scatterv", me);
    if (rank == root) tell_counts(counts, type, 0, size);
    else tell_counts(NULL, MPI_BYTE, 0, size);
    long long got = room != MPI_IN_PLACE ? bytes_of(most, other) : bytes_of(counts[rank], type);
    fprintf(trace, " %lld %d %d %d\n", got, root, BYTE, BYTE);
}

static void tell_allgatherv(const int *counts, MPI_Datatype other, MPI_Comm comm) {
    int size, rank;
    if (!within(comm)) return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    fprintf(trace, "%d allgatherv %lld", me, bytes_of(counts[rank], other));
    tell_counts(counts, other, 0, size);
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

static void tell_alltoallv(const void *sent, const int *counts, MPI_Datatype type, const int *most,
                           MPI_Datatype other, MPI_Comm comm) {
    int size;
    if (!within(comm)) return;
    PMPI_Comm_size(comm, &size);
    const int *own = sent == MPI_IN_PLACE ? most : counts;
    MPI_Datatype of = sent == MPI_IN_PLACE ? other : type;
    fprintf(trace, "%d alltoallv %lld", me, sum_of(own, of, size));
    tell_counts(own, of, 0, size);
    fprintf(trace, " %lld", sum_of(most, other, size));
    tell_counts(most, other, 0, size);
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

BOTH(Barrier, Ibarrier, (MPI_Comm comm), (comm), tell_barrier(comm))
BOTH(Bcast, Ibcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
     (buffer, count, type, root, comm), tell_bcast(count, type, root, comm))
BOTH(Reduce, Ireduce,
     (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     (sent, result, count, type, op, root, comm), tell_reduce(count, type, root, comm))
BOTH(Allreduce, Iallreduce,
     (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (sent, result, count, type, op, comm), tell_reduction("allreduce", count, type, comm))
BOTH(Scan, Iscan, (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (sent, result, count, type, op, comm), tell_reduction("scan", count, type, comm))
BOTH(Exscan, Iexscan, (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (sent, result, count, type, op, comm), tell_reduction("exscan", count, type, comm))
BOTH(Reduce_scatter, Ireduce_scatter,
     (const void *sent, void *result, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (sent, result, counts, type, op, comm), tell_reduce_scatter(counts, 0, type, comm))

int MPI_Reduce_scatter_block(const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    enter();
    tell_reduce_scatter(NULL, count, type, comm);
    return leave(PMPI_Reduce_scatter_block(sent, result, count, type, op, comm));
}

LATER(Ireduce_scatter_block,
      (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (sent, result, count, type, op, comm), tell_blocks(count, type, comm))
KEPT(Reduce_scatter_block_init,
     (const void *sent, void *result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (sent, result, count, type, op, comm))
BOTH(Allgather, Iallgather,
     (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm),
     (sent, count, type, room, most, other, comm),
     tell_exchange("allgather", sent, count, type, most, other, comm))
BOTH(Alltoall, Ialltoall,
     (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm),
     (sent, count, type, room, most, other, comm),
     tell_exchange("alltoall", sent, count, type, most, other, comm))
BOTH(Gather, Igather,
     (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, int root,
      MPI_Comm comm),
     (sent, count, type, room, most, other, root, comm),
     tell_gather(sent, count, type, most, other, root, comm))
BOTH(Scatter, Iscatter,
     (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, int root,
      MPI_Comm comm),
     (sent, count, type, room, most, other, root, comm),
     tell_scatter(count, type, room, most, other, root, comm))
BOTH(Gatherv, Igatherv,
     (const void *sent, int count, MPI_Datatype type, void *room, const int *counts, const int *places,
      MPI_Datatype other, int root, MPI_Comm comm),
     (sent, count, type, room, counts, places, other, root, comm),
     tell_gatherv(sent, count, type, counts, other, root, comm))
BOTH(Scatterv, Iscatterv,
     (const void *sent, const int *counts, const int *places, MPI_Datatype type, void *room, int most,
      MPI_Datatype other, int root, MPI_Comm comm),
     (sent, counts, places, type, room, most, other, root, comm),
     tell_scatterv(counts, type, room, most, other, root, comm))
BOTH(Allgatherv, Iallgatherv,
     (const void *sent, int count, MPI_Datatype type, void *room, const int *counts, const int *places,
      MPI_Datatype other, MPI_Comm comm),
     (sent, count, type, room, counts, places, other, comm), tell_allgatherv(counts, other, comm))
BOTH(Alltoallv, Ialltoallv,
     (const void *sent, const int *counts, const int *places, MPI_Datatype type, void *room, const int *most,
      const int *there, MPI_Datatype other, MPI_Comm comm),
     (sent, counts, places, type, room, most, there, other, comm),
     tell_alltoallv(sent, counts, type, most, other, comm))

/* New communicators. */

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_dup(comm, made_here), made_here);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_dup_with_info(comm, info, made_here), made_here);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_split(comm, color, key, made_here), made_here);
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_split_type(comm, kind, key, info, made_here), made_here);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_create(comm, group, made_here), made_here);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Comm_create_group(comm, group, tag, made_here), made_here);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int *sizes, const int *periods, int reorder,
                    MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, made_here), made_here);
}

int MPI_Cart_sub(MPI_Comm comm, const int *kept, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Cart_sub(comm, kept, made_here), made_here);
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Graph_create(comm, nodes, index, edges, reorder, made_here), made_here);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int *sources, const int *weights, int out,
                                   const int *targets, const int *others, MPI_Info info, int reorder,
                                   MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Dist_graph_create_adjacent(comm, in, sources, weights, out, targets, others, info,
                                                     reorder, made_here),
                     made_here);
}

int MPI_Dist_graph_create(MPI_Comm comm, int nodes, const int *sources, const int *degrees, const int *targets,
                          const int *weights, MPI_Info info, int reorder, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Dist_graph_create(comm, nodes, sources, degrees, targets, weights, info, reorder,
                                            made_here),
                     made_here);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made_here) {
    enter();
    return made_comm(PMPI_Intercomm_merge(comm, high, made_here), made_here);
}

/* What such traces have no words for. */

#define LEFT_OUT(function, parameters, arguments, what)                                            \
    int MPI_##function parameters {                                                                \
        enter();                                                                                   \
        if (trace) leave_out(what);                                                                \
        return leave(PMPI_##function arguments);                                                   \
    }
static const char ONE_SIDED[] = "one-sided communication";
static const char NEIGHBOURS[] = "neighbourhood collectives", BY_TYPE[] = "MPI_Alltoallw", FILES[] = "files";

LEFT_OUT(Alltoallw,
         (const void *sent, const int *counts, const int *places, const MPI_Datatype *types, void *room,
          const int *most, const int *there, const MPI_Datatype *others, MPI_Comm comm),
         (sent, counts, places, types, room, most, there, others, comm), BY_TYPE)
LEFT_OUT(Ialltoallw,
         (const void *sent, const int *counts, const int *places, const MPI_Datatype *types, void *room,
          const int *most, const int *there, const MPI_Datatype *others, MPI_Comm comm, MPI_Request *request),
         (sent, counts, places, types, room, most, there, others, comm, request), BY_TYPE)
LEFT_OUT(Neighbor_allgather,
         (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm),
         (sent, count, type, room, most, other, comm), NEIGHBOURS)
LEFT_OUT(Neighbor_alltoall,
         (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm),
         (sent, count, type, room, most, other, comm), NEIGHBOURS)
LEFT_OUT(Ineighbor_allgather,
         (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm,
          MPI_Request *request),
         (sent, count, type, room, most, other, comm, request), NEIGHBOURS)
LEFT_OUT(Ineighbor_alltoall,
         (const void *sent, int count, MPI_Datatype type, void *room, int most, MPI_Datatype other, MPI_Comm comm,
          MPI_Request *request),
         (sent, count, type, room, most, other, comm, request), NEIGHBOURS)
LEFT_OUT(Win_create,
         (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
         (base, size, unit, info, comm, window), ONE_SIDED)
LEFT_OUT(Win_allocate,
         (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
         (size, unit, info, comm, base, window), ONE_SIDED)
LEFT_OUT(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window), ONE_SIDED)
LEFT_OUT(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
         (comm, name, mode, info, file), FILES)
