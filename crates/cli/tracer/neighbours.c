/* Collectives among neighbours: told as the messages that they send, one for each edge. A
 * non-blocking one begins them where it is called and waits for them where it is done; one that is
 * begun again and again, at each start. */
#include "tracer.h"

#include <stdlib.h>

/* Who sends to this rank, and whom it sends to. */
struct hood {
    int sources, destinations;
    int *from, *to;
    int is_grid;
};

static struct hood hood_of(MPI_Comm comm) {
    struct hood hood = {0, 0, NULL, NULL, 0};
    int kind = MPI_UNDEFINED, rank, weights;
    PMPI_Topo_test(comm, &kind);
    PMPI_Comm_rank(comm, &rank);
    if (kind == MPI_CART) {
        int dimensions;
        PMPI_Cartdim_get(comm, &dimensions);
        hood.is_grid = 1, hood.sources = hood.destinations = 2 * dimensions;
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank, &hood.sources);
        hood.destinations = hood.sources;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &hood.sources, &hood.destinations, &weights);
    }
    hood.from = malloc(sizeof(int) * (hood.sources + 1)), hood.to = malloc(sizeof(int) * (hood.destinations + 1));
    if (kind == MPI_CART) {
        for (int at = 0; at < hood.sources; at += 2) PMPI_Cart_shift(comm, at / 2, 1, &hood.from[at], &hood.from[at + 1]);
    } else if (kind == MPI_GRAPH) {
        PMPI_Graph_neighbors(comm, rank, hood.sources, hood.from);
    } else if (kind == MPI_DIST_GRAPH) {
        int *weights_in = malloc(sizeof(int) * (hood.sources + 1));
        int *weights_out = malloc(sizeof(int) * (hood.destinations + 1));
        PMPI_Dist_graph_neighbors(comm, hood.sources, hood.from, weights_in, hood.destinations, hood.to, weights_out);
        free(weights_in);
        free(weights_out);
    }
    for (int at = 0; kind != MPI_DIST_GRAPH && at < hood.destinations; at++) hood.to[at] = hood.from[at];
    return hood;
}

/* How many bytes go along an edge: the same on each, so many of a type, or so many of a type each. */
struct bytes {
    COUNT each;
    MPI_Datatype type;
    const COUNT *counts;
    const MPI_Datatype *types;
};

static long long bytes_along(const struct bytes *bytes, int edge) {
    return bytes_of(bytes->counts ? bytes->counts[edge] : bytes->each, bytes->types ? bytes->types[edge] : bytes->type);
}

/* Begins the messages; gives how many, and what to wait for, to be freed. */
static int tell_messages(MPI_Comm comm, struct bytes out, struct bytes in, struct waited **messages) {
    *messages = NULL;
    if (!trace) return 0;
    if (!is_whole(comm)) {
        leave_out("collectives of communicators that were made in unknown ways");
        return 0;
    }
    struct hood hood = hood_of(comm);
    struct waited *next = *messages = malloc(sizeof *next * (hood.sources + hood.destinations + 1));
    long tag = told_tag(OWN_TAG, comm);
    for (int edge = 0; edge < hood.sources; edge++) {
        /* What goes to the negative side of a grid comes from the positive one. */
        int at = hood.is_grid ? edge ^ 1 : edge;
        if (hood.from[at] == MPI_PROC_NULL) continue;
        *next = (struct waited){world_rank(hood.from[at], comm), me, tag};
        fprintf(trace, "%d irecv %ld %ld %lld %d\n", me, next->from, tag, bytes_along(&in, at), BYTE);
        next++;
    }
    for (int at = 0; at < hood.destinations; at++) {
        if (hood.to[at] == MPI_PROC_NULL) continue;
        *next = (struct waited){me, world_rank(hood.to[at], comm), tag};
        fprintf(trace, "%d isend %ld %ld %lld %d\n", me, next->to, tag, bytes_along(&out, at), BYTE);
        next++;
    }
    free(hood.from);
    free(hood.to);
    return (int)(next - *messages);
}

#define EACH(count, type) ((struct bytes){count, type, NULL, NULL})
#define COUNTED(counts, type) ((struct bytes){0, type, counts, NULL})
#define TYPED(counts, types) ((struct bytes){0, MPI_BYTE, counts, types})

#if MPI_VERSION >= 4
#define AGAIN(function, parameters, arguments, out, in)                                            \
    int NAME(MPI_, function##_init)(OPEN parameters, MPI_Info info, MPI_Request *request) {              \
        struct waited *messages;                                                                   \
        enter();                                                                                   \
        set_aside();                                                                               \
        int begun = tell_messages(comm, out, in, &messages);                                       \
        char *begin = take_back();                                                                 \
        int code = NAME(PMPI_, function##_init)(OPEN arguments, info, request);                          \
        if (begin) keep_requests(*request, begun, messages, begin);                                \
        return leave(code);                                                                        \
    }
#else
#define AGAIN(function, parameters, arguments, out, in)
#endif

#define ALL(function, later, parameters, arguments, out, in)                                       \
    int NAME(MPI_, function)(OPEN parameters) {                                                          \
        struct waited *messages;                                                                   \
        enter();                                                                                   \
        int begun = tell_messages(comm, out, in, &messages);                                       \
        wait_for(begun, messages);                                                                 \
        return leave(NAME(PMPI_, function) arguments);                                                   \
    }                                                                                              \
    int NAME(MPI_, later)(OPEN parameters, MPI_Request *request) {                                       \
        struct waited *messages;                                                                   \
        enter();                                                                                   \
        int begun = tell_messages(comm, out, in, &messages);                                       \
        int code = NAME(PMPI_, later)(OPEN arguments, request);                                          \
        learn_requests(*request, begun, messages);                                                 \
        return leave(code);                                                                        \
    }                                                                                              \
    AGAIN(function, parameters, arguments, out, in)

ALL(Neighbor_allgather, Ineighbor_allgather,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, most, other, comm), EACH(count, type), EACH(most, other))
ALL(Neighbor_allgatherv, Ineighbor_allgatherv,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, const COUNT *counts, const PLACE *places,
     MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, counts, places, other, comm), EACH(count, type), COUNTED(counts, other))
ALL(Neighbor_alltoall, Ineighbor_alltoall,
    (const void *sent, COUNT count, MPI_Datatype type, void *room, COUNT most, MPI_Datatype other, MPI_Comm comm),
    (sent, count, type, room, most, other, comm), EACH(count, type), EACH(most, other))
ALL(Neighbor_alltoallv, Ineighbor_alltoallv,
    (const void *sent, const COUNT *counts, const PLACE *places, MPI_Datatype type, void *room, const COUNT *most,
     const PLACE *there, MPI_Datatype other, MPI_Comm comm),
    (sent, counts, places, type, room, most, there, other, comm), COUNTED(counts, type), COUNTED(most, other))
ALL(Neighbor_alltoallw, Ineighbor_alltoallw,
    (const void *sent, const COUNT *counts, const MPI_Aint *places, const MPI_Datatype *types, void *room,
     const COUNT *most, const MPI_Aint *there, const MPI_Datatype *others, MPI_Comm comm),
    (sent, counts, places, types, room, most, there, others, comm), TYPED(counts, types), TYPED(most, others))
