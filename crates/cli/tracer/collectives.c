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
        int number = put_off(is_traced(comm));                                                      \
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
        if (is_traced(comm)) keep_collective(*request, begin);                                      \
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

/* How many ranks this one gives to or gets from: those of the other group, if there are two. */
static int partners(MPI_Comm comm) {
    struct known_comm *known = known_comm(comm);
    return known ? known->size : size_of(comm);
}

static int is_inter(MPI_Comm comm) {
    struct known_comm *known = known_comm(comm);
    return known && known->is_inter;
}

static int rank_in(MPI_Comm comm) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static int is_root(int root, MPI_Comm comm) {
    return root == MPI_ROOT || (!is_inter(comm) && rank_in(comm) == root);
}

/* Whether arguments for a group with the root do not count. */
static int is_beside_root(int root) {
    return root == MPI_ROOT || root == MPI_PROC_NULL;
}

static const char *told_root(int root) {
    static char text[16];
    if (root == MPI_ROOT) return "self";
    if (root == MPI_PROC_NULL) return "nobody";
    snprintf(text, sizeof text, "%d", root);
    return text;
}

#ifndef LARGE
static void tell_barrier(MPI_Comm comm) {
    if (within(comm)) fprintf(trace, "%d barrier\n", me);
}
#endif

static void tell_bcast(COUNT count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (!within(comm)) return;
    long long bytes = root == MPI_PROC_NULL ? 0 : bytes_of(count, type);
    fprintf(trace, "%d bcast %lld %s %d\n", me, bytes, told_root(root), BYTE);
}

static void tell_reduce(COUNT count, MPI_Datatype type, int root, MPI_Comm comm) {
    int size = 1, told = BYTE;
    long long bytes = 0;
    if (!within(comm)) return;
    if (root != MPI_PROC_NULL) told = told_type(type, &size), bytes = bytes_of(count, type);
    fprintf(trace, "%d reduce %lld 0 %s %d\n", me, bytes / size, told_root(root), told);
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
    if (is_traced(comm)) fprintf(trace, "%d passes %lld %lld other\n", me, size_of(comm) * block, block);
    tell_reduce_scatter(NULL, each, type, comm);
}

static void tell_exchange(const char *name, const void *sent, COUNT count, MPI_Datatype type, COUNT most,
                          MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE ? 0 : bytes_of(count, type);
    fprintf(trace, "%d %s %lld %lld %d %d\n", me, name, own, bytes_of(most, other), BYTE, BYTE);
}

static void tell_rooted(const char *name, long long sent, long long received, int root) {
    fprintf(trace, "%d %s %lld %lld %s %d %d\n", me, name, sent, received, told_root(root), BYTE, BYTE);
}

static void tell_gather(const void *sent, COUNT count, MPI_Datatype type, COUNT most, MPI_Datatype other, int root,
                        MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = sent == MPI_IN_PLACE || is_beside_root(root) ? 0 : bytes_of(count, type);
    tell_rooted("gather", own, is_root(root, comm) ? bytes_of(most, other) : own, root);
}

static void tell_scatter(COUNT count, MPI_Datatype type, const void *room, COUNT most, MPI_Datatype other, int root,
                         MPI_Comm comm) {
    if (!within(comm)) return;
    long long got = room == MPI_IN_PLACE || is_beside_root(root) ? 0 : bytes_of(most, other);
    tell_rooted("scatter", is_root(root, comm) ? bytes_of(count, type) : got, got, root);
}

static void tell_gatherv(const void *sent, COUNT count, MPI_Datatype type, const COUNT *counts, MPI_Datatype other,
                         int root, MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = 0;
    if (!is_beside_root(root))
        own = sent != MPI_IN_PLACE ? bytes_of(count, type) : bytes_of(counts[rank_in(comm)], other);
    fprintf(trace, "%d gatherv %lld", me, own);
    if (is_root(root, comm)) tell_counts(counts, other, 0, partners(comm));
    else tell_counts(NULL, MPI_BYTE, 0, 0);
    fprintf(trace, " %s %d %d\n", told_root(root), BYTE, BYTE);
}

static void tell_scatterv(const COUNT *counts, MPI_Datatype type, const void *room, COUNT most, MPI_Datatype other,
                          int root, MPI_Comm comm) {
    if (!within(comm)) return;
    fprintf(trace, "%d scatterv", me);
    if (is_root(root, comm)) tell_counts(counts, type, 0, partners(comm));
    else tell_counts(NULL, MPI_BYTE, 0, 0);
    long long got = 0;
    if (!is_beside_root(root))
        got = room != MPI_IN_PLACE ? bytes_of(most, other) : bytes_of(counts[rank_in(comm)], type);
    fprintf(trace, " %lld %s %d %d\n", got, told_root(root), BYTE, BYTE);
}

static void tell_allgatherv(COUNT count, MPI_Datatype type, const COUNT *counts, MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    long long own = is_inter(comm) ? bytes_of(count, type) : bytes_of(counts[rank_in(comm)], other);
    fprintf(trace, "%d allgatherv %lld", me, own);
    tell_counts(counts, other, 0, partners(comm));
    fprintf(trace, " %d %d\n", BYTE, BYTE);
}

static void tell_alltoallv(const void *sent, const COUNT *counts, MPI_Datatype type, const COUNT *most,
                           MPI_Datatype other, MPI_Comm comm) {
    if (!within(comm)) return;
    int size = partners(comm);
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
    int size = partners(comm);
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
    (sent, count, type, room, counts, places, other, comm),
    tell_allgatherv(count, type, counts, other, comm))
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
