/* Collectives. A non-blocking one is told by the same line, behind one that it is waited for later,
 * and so is each start of one that is begun again and again. */
#include "tracer.h"

#include <stdlib.h>

#define NOW(function, parameters, arguments, tell)                                                 \
    int NAME(MPI_, function)(OPEN parameters) {                                                          \
        enter();                                                                                   \
        tell;                                                                                      \
        return leave(NAME(PMPI_, function) arguments);                                                   \
    }

#define LATER(function, parameters, arguments, tell)                                               \
    int NAME(MPI_, function)(OPEN parameters, MPI_Request *request) {                                    \
        enter();                                                                                   \
        int number = put_off(is_whole(comm));                                                      \
        tell;                                                                                      \
        int code = NAME(PMPI_, function)(OPEN arguments, request);                                       \
        learn_later(*request, number);                                                             \
        return leave(code);                                                                        \
    }

/* These came with version 4. */
#if MPI_VERSION >= 4
#define AGAIN(function, parameters, arguments, tell)                                               \
    int NAME(MPI_, function##_init)(OPEN parameters, MPI_Info info, MPI_Request *request) {              \
        enter();                                                                                   \
        set_aside();                                                                               \
        tell;                                                                                      \
        char *begin = take_back();                                                                 \
        int code = NAME(PMPI_, function##_init)(OPEN arguments, info, request);                          \
        if (is_whole(comm)) keep_collective(*request, begin);                                      \
        else free(begin);                                                                          \
        return leave(code);                                                                        \
    }
#else
#define AGAIN(function, parameters, arguments, tell)
#endif

#define ALL(function, later, parameters, arguments, tell)                                          \
    NOW(function, parameters, arguments, tell)                                                     \
    LATER(later, parameters, arguments, tell)                                                      \
    AGAIN(function, parameters, arguments, tell)

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

static int size_of(MPI_Comm comm) {
    int size;
    PMPI_Comm_size(comm, &size);
    return size;
}

static int rank_in(MPI_Comm comm) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

#ifndef LARGE
static void tell_barrier(MPI_Comm comm) {
    if (within(comm)) fprintf(trace, "%d barrier\n", me);
}
#endif

static void tell_bcast(COUNT count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (within(comm)) fprintf(trace, "%d bcast %lld %d %d\n", me, bytes_of(count, type), root, BYTE);
}

static void tell_reduce(COUNT count, MPI_Datatype type, int root, MPI_Comm comm) {
    int size;
    if (!within(comm)) return;
    int told = told_type(type, &size);
    fprintf(trace, "%d reduce %lld 0 %d %d\n", me, bytes_of(count, type) / size, root, told);
}

static void tell_reduction(const char *name, COUNT count, MPI_Datatype type, MPI_Comm comm) {
    int size;
    if (!within(comm)) return;
    int told = told_type(type, &size);
    fprintf(trace, "%d %s %lld 0 %d\n", me, name, bytes_of(count, type) / size, told);
}

/* Counts for each rank, in bytes, and none for ranks of the world that are not here. */
static void tell_counts(const COUNT *counts, MPI_Datatype type, COUNT each, int size) {
    for (int rank = 0; rank < ranks; rank++)
        fprintf(trace, " %lld", rank < size ? bytes_of(counts ? counts[rank] : each, type) : 0LL);
}

static long long sum_of(const COUNT *counts, MPI_Datatype type, int size) {
    long long sum = 0;
    for (int rank = 0; rank < size; rank++) sum += bytes_of(counts[rank], type);
    return sum;
}

static void tell_reduce_scatter(const COUNT *counts, COUNT each, MPI_Datatype type, MPI_Comm comm) {
    int element;
    if (!within(comm)) return;
    int size = size_of(comm), told = told_type(type, &element);
    fprintf(trace, "%d reducescatter", me);
    for (int rank = 0; rank < ranks; rank++)
        fprintf(trace, " %lld", rank < size ? bytes_of(counts ? counts[rank] : each, type) / element : 0LL);
    fprintf(trace, " 0 %d\n", told);
}

/* What is begun is the other operation of that shape. */
static void tell_blocks(COUNT each, MPI_Datatype type, MPI_Comm comm) {
    long long block = bytes_of(each, type);
    if (is_whole(comm)) fprintf(trace, "%d passes %lld %lld other\n", me, size_of(comm) * block, block);
    tell_reduce_scatter(NULL, each, type, comm);
}

static void tell_exchange(const char *name, const void *sent, COUNT count, MPI_Datatype type, COUNT most,
                          MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE ? 0 : bytes_of(count, type);
    fprintf(trace, "%d %s %lld %lld %d %d\n", me, name, own, bytes_of(most, other), BYTE, BYTE);
}

static void tell_rooted(const char *name, long long sent, long long received, int root) {
    fprintf(trace, "%d %s %lld %lld %d %d %d\n", me, name, sent, received, root, BYTE, BYTE);
}

static void tell_gather(const void *sent, COUNT count, MPI_Datatype type, COUNT most, MPI_Datatype other, int root,
                        MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE ? 0 : bytes_of(count, type);
    tell_rooted("gather", own, rank_in(comm) == root ? bytes_of(most, other) : own, root);
}

static void tell_scatter(COUNT count, MPI_Datatype type, const void *room, COUNT most, MPI_Datatype other, int root,
                         MPI_Comm comm) {
    if (!within(comm)) return;
    long long got = room == MPI_IN_PLACE ? 0 : bytes_of(most, other);
    tell_rooted("scatter", rank_in(comm) == root ? bytes_of(count, type) : got, got, root);
}

static void tell_gatherv(const void *sent, COUNT count, MPI_Datatype type, const COUNT *counts, MPI_Datatype other,
                         int root, MPI_Comm comm) {
    if (!within(comm)) return;
    int rank = rank_in(comm);
    long long own = sent != MPI_IN_PLACE ? bytes_of(count, type) : bytes_of(counts[rank], other);
    fprintf(trace, "%d gatherv %lld", me, own);
    if (rank == root) tell_counts(counts, other, 0, size_of(comm));
    else tell_counts(NULL, MPI_BYTE, 0, 0);
    fprintf(trace, " %d %d %d\n", root, BYTE, BYTE);
}

static void tell_scatterv(const COUNT *counts, MPI_Datatype type, const void *room, COUNT most, MPI_Datatype other,
                          int root, MPI_Comm comm) {
    if (!within(comm)) return;
    int rank = rank_in(comm);
    fprintf(trace, "%d scatterv", me);
    if (rank == root) tell_counts(counts, type, 0, size_of(comm));
    else tell_counts(NULL, MPI_BYTE, 0, 0);
    long long got = room != MPI_IN_PLACE ? bytes_of(most, other) : bytes_of(counts[rank], type);
    fprintf(trace, " %lld %d %d %d\n", got, root, BYTE, BYTE);
}

static void tell_allgatherv(const COUNT *counts, MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    fprintf(trace, "%d allgatherv %lld", me, bytes_of(counts[rank_in(comm)], other));
    tell_counts(counts, other, 0, size_of(comm));
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

static void tell_alltoallv(const void *sent, const COUNT *counts, MPI_Datatype type, const COUNT *most,
                           MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    int size = size_of(comm);
    const COUNT *own = sent == MPI_IN_PLACE ? most : counts;
    MPI_Datatype of = sent == MPI_IN_PLACE ? other : type;
    fprintf(trace, "%d alltoallv %lld", me, sum_of(own, of, size));
    tell_counts(own, of, 0, size);
    fprintf(trace, " %lld", sum_of(most, other, size));
    tell_counts(most, other, 0, size);
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

static long long sum_of_types(const COUNT *counts, const MPI_Datatype *types, int size) {
    long long sum = 0;
    for (int rank = 0; rank < size; rank++) sum += bytes_of(counts[rank], types[rank]);
    return sum;
}

static void tell_each_of_types(const COUNT *counts, const MPI_Datatype *types, int size) {
    fprintf(trace, " %lld", sum_of_types(counts, types, size));
    for (int rank = 0; rank < ranks; rank++)
        fprintf(trace, " %lld", rank < size ? bytes_of(counts[rank], types[rank]) : 0LL);
}

static void tell_alltoallw(const void *sent, const COUNT *counts, const MPI_Datatype *types, const COUNT *most,
                           const MPI_Datatype *others, MPI_Comm comm) {
    if (!within(comm)) return;
    int size = size_of(comm);
    if (sent == MPI_IN_PLACE) counts = most, types = others;
    fprintf(trace, "%d passes %lld %lld other\n", me, sum_of_types(counts, types, size),
            sum_of_types(most, others, size));
    fprintf(trace, "%d alltoallv", me);
    tell_each_of_types(counts, types, size);
    tell_each_of_types(most, others, size);
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

#ifndef LARGE
ALL(Barrier, Ibarrier, (MPI_Comm comm), (comm), tell_barrier(comm))
#endif
ALL(Bcast, Ibcast, (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
    (buffer, count, type, root, comm), tell_bcast(count, type, root, comm))
ALL(Reduce, Ireduce,
    (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
    (sent, result, count, type, op, root, comm), tell_reduce(count, type, root, comm))
ALL(Allreduce, Iallreduce,
    (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sent, result, count, type, op, comm), tell_reduction("allreduce", count, type, comm))
ALL(Scan, Iscan, (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sent, result, count, type, op, comm), tell_reduction("scan", count, type, comm))
ALL(Exscan, Iexscan, (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sent, result, count, type, op, comm), tell_reduction("exscan", count, type, comm))
ALL(Reduce_scatter, Ireduce_scatter,
    (const void *sent, void *result, const COUNT *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sent, result, counts, type, op, comm), tell_reduce_scatter(counts, 0, type, comm))

NOW(Reduce_scatter_block,
    (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sent, result, count, type, op, comm), tell_reduce_scatter(NULL, count, type, comm))
LATER(Ireduce_scatter_block,
      (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (sent, result, count, type, op, comm), tell_blocks(count, type, comm))
AGAIN(Reduce_scatter_block,
      (const void *sent, void *result, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (sent, result, count, type, op, comm), tell_blocks(count, type, comm))

ALL(Allgather, Iallgather,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, most, other, comm),
    tell_exchange("allgather", sent, count, type, most, other, comm))
ALL(Alltoall, Ialltoall,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, most, other, comm),
    tell_exchange("alltoall", sent, count, type, most, other, comm))
ALL(Gather, Igather,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, int root,
     MPI_Comm comm),
    (sent, count, type, room, most, other, root, comm),
    tell_gather(sent, count, type, most, other, root, comm))
ALL(Scatter, Iscatter,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, int root,
     MPI_Comm comm),
    (sent, count, type, room, most, other, root, comm),
    tell_scatter(count, type, room, most, other, root, comm))
ALL(Gatherv, Igatherv,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, const COUNT *counts, const PLACE *places,
     MPI_Datatype other, int root, MPI_Comm comm),
    (sent, count, type, room, counts, places, other, root, comm),
    tell_gatherv(sent, count, type, counts, other, root, comm))
ALL(Scatterv, Iscatterv,
    (const void *sent, const COUNT *counts, const PLACE *places, MPI_Datatype type, void *room, COUNT most,
     MPI_Datatype other, int root, MPI_Comm comm),
    (sent, counts, places, type, room, most, other, root, comm),
    tell_scatterv(counts, type, room, most, other, root, comm))
ALL(Allgatherv, Iallgatherv,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, const COUNT *counts, const PLACE *places,
     MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, counts, places, other, comm), tell_allgatherv(counts, other, comm))
ALL(Alltoallv, Ialltoallv,
    (const void *sent, const COUNT *counts, const PLACE *places, MPI_Datatype type, void *room, const COUNT *most,
     const PLACE *there, MPI_Datatype other, MPI_Comm comm),
    (sent, counts, places, type, room, most, there, other, comm),
    tell_alltoallv(sent, counts, type, most, other, comm))
ALL(Alltoallw, Ialltoallw,
    (const void *sent, const COUNT *counts, const PLACE *places, const MPI_Datatype *types, void *room,
     const COUNT *most, const PLACE *there, const MPI_Datatype *others, MPI_Comm comm),
    (sent, counts, places, types, room, most, there, others, comm),
    tell_alltoallw(sent, counts, types, most, others, comm))
