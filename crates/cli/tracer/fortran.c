/* Fortran's names of calls that do not go through those of C: all of Open MPI's, and with MPICH those
 * calls of the module mpi_f08 that have no buffers. Handles are converted, and the wrapper of the C
 * call does the rest.
 *
 * A line of the table below names a call and what kind its arguments are. A kind says what the
 * parameter is, what comes before the call, what is passed on, and what comes after. */
#include "tracer.h"

#if defined OPEN_MPI || defined MPICH_VERSION

#include <stdlib.h>

/* Addresses that Fortran programs pass for constants. There are none in programs without Fortran. */
#ifdef OPEN_MPI
#define ADDRESS(ours, theirs) extern char fortran_##ours[] __asm__("mpi_fortran_" #ours "_") __attribute__((weak));
#else
#define ADDRESS(ours, theirs) extern char fortran_##ours[] __asm__(theirs) __attribute__((weak));
#endif
ADDRESS(status_ignore, "MPIR_F08_MPI_STATUS_IGNORE_OBJ")
ADDRESS(statuses_ignore, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ")
ADDRESS(unweighted, "__mpi_f08_link_constants_MOD_mpi_unweighted")
ADDRESS(weights_empty, "__mpi_f08_link_constants_MOD_mpi_weights_empty")
#define IS(name, address) ((address) && (void *)(address) == (void *)fortran_##name)

static int *weights(MPI_Fint *given) {
    if (IS(unweighted, given)) return MPI_UNWEIGHTED;
    return IS(weights_empty, given) ? MPI_WEIGHTS_EMPTY : (int *)given;
}

static int *truths(int count, const MPI_Fint *given) {
    int *truths = malloc(sizeof *truths * (count + 1));
    for (int i = 0; i < count; i++) truths[i] = given[i] != 0;
    return truths;
}

static MPI_Request *requests_of(int count, const MPI_Fint *given) {
    MPI_Request *requests = malloc(sizeof *requests * (count + 1));
    for (int i = 0; i < count; i++) requests[i] = PMPI_Request_f2c(given[i]);
    return requests;
}

static void give_requests(int count, MPI_Request *requests, MPI_Fint *given) {
    for (int i = 0; i < count; i++) given[i] = PMPI_Request_c2f(requests[i]);
    free(requests);
}

enum { STATUS_SIZE = sizeof(MPI_Status) / sizeof(MPI_Fint) };

static MPI_Status *statuses_of(int count, const MPI_Fint *given) {
    if (IS(statuses_ignore, given)) return MPI_STATUSES_IGNORE;
    MPI_Status *statuses = malloc(sizeof *statuses * (count + 1));
    for (int i = 0; i < count; i++) PMPI_Status_f2c(given + i * STATUS_SIZE, &statuses[i]);
    return statuses;
}

static void give_statuses(int count, MPI_Status *statuses, MPI_Fint *given) {
    if (statuses == MPI_STATUSES_IGNORE) return;
    for (int i = 0; i < count; i++) PMPI_Status_c2f(&statuses[i], given + i * STATUS_SIZE);
    free(statuses);
}

static int dimensions_of(MPI_Fint comm) {
    int dimensions = 0;
    PMPI_Cartdim_get(PMPI_Comm_f2c(comm), &dimensions);
    return dimensions;
}

/* Buffers and what they hold. */
#ifdef OPEN_MPI
ADDRESS(bottom, "")
ADDRESS(in_place, "")

static void *buffer(void *address) {
    if (IS(bottom, address)) return MPI_BOTTOM;
    return IS(in_place, address) ? MPI_IN_PLACE : address;
}

static MPI_Datatype *types_of(int count, const MPI_Fint *given) {
    MPI_Datatype *types = malloc(sizeof *types * (count + 1));
    for (int i = 0; i < count; i++) types[i] = PMPI_Type_f2c(given[i]);
    return types;
}

static int size_of(MPI_Fint comm) {
    int size = 0, is_inter = 0;
    PMPI_Comm_test_inter(PMPI_Comm_f2c(comm), &is_inter);
    if (is_inter) PMPI_Comm_remote_size(PMPI_Comm_f2c(comm), &size);
    else PMPI_Comm_size(PMPI_Comm_f2c(comm), &size);
    return size;
}

/* Edges of the topology that lead here, or away. */
static int edges_of(MPI_Fint handle, int is_out) {
    MPI_Comm comm = PMPI_Comm_f2c(handle);
    int kind, rank, weighted, edges[2] = {0, 0};
    PMPI_Topo_test(comm, &kind);
    PMPI_Comm_rank(comm, &rank);
    if (kind == MPI_CART) return 2 * dimensions_of(handle);
    if (kind == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &edges[0], &edges[1], &weighted);
    if (kind == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank, &edges[0]), edges[1] = edges[0];
    return edges[is_out];
}
#endif

/* Kinds of arguments. */
#define GIVEN(n, type) (type *p##n, , *p##n, )
#define BUFFER(n) (void *p##n, , buffer(p##n), )
#define POINTER(n) (void *p##n, , p##n, )
#define SENT(n) (void *sent, , buffer(sent), )
#define INT(n) GIVEN(n, MPI_Fint)
#define OFFSET(n) GIVEN(n, MPI_Aint)
#define INTS(n) (MPI_Fint * p##n, , (int *)p##n, )
#define OFFSETS(n) (MPI_Aint * p##n, , p##n, )
#define LENGTH(n) (MPI_Fint * count, , *count, )
#define TRUTH(n) (MPI_Fint * p##n, , *p##n != 0, )
#define TRUTHS(n) (MPI_Fint * p##n, int *t##n = truths(*count, p##n);, t##n, free(t##n);)
#define KEPT(n) (MPI_Fint * p##n, int *t##n = truths(dimensions_of(*comm), p##n);, t##n, free(t##n);)
#define FLAG(n) (MPI_Fint * p##n, int f##n = 0;, &f##n, *p##n = f##n != 0;)
#define WEIGHTS(n) (MPI_Fint * p##n, , weights(p##n), )
#define HANDLE(n, kind) (MPI_Fint * p##n, , PMPI_##kind##_f2c(*p##n), )
#define TYPE(n) HANDLE(n, Type)
#define GROUP(n) HANDLE(n, Group)
#define OP(n) HANDLE(n, Op)
#define INFO(n) HANDLE(n, Info)
#define WIN(n) HANDLE(n, Win)
#define OTHER_COMM(n) HANDLE(n, Comm)
#define COMM(n) (MPI_Fint * comm, , PMPI_Comm_f2c(*comm), )
#define MADE(n, type, kind, none) (MPI_Fint * p##n, type h##n = none;, &h##n, *p##n = PMPI_##kind##_c2f(h##n);)
#define USED(n, type, kind) MADE(n, type, kind, PMPI_##kind##_f2c(*p##n))
#define NEW_COMM(n) MADE(n, MPI_Comm, Comm, MPI_COMM_NULL)
/* It may be filled in later, and stays where it is. */
#define NEW_COPY(n) (MPI_Fint * p##n, MPI_Comm *h##n = calloc(1, sizeof *h##n);, h##n, *p##n = PMPI_Comm_c2f(*h##n);)
#define NEW_WIN(n) MADE(n, MPI_Win, Win, MPI_WIN_NULL)
#define NEW_REQUEST(n) MADE(n, MPI_Request, Request, MPI_REQUEST_NULL)
#define NEW_MESSAGE(n) MADE(n, MPI_Message, Message, MPI_MESSAGE_NULL)
#define REQUEST(n) USED(n, MPI_Request, Request)
#define MESSAGE(n) USED(n, MPI_Message, Message)
#define USED_WIN(n) USED(n, MPI_Win, Win)
#define REQUESTS(n)                                                                                \
    (MPI_Fint * p##n, MPI_Request *r##n = requests_of(*count, p##n);, r##n,                        \
     give_requests(*count, r##n, p##n);)
#define STATUSES(n)                                                                                \
    (MPI_Fint * p##n, MPI_Status *s##n = statuses_of(*count, p##n);, s##n,                         \
     give_statuses(*count, s##n, p##n);)
#define STATUS(n)                                                                                  \
    (MPI_Fint * p##n, MPI_Status s##n = {0};, IS(status_ignore, p##n) ? MPI_STATUS_IGNORE : &s##n, \
     if (!IS(status_ignore, p##n)) PMPI_Status_c2f(&s##n, p##n);)
#define INDEX(n) (MPI_Fint * p##n, int i##n = MPI_UNDEFINED;, &i##n, *p##n = i##n + (i##n != MPI_UNDEFINED);)
#define FOUND(n) (MPI_Fint * found, , found, )
#define INDICES(n)                                                                                 \
    (MPI_Fint * p##n, , p##n, for (int i = 0; *found != MPI_UNDEFINED && i < *found; i++) p##n[i]++;)
#define TYPED(n, edges) (MPI_Fint * p##n, MPI_Datatype *t##n = types_of(edges, p##n);, t##n, free(t##n);)
#define OWN_TYPES(n) TYPED(n, IS(in_place, sent) ? 0 : size_of(*comm))
#define TYPES(n) TYPED(n, size_of(*comm))
#define TYPES_OUT(n) TYPED(n, edges_of(*comm, 1))
#define TYPES_IN(n) TYPED(n, edges_of(*comm, 0))

#define FIRST(parameter, before, passed, after) parameter,
#define SECOND(parameter, before, passed, after) before
#define THIRD(parameter, before, passed, after) , passed
#define FOURTH(parameter, before, passed, after) after

#define EACH1(part, kind) part kind(1)
#define EACH2(part, kind, ...) part kind(2) EACH1(part, __VA_ARGS__)
#define EACH3(part, kind, ...) part kind(3) EACH2(part, __VA_ARGS__)
#define EACH4(part, kind, ...) part kind(4) EACH3(part, __VA_ARGS__)
#define EACH5(part, kind, ...) part kind(5) EACH4(part, __VA_ARGS__)
#define EACH6(part, kind, ...) part kind(6) EACH5(part, __VA_ARGS__)
#define EACH7(part, kind, ...) part kind(7) EACH6(part, __VA_ARGS__)
#define EACH8(part, kind, ...) part kind(8) EACH7(part, __VA_ARGS__)
#define EACH9(part, kind, ...) part kind(9) EACH8(part, __VA_ARGS__)
#define EACH10(part, kind, ...) part kind(10) EACH9(part, __VA_ARGS__)
#define EACH11(part, kind, ...) part kind(11) EACH10(part, __VA_ARGS__)
#define EACH12(part, kind, ...) part kind(12) EACH11(part, __VA_ARGS__)
#define EACH13(part, kind, ...) part kind(13) EACH12(part, __VA_ARGS__)
/* Once more, which is when a part is taken. */
#define SCAN(...) __VA_ARGS__
#define EACH(count, part, ...) SCAN(EACH##count(part, __VA_ARGS__))
#define PASS(...) PASS_REST(__VA_ARGS__)
#define PASS_REST(nothing, ...) (__VA_ARGS__)

#define DEFINE(entry, name, count_of, ...)                                                         \
    void entry(EACH(count_of, FIRST, __VA_ARGS__) MPI_Fint *error) {                               \
        EACH(count_of, SECOND, __VA_ARGS__)                                                        \
        int code = MPI_##name PASS(EACH(count_of, THIRD, __VA_ARGS__));                            \
        EACH(count_of, FOURTH, __VA_ARGS__)                                                        \
        if (error) *error = code;                                                                  \
    }

/* Calls with buffers, and without. The module mpi_f08 of Open MPI calls inner functions of the
 * library, which these are, too; but for truth values, which it passes to its own twins of C's. */
#ifdef OPEN_MPI
#define ENTRY(lower) mpi_##lower##_
#define SAME(other, lower) extern __typeof(mpi_##lower##_) other __attribute__((alias("mpi_" #lower "_")));
#define INNER(lower) SAME(ompi_##lower##_f, lower)
#define CALL(name, lower, count_of, ...)                                                           \
    DEFINE(mpi_##lower##_, name, count_of, __VA_ARGS__)                                            \
    INNER(lower)
#define PLAIN(name, lower, count_of, ...)                                                          \
    CALL(name, lower, count_of, __VA_ARGS__)                                                       \
    SAME(mpi_##lower##_f08_, lower)
#else
#define ENTRY(lower) mpi_##lower##_f08_
#define INNER(lower)
#define CALL(name, lower, count_of, ...)
#define PLAIN(name, lower, count_of, ...) DEFINE(mpi_##lower##_f08_, name, count_of, __VA_ARGS__)
#endif

/* A collective, and the one that goes on beside the rank. */
#define BOTH(name, lower, later, lower_later, count_of, count_later, ...)                          \
    CALL(name, lower, count_of, __VA_ARGS__)                                                       \
    CALL(later, lower_later, count_later, __VA_ARGS__, NEW_REQUEST)

/* Messages. */
CALL(Send, send, 6, BUFFER, INT, TYPE, INT, INT, COMM)
CALL(Rsend, rsend, 6, BUFFER, INT, TYPE, INT, INT, COMM)
CALL(Ssend, ssend, 6, BUFFER, INT, TYPE, INT, INT, COMM)
CALL(Bsend, bsend, 6, BUFFER, INT, TYPE, INT, INT, COMM)
CALL(Isend, isend, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Irsend, irsend, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Issend, issend, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Ibsend, ibsend, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Send_init, send_init, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Rsend_init, rsend_init, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Ssend_init, ssend_init, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Bsend_init, bsend_init, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Irecv, irecv, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Recv_init, recv_init, 7, BUFFER, INT, TYPE, INT, INT, COMM, NEW_REQUEST)
CALL(Recv, recv, 7, BUFFER, INT, TYPE, INT, INT, COMM, STATUS)
CALL(Sendrecv, sendrecv, 12, BUFFER, INT, TYPE, INT, INT, BUFFER, INT, TYPE, INT, INT, COMM, STATUS)
CALL(Sendrecv_replace, sendrecv_replace, 9, BUFFER, INT, TYPE, INT, INT, INT, INT, COMM, STATUS)
PLAIN(Mprobe, mprobe, 5, INT, INT, COMM, NEW_MESSAGE, STATUS)
PLAIN(Improbe, improbe, 6, INT, INT, COMM, FLAG, NEW_MESSAGE, STATUS)
CALL(Mrecv, mrecv, 5, BUFFER, INT, TYPE, MESSAGE, STATUS)
CALL(Imrecv, imrecv, 5, BUFFER, INT, TYPE, MESSAGE, NEW_REQUEST)

/* Requests. */
PLAIN(Start, start, 1, REQUEST)
PLAIN(Startall, startall, 2, LENGTH, REQUESTS)
PLAIN(Request_free, request_free, 1, REQUEST)
PLAIN(Cancel, cancel, 1, REQUEST)
PLAIN(Wait, wait, 2, REQUEST, STATUS)
PLAIN(Waitall, waitall, 3, LENGTH, REQUESTS, STATUSES)
PLAIN(Waitany, waitany, 4, LENGTH, REQUESTS, INDEX, STATUS)
PLAIN(Waitsome, waitsome, 5, LENGTH, REQUESTS, FOUND, INDICES, STATUSES)
PLAIN(Test, test, 3, REQUEST, FLAG, STATUS)
PLAIN(Testall, testall, 4, LENGTH, REQUESTS, FLAG, STATUSES)
PLAIN(Testany, testany, 5, LENGTH, REQUESTS, INDEX, FLAG, STATUS)
PLAIN(Testsome, testsome, 5, LENGTH, REQUESTS, FOUND, INDICES, STATUSES)

/* Collectives. */
PLAIN(Barrier, barrier, 1, COMM)
PLAIN(Ibarrier, ibarrier, 2, COMM, NEW_REQUEST)
BOTH(Bcast, bcast, Ibcast, ibcast, 5, 6, BUFFER, INT, TYPE, INT, COMM)
BOTH(Reduce, reduce, Ireduce, ireduce, 7, 8, BUFFER, BUFFER, INT, TYPE, OP, INT, COMM)
BOTH(Allreduce, allreduce, Iallreduce, iallreduce, 6, 7, BUFFER, BUFFER, INT, TYPE, OP, COMM)
BOTH(Scan, scan, Iscan, iscan, 6, 7, BUFFER, BUFFER, INT, TYPE, OP, COMM)
BOTH(Exscan, exscan, Iexscan, iexscan, 6, 7, BUFFER, BUFFER, INT, TYPE, OP, COMM)
BOTH(Reduce_scatter_block, reduce_scatter_block, Ireduce_scatter_block, ireduce_scatter_block, 6, 7, BUFFER,
     BUFFER, INT, TYPE, OP, COMM)
BOTH(Reduce_scatter, reduce_scatter, Ireduce_scatter, ireduce_scatter, 6, 7, BUFFER, BUFFER, INTS, TYPE, OP, COMM)
BOTH(Allgather, allgather, Iallgather, iallgather, 7, 8, BUFFER, INT, TYPE, BUFFER, INT, TYPE, COMM)
BOTH(Alltoall, alltoall, Ialltoall, ialltoall, 7, 8, BUFFER, INT, TYPE, BUFFER, INT, TYPE, COMM)
BOTH(Neighbor_allgather, neighbor_allgather, Ineighbor_allgather, ineighbor_allgather, 7, 8, BUFFER, INT, TYPE,
     BUFFER, INT, TYPE, COMM)
BOTH(Neighbor_alltoall, neighbor_alltoall, Ineighbor_alltoall, ineighbor_alltoall, 7, 8, BUFFER, INT, TYPE,
     BUFFER, INT, TYPE, COMM)
BOTH(Gather, gather, Igather, igather, 8, 9, BUFFER, INT, TYPE, BUFFER, INT, TYPE, INT, COMM)
BOTH(Scatter, scatter, Iscatter, iscatter, 8, 9, BUFFER, INT, TYPE, BUFFER, INT, TYPE, INT, COMM)
BOTH(Gatherv, gatherv, Igatherv, igatherv, 9, 10, BUFFER, INT, TYPE, BUFFER, INTS, INTS, TYPE, INT, COMM)
BOTH(Scatterv, scatterv, Iscatterv, iscatterv, 9, 10, BUFFER, INTS, INTS, TYPE, BUFFER, INT, TYPE, INT, COMM)
BOTH(Allgatherv, allgatherv, Iallgatherv, iallgatherv, 8, 9, BUFFER, INT, TYPE, BUFFER, INTS, INTS, TYPE, COMM)
BOTH(Neighbor_allgatherv, neighbor_allgatherv, Ineighbor_allgatherv, ineighbor_allgatherv, 8, 9, BUFFER, INT,
     TYPE, BUFFER, INTS, INTS, TYPE, COMM)
BOTH(Alltoallv, alltoallv, Ialltoallv, ialltoallv, 9, 10, BUFFER, INTS, INTS, TYPE, BUFFER, INTS, INTS, TYPE, COMM)
BOTH(Neighbor_alltoallv, neighbor_alltoallv, Ineighbor_alltoallv, ineighbor_alltoallv, 9, 10, BUFFER, INTS, INTS,
     TYPE, BUFFER, INTS, INTS, TYPE, COMM)
BOTH(Alltoallw, alltoallw, Ialltoallw, ialltoallw, 9, 10, SENT, INTS, INTS, OWN_TYPES, BUFFER, INTS, INTS, TYPES,
     COMM)
BOTH(Neighbor_alltoallw, neighbor_alltoallw, Ineighbor_alltoallw, ineighbor_alltoallw, 9, 10, BUFFER, INTS,
     OFFSETS, TYPES_OUT, BUFFER, INTS, OFFSETS, TYPES_IN, COMM)

/* Communicators. */
PLAIN(Comm_dup, comm_dup, 2, COMM, NEW_COMM)
PLAIN(Comm_dup_with_info, comm_dup_with_info, 3, COMM, INFO, NEW_COMM)
PLAIN(Comm_split, comm_split, 4, COMM, INT, INT, NEW_COMM)
PLAIN(Comm_split_type, comm_split_type, 5, COMM, INT, INT, INFO, NEW_COMM)
PLAIN(Comm_create, comm_create, 3, COMM, GROUP, NEW_COMM)
PLAIN(Comm_create_group, comm_create_group, 4, COMM, GROUP, INT, NEW_COMM)
PLAIN(Cart_create, cart_create, 6, COMM, LENGTH, INTS, TRUTHS, TRUTH, NEW_COMM)
PLAIN(Cart_sub, cart_sub, 3, COMM, KEPT, NEW_COMM)
PLAIN(Graph_create, graph_create, 6, COMM, INT, INTS, INTS, TRUTH, NEW_COMM)
PLAIN(Dist_graph_create_adjacent, dist_graph_create_adjacent, 10, COMM, INT, INTS, WEIGHTS, INT, INTS, WEIGHTS,
     INFO, TRUTH, NEW_COMM)
PLAIN(Dist_graph_create, dist_graph_create, 9, COMM, INT, INTS, INTS, INTS, WEIGHTS, INFO, TRUTH, NEW_COMM)
PLAIN(Intercomm_create, intercomm_create, 6, COMM, INT, OTHER_COMM, INT, INT, NEW_COMM)
PLAIN(Intercomm_merge, intercomm_merge, 3, COMM, TRUTH, NEW_COMM)

/* Windows. */
CALL(Win_create, win_create, 6, BUFFER, OFFSET, INT, INFO, COMM, NEW_WIN)
PLAIN(Win_allocate, win_allocate, 6, OFFSET, INT, INFO, COMM, POINTER, NEW_WIN)
PLAIN(Win_allocate_shared, win_allocate_shared, 6, OFFSET, INT, INFO, COMM, POINTER, NEW_WIN)
PLAIN(Win_create_dynamic, win_create_dynamic, 3, INFO, COMM, NEW_WIN)
PLAIN(Win_free, win_free, 1, USED_WIN)
PLAIN(Win_fence, win_fence, 2, INT, WIN)
PLAIN(Win_post, win_post, 3, GROUP, INT, WIN)
PLAIN(Win_start, win_start, 3, GROUP, INT, WIN)
PLAIN(Win_complete, win_complete, 1, WIN)
PLAIN(Win_wait, win_wait, 1, WIN)
PLAIN(Win_test, win_test, 2, WIN, FLAG)
PLAIN(Win_lock, win_lock, 4, INT, INT, INT, WIN)
PLAIN(Win_unlock, win_unlock, 2, INT, WIN)
PLAIN(Win_lock_all, win_lock_all, 2, INT, WIN)
PLAIN(Win_flush, win_flush, 2, INT, WIN)
PLAIN(Win_flush_local, win_flush_local, 2, INT, WIN)
PLAIN(Win_unlock_all, win_unlock_all, 1, WIN)
PLAIN(Win_flush_all, win_flush_all, 1, WIN)
PLAIN(Win_flush_local_all, win_flush_local_all, 1, WIN)
CALL(Put, put, 8, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, WIN)
CALL(Get, get, 8, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, WIN)
CALL(Accumulate, accumulate, 9, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, OP, WIN)
CALL(Get_accumulate, get_accumulate, 12, BUFFER, INT, TYPE, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, OP, WIN)
CALL(Rput, rput, 9, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, WIN, NEW_REQUEST)
CALL(Rget, rget, 9, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, WIN, NEW_REQUEST)
CALL(Raccumulate, raccumulate, 10, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, OP, WIN, NEW_REQUEST)
CALL(Rget_accumulate, rget_accumulate, 13, BUFFER, INT, TYPE, BUFFER, INT, TYPE, INT, OFFSET, INT, TYPE, OP, WIN,
     NEW_REQUEST)
CALL(Fetch_and_op, fetch_and_op, 7, BUFFER, BUFFER, TYPE, INT, OFFSET, OP, WIN)
CALL(Compare_and_swap, compare_and_swap, 7, BUFFER, BUFFER, BUFFER, TYPE, INT, OFFSET, WIN)

PLAIN(Comm_idup, comm_idup, 3, COMM, NEW_COPY, NEW_REQUEST)

#ifdef OPEN_MPI
/* Modules give Fortran's pointers to memory of windows by these names. */
SAME(mpi_win_allocate_cptr_, win_allocate)
SAME(mpi_win_allocate_shared_cptr_, win_allocate_shared)
#endif

/* Beginning and end. */

void ENTRY(init)(MPI_Fint *error) {
    int code = MPI_Init(NULL, NULL);
    if (error) *error = code;
}
INNER(init)

void ENTRY(init_thread)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
    int code = MPI_Init_thread(NULL, NULL, *required, provided);
    if (error) *error = code;
}
INNER(init_thread)

void ENTRY(finalize)(MPI_Fint *error) {
    int code = MPI_Finalize();
    if (error) *error = code;
}
INNER(finalize)

PLAIN(Abort, abort, 2, COMM, INT)

#endif
