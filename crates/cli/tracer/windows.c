/* One-sided communication. A window has a number, which each rank chooses for itself; targets and
 * groups are ranks of the world. */
#include "tracer.h"

#include <stdlib.h>

/* Bytes of a message that says what is wanted. */
enum { NOTE = 16 };

#ifndef LARGE
static int keyval = MPI_KEYVAL_INVALID;
static struct numbers in_use;

static int forget_window(MPI_Win window, int key, void *value, void *extra) {
    (void)window, (void)key, (void)extra;
    struct known_window *known = value;
    free_number(&in_use, known->number);
    free(known->world);
    free(known);
    return MPI_SUCCESS;
}

struct known_window *known_window(MPI_Win window) {
    struct known_window *known = NULL;
    int is_there = 0;
    if (!trace) return NULL;
    if (keyval != MPI_KEYVAL_INVALID) PMPI_Win_get_attr(window, keyval, &known, &is_there);
    if (is_there) return known;
    leave_out("windows of communicators that were made in unknown ways");
    return NULL;
}

int made_window(int code, MPI_Comm comm, MPI_Win window) {
    int size;
    if (code != MPI_SUCCESS || !trace) return leave(code);
    PMPI_Comm_size(comm, &size);
    /* That of one rank alone is known where it is needed, which is here. */
    if (size == 1 && !known_comm(comm)) made_comm(MPI_SUCCESS, &comm);
    if (!is_whole(comm)) return leave(code);
    if (keyval == MPI_KEYVAL_INVALID) PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget_window, &keyval, NULL);
    struct known_window *known = malloc(sizeof *known);
    MPI_Group group;
    PMPI_Win_get_group(window, &group);
    known->world = world_ranks(group, &size);
    PMPI_Group_free(&group);
    known->number = take_number(&in_use);
    PMPI_Win_set_attr(window, keyval, known);
    within(comm);
    fprintf(trace, "%d win_create %d\n", me, known->number);
    return leave(code);
}

#endif

#define MAKER(function, parameters, arguments)                                                     \
    int NAME(MPI_, Win_##function) parameters {                                                    \
        enter();                                                                                   \
        int code = NAME(PMPI_, Win_##function) arguments;                                          \
        return made_window(code, comm, *window);                                                   \
    }
MAKER(create, (void *base, MPI_Aint size, PLACE unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
      (base, size, unit, info, comm, window))
MAKER(allocate, (MPI_Aint size, PLACE unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
MAKER(allocate_shared, (MPI_Aint size, PLACE unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
#ifndef LARGE
MAKER(create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))

/* Epochs and locks. */

static void tell_word(const char *word, MPI_Win window, const char *option) {
    struct known_window *known = known_window(window);
    if (known) fprintf(trace, "%d %s %d%s\n", me, word, known->number, option);
}

static void tell_group(const char *word, MPI_Group group, MPI_Win window) {
    struct known_window *known = known_window(window);
    int size, *world = known ? world_ranks(group, &size) : NULL;
    if (!world) return;
    fprintf(trace, "%d %s %d", me, word, known->number);
    tell_members(world, size);
    fputc('\n', trace);
    free(world);
}

static void tell_target(const char *word, int target, MPI_Win window, const char *kind, const char *option) {
    struct known_window *known = target == MPI_PROC_NULL ? NULL : known_window(window);
    if (known) fprintf(trace, "%d %s %d %d%s%s\n", me, word, known->number, known->world[target], kind, option);
}

static const char *unchecked(int assertion) {
    return assertion & MPI_MODE_NOCHECK ? " unchecked" : "";
}

#define EPOCH(function, parameters, arguments, tell)                                               \
    int MPI_Win_##function parameters {                                                            \
        enter();                                                                                   \
        tell;                                                                                      \
        return leave(PMPI_Win_##function arguments);                                               \
    }
EPOCH(free, (MPI_Win * window), (window), tell_word("win_free", *window, ""))
EPOCH(fence, (int assertion, MPI_Win window), (assertion, window),
      tell_word("win_fence", window, assertion & MPI_MODE_NOSUCCEED ? " last" : ""))
EPOCH(post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window),
      tell_group("win_post", group, window))
EPOCH(start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window),
      tell_group("win_start", group, window))
EPOCH(complete, (MPI_Win window), (window), tell_word("win_complete", window, ""))
EPOCH(wait, (MPI_Win window), (window), tell_word("win_wait", window, ""))
EPOCH(lock, (int kind, int target, int assertion, MPI_Win window), (kind, target, assertion, window),
      tell_target("win_lock", target, window, kind == MPI_LOCK_EXCLUSIVE ? " exclusive" : " shared",
                  unchecked(assertion)))
EPOCH(lock_all, (int assertion, MPI_Win window), (assertion, window),
      tell_word("win_lock_all", window, unchecked(assertion)))
EPOCH(unlock, (int target, MPI_Win window), (target, window), tell_target("win_unlock", target, window, "", ""))
EPOCH(unlock_all, (MPI_Win window), (window), tell_word("win_unlock_all", window, ""))
EPOCH(flush, (int target, MPI_Win window), (target, window), tell_target("win_flush", target, window, "", ""))
EPOCH(flush_local, (int target, MPI_Win window), (target, window), tell_target("win_flush", target, window, "", ""))
EPOCH(flush_all, (MPI_Win window), (window), tell_word("win_flush", window, ""))
EPOCH(flush_local_all, (MPI_Win window), (window), tell_word("win_flush", window, ""))

/* Looks that find the epoch over are what is told; how often a rank looks is a matter of time. */
int MPI_Win_test(MPI_Win window, int *flag) {
    enter();
    int code = PMPI_Win_test(window, flag);
    if (*flag) tell_word("win_wait", window, "");
    return leave(code);
}

#endif

/* Operations. */

static void tell_access(const char *word, int target, MPI_Win window, long long bytes) {
    struct known_window *known = target == MPI_PROC_NULL ? NULL : known_window(window);
    if (known) fprintf(trace, "%d %s %d %d %lld\n", me, word, known->number, known->world[target], bytes);
}

/* An accumulate that brings back what was there. */
static void tell_answered(int target, MPI_Win window, long long sent, long long returned) {
    struct known_window *known = target == MPI_PROC_NULL ? NULL : known_window(window);
    if (!known) return;
    fprintf(trace, "%d accumulate %d %d %lld %lld\n", me, known->number, known->world[target], NOTE + sent, returned);
}

/* Nothing is sent for one that combines nothing. */
static void tell_fetch(int target, MPI_Win window, MPI_Op op, COUNT count, MPI_Datatype type, long long returned) {
    tell_answered(target, window, op == MPI_NO_OP ? 0 : bytes_of(count, type), returned);
}

/* One with a request is begun, to be waited for later. */
static int put_off_access(int target, MPI_Win window) {
    return put_off(trace && target != MPI_PROC_NULL && known_window(window));
}

#define BOTH(function, with_request, parameters, arguments, tell)                                  \
    int NAME(MPI_, function)(OPEN parameters) {                                                          \
        enter();                                                                                   \
        tell;                                                                                      \
        return leave(NAME(PMPI_, function) arguments);                                                   \
    }                                                                                              \
    int NAME(MPI_, with_request)(OPEN parameters, MPI_Request *request) {                                \
        enter();                                                                                   \
        int number = put_off_access(target, window);                                               \
        tell;                                                                                      \
        int code = NAME(PMPI_, with_request)(OPEN arguments, request);                                   \
        learn_later(*request, number);                                                             \
        return leave(code);                                                                        \
    }

BOTH(Put, Rput,
     (const void *origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place, COUNT there, MPI_Datatype other,
      MPI_Win window),
     (origin, count, type, target, place, there, other, window),
     tell_access("put", target, window, bytes_of(count, type)))
BOTH(Get, Rget,
     (void *origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place, COUNT there, MPI_Datatype other,
      MPI_Win window),
     (origin, count, type, target, place, there, other, window),
     tell_access("get", target, window, bytes_of(there, other)))
BOTH(Accumulate, Raccumulate,
     (const void *origin, COUNT count, MPI_Datatype type, int target, MPI_Aint place, COUNT there, MPI_Datatype other,
      MPI_Op op, MPI_Win window),
     (origin, count, type, target, place, there, other, op, window),
     tell_access("accumulate", target, window, bytes_of(count, type)))
BOTH(Get_accumulate, Rget_accumulate,
     (const void *origin, COUNT count, MPI_Datatype type, void *result, COUNT most, MPI_Datatype of, int target,
      MPI_Aint place, COUNT there, MPI_Datatype other, MPI_Op op, MPI_Win window),
     (origin, count, type, result, most, of, target, place, there, other, op, window),
     tell_fetch(target, window, op, count, type, bytes_of(there, other)))

#ifndef LARGE
int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint place, MPI_Op op,
                     MPI_Win window) {
    enter();
    tell_fetch(target, window, op, 1, type, bytes_of(1, type));
    return leave(PMPI_Fetch_and_op(origin, result, type, target, place, op, window));
}

int MPI_Compare_and_swap(const void *origin, const void *expected, void *result, MPI_Datatype type, int target,
                         MPI_Aint place, MPI_Win window) {
    enter();
    tell_answered(target, window, 2 * bytes_of(1, type), bytes_of(1, type));
    return leave(PMPI_Compare_and_swap(origin, expected, result, type, target, place, window));
}
#endif
