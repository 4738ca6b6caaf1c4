/* Collectives of neighbours, of every kind, on a torus, a graph and a distributed graph.
 *
 * neighbours TURNS COUNT */
#include <mpi.h>
#include <stdlib.h>

enum { ROOM = 64 };

static double *own, *other[8];
static int even[ROOM], places[ROOM];
static MPI_Aint bytes[ROOM];
static MPI_Datatype types[ROOM];

/* All at once, and messages of the same ranks among them. */
static void beside(MPI_Comm comm, int count) {
    MPI_Request all[7];
    int rank, size, flag = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Ineighbor_allgather(own, count, MPI_DOUBLE, other[0], count, MPI_DOUBLE, comm, &all[0]);
    MPI_Irecv(other[5], count, MPI_DOUBLE, (rank + 1) % size, 3, comm, &all[5]);
    MPI_Isend(own, count, MPI_DOUBLE, (rank + size - 1) % size, 3, comm, &all[6]);
    MPI_Ineighbor_allgatherv(own, count, MPI_DOUBLE, other[1], even, places, MPI_DOUBLE, comm, &all[1]);
    MPI_Ineighbor_alltoall(own, 2, MPI_DOUBLE, other[2], 2, MPI_DOUBLE, comm, &all[2]);
    MPI_Ineighbor_alltoallv(own, even, places, MPI_DOUBLE, other[3], even, places, MPI_DOUBLE, comm, &all[3]);
    MPI_Ineighbor_alltoallw(own, even, bytes, types, other[4], even, bytes, types, comm, &all[4]);
    while (!flag) MPI_Test(&all[2], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(7, all, MPI_STATUSES_IGNORE);
}

static void all_kinds(MPI_Comm comm, int count) {
    MPI_Neighbor_allgather(own, count, MPI_DOUBLE, other[0], count, MPI_DOUBLE, comm);
    MPI_Neighbor_allgatherv(own, count, MPI_DOUBLE, other[1], even, places, MPI_DOUBLE, comm);
    MPI_Neighbor_alltoall(own, 2, MPI_DOUBLE, other[2], 2, MPI_DOUBLE, comm);
    MPI_Neighbor_alltoallv(own, even, places, MPI_DOUBLE, other[3], even, places, MPI_DOUBLE, comm);
    MPI_Neighbor_alltoallw(own, even, bytes, types, other[4], even, bytes, types, comm);
}

static void again(MPI_Comm comm, int turns, int count) {
#if MPI_VERSION >= 4
    MPI_Request all[3];
    MPI_Info none = MPI_INFO_NULL;
    MPI_Neighbor_allgather_init(own, count, MPI_DOUBLE, other[0], count, MPI_DOUBLE, comm, none, &all[0]);
    MPI_Neighbor_alltoallv_init(own, even, places, MPI_DOUBLE, other[1], even, places, MPI_DOUBLE, comm, none,
                                &all[1]);
    MPI_Neighbor_alltoallw_init(own, even, bytes, types, other[2], even, bytes, types, comm, none, &all[2]);
    for (int turn = 0; turn < turns; turn++) {
        MPI_Startall(3, all);
        MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++) MPI_Request_free(&all[i]);
#else
    (void)comm, (void)turns, (void)count;
#endif
}

static void on(MPI_Comm comm, int turns, int count) {
    for (int turn = 0; turn < turns; turn++) {
        all_kinds(comm, count);
        beside(comm, count);
    }
    again(comm, turns, count);
    MPI_Comm_free(&comm);
}

/* Everybody has the next and the last one as neighbours; of two ranks, these are the same. */
static MPI_Comm ring(int rank, int size) {
    MPI_Comm comm;
    int *index = malloc(size * sizeof(int)), *edges = malloc(2 * size * sizeof(int));
    for (int i = 0; i < size; i++)
        index[i] = 2 * i + 2, edges[2 * i] = (i + 1) % size, edges[2 * i + 1] = (i + size - 1) % size;
    (void)rank;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    free(index);
    free(edges);
    return comm;
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    int rank, size, turns, count, dims[2] = {0, 0}, periods[2] = {1, 0};
    MPI_Init(&argc, &argv);
    turns = argc > 1 ? atoi(argv[1]) : 2, count = argc > 2 ? atoi(argv[2]) : 128;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = calloc(ROOM * count, sizeof(double));
    for (int i = 0; i < 8; i++) other[i] = calloc(ROOM * count, sizeof(double));
    for (int i = 0; i < ROOM; i++)
        even[i] = count, places[i] = i * count, bytes[i] = 8 * i * count, types[i] = MPI_DOUBLE;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    on(comm, turns, count);
    on(ring(rank, size), turns, count);
    /* One way: to the next two, from the last two. */
    int to[2] = {(rank + 1) % size, (rank + 2) % size}, from[2] = {(rank + size - 1) % size, (rank + size - 2) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &comm);
    on(comm, turns, count);
    MPI_Finalize();
    return 0;
}
