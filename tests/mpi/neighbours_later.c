/* ranks: 3 */
/* Collectives with neighbours in their other forms, on a ring. */
#include "parity.h"

#if MPI_VERSION >= 4
static int out[8], in[8];
static const int places[2] = {0, 2}, one[2] = {1, 1};
static const MPI_Count one_c[2] = {1, 1};
static const MPI_Aint places_c[2] = {0, 2}, bytes[2] = {0, 8};
static MPI_Datatype types[2];

static void fill(void)
{
    for (int i = 0; i < 8; i++) {
        out[i] = 100 * (parity_rank + 1) + i;
        in[i] = -1;
    }
}

#define NOW(function, ...) \
    do { \
        fill(); \
        function(__VA_ARGS__); \
        say_numbers(#function, in, 4); \
    } while (0)

#define LATER(function, ...) \
    do { \
        MPI_Request request; \
        fill(); \
        function(__VA_ARGS__, &request); \
        MPI_Wait(&request, MPI_STATUS_IGNORE); \
        say_numbers(#function, in, 4); \
    } while (0)

#define AGAIN(function, ...) \
    do { \
        MPI_Request request; \
        fill(); \
        function(__VA_ARGS__, MPI_INFO_NULL, &request); \
        MPI_Start(&request); \
        MPI_Wait(&request, MPI_STATUS_IGNORE); \
        MPI_Request_free(&request); \
        say_numbers(#function, in, 4); \
    } while (0)

int main(int argc, char **argv)
{
    int dims[1], around[1] = {1}, place, nodes[1], edges[1];
    MPI_Comm ring;
    parity_begin(&argc, &argv);
    dims[0] = parity_size;
    types[0] = types[1] = MPI_INT;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, around, 0, &ring);
#define TWO out, 2, MPI_INT, in, 2, MPI_INT, ring
    NOW(MPI_Neighbor_allgather_c, TWO);
    LATER(MPI_Ineighbor_allgather_c, TWO);
    AGAIN(MPI_Neighbor_allgather_init, TWO);
    AGAIN(MPI_Neighbor_allgather_init_c, TWO);
    NOW(MPI_Neighbor_alltoall_c, TWO);
    LATER(MPI_Ineighbor_alltoall_c, TWO);
    AGAIN(MPI_Neighbor_alltoall_init, TWO);
    AGAIN(MPI_Neighbor_alltoall_init_c, TWO);
#define ONE_EACH out, 1, MPI_INT, in
    NOW(MPI_Neighbor_allgatherv_c, ONE_EACH, one_c, places_c, MPI_INT, ring);
    LATER(MPI_Ineighbor_allgatherv_c, ONE_EACH, one_c, places_c, MPI_INT, ring);
    AGAIN(MPI_Neighbor_allgatherv_init, ONE_EACH, one, places, MPI_INT, ring);
    AGAIN(MPI_Neighbor_allgatherv_init_c, ONE_EACH, one_c, places_c, MPI_INT, ring);
#define EACH_C out, one_c, places_c, MPI_INT, in, one_c, places_c, MPI_INT, ring
    NOW(MPI_Neighbor_alltoallv_c, EACH_C);
    LATER(MPI_Ineighbor_alltoallv_c, EACH_C);
    AGAIN(MPI_Neighbor_alltoallv_init, out, one, places, MPI_INT, in, one, places, MPI_INT, ring);
    AGAIN(MPI_Neighbor_alltoallv_init_c, EACH_C);
#define TYPED out, one, bytes, types, in, one, bytes, types, ring
#define TYPED_C out, one_c, bytes, types, in, one_c, bytes, types, ring
    NOW(MPI_Neighbor_alltoallw_c, TYPED_C);
    LATER(MPI_Ineighbor_alltoallw_c, TYPED_C);
    AGAIN(MPI_Neighbor_alltoallw_init, TYPED);
    AGAIN(MPI_Neighbor_alltoallw_init_c, TYPED_C);
    /* Where a rank would be in a graph without edges. */
    nodes[0] = edges[0] = 0;
    MPI_Graph_map(MPI_COMM_WORLD, 1, nodes, edges, &place);
    say("in the graph: %d", place == MPI_UNDEFINED ? -1 : place);
    MPI_Comm_free(&ring);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
