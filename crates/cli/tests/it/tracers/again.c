/* Collectives that are begun again and again, those of many types, and a copy that is made beside. */
#include <mpi.h>

enum { ROOM = 4096, COUNT = 64 };

static double own[ROOM], other[32][ROOM];
static int counts[COUNT], places[COUNT];
static MPI_Datatype types[COUNT];

static void by_types(MPI_Comm comm, int size, int rank) {
    MPI_Request request;
    for (int i = 0; i < size; i++) {
        counts[i] = 1 + (i + rank) % 2, places[i] = 64 * i;
        types[i] = (i + rank) % 2 ? MPI_DOUBLE : MPI_INT;
    }
    MPI_Alltoallw(own, counts, places, types, other[0], counts, places, types, comm);
    MPI_Alltoallw(MPI_IN_PLACE, 0, 0, 0, other[0], counts, places, types, comm);
    MPI_Ialltoallw(own, counts, places, types, other[1], counts, places, types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One of each kind, the first ones twice: MPICH 4.0 starts others once only. */
static void again(MPI_Comm comm, int size, int rank) {
#if MPI_VERSION >= 4
    MPI_Request all[20], *next = all;
    MPI_Info none = MPI_INFO_NULL;
    for (int i = 0; i < size; i++) counts[i] = 2, places[i] = 2 * i, types[i] = MPI_INT;
    MPI_Barrier_init(comm, none, next++);
    MPI_Bcast_init(other[0], 100, MPI_DOUBLE, 1, comm, none, next++);
    MPI_Reduce_init(own, other[1], 10, MPI_DOUBLE, MPI_MAX, 0, comm, none, next++);
    MPI_Allreduce_init(own, other[2], 100, MPI_FLOAT, MPI_SUM, comm, none, next++);
    MPI_Scan_init(own, other[3], 1, MPI_DOUBLE, MPI_SUM, comm, none, next++);
    MPI_Exscan_init(own, other[4], 1, MPI_DOUBLE, MPI_SUM, comm, none, next++);
    MPI_Allgather_init(own, 4, MPI_DOUBLE, other[5], 4, MPI_DOUBLE, comm, none, next++);
    MPI_Alltoall_init(own, 8, MPI_CHAR, other[6], 8, MPI_CHAR, comm, none, next++);
    MPI_Gather_init(own, 2, MPI_DOUBLE, other[7], 2, MPI_DOUBLE, 0, comm, none, next++);
    MPI_Scatter_init(own, 2, MPI_DOUBLE, other[8], 2, MPI_DOUBLE, 0, comm, none, next++);
    MPI_Gatherv_init(own, 2, MPI_DOUBLE, other[9], counts, places, MPI_DOUBLE, 0, comm, none, next++);
    MPI_Scatterv_init(own, counts, places, MPI_DOUBLE, other[10], 2, MPI_DOUBLE, 0, comm, none, next++);
    MPI_Allgatherv_init(own, 2, MPI_DOUBLE, other[11], counts, places, MPI_DOUBLE, comm, none, next++);
    MPI_Reduce_scatter_init(own, other[12], counts, MPI_DOUBLE, MPI_SUM, comm, none, next++);
    MPI_Reduce_scatter_block_init(own, other[13], 2, MPI_DOUBLE, MPI_SUM, comm, none, next++);
    MPI_Alltoallv_init(own, counts, places, MPI_INT, other[14], counts, places, MPI_INT, comm, none, next++);
    for (int i = 0; i < size; i++) places[i] = 8 * i;
    MPI_Alltoallw_init(own, counts, places, types, other[15], counts, places, types, comm, none, next++);
    MPI_Recv_init(other[16], 3, MPI_DOUBLE, rank, 5, comm, next++);
    MPI_Send_init(own, 3, MPI_DOUBLE, rank, 5, comm, next++);
    MPI_Startall(next - all, all);
    MPI_Waitall(next - all, all, MPI_STATUSES_IGNORE);
    MPI_Startall(9, all);
    MPI_Waitall(9, all, MPI_STATUSES_IGNORE);
    MPI_Start(&all[3]);
    MPI_Wait(&all[3], MPI_STATUS_IGNORE);
    while (next > all) MPI_Request_free(--next);
#else
    MPI_Request sum;
    MPI_Iallreduce(own, other[0], size, MPI_DOUBLE, MPI_SUM, comm, &sum);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    (void)rank;
#endif
}

/* Calls with large counts. */
static void large(MPI_Comm comm, int size, int rank) {
#if MPI_VERSION >= 4
    MPI_Count many[COUNT];
    MPI_Aint where[COUNT];
    MPI_Request requests[2];
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < size; i++) many[i] = 3, where[i] = 3 * i;
    MPI_Irecv_c(other[0], 9, MPI_DOUBLE, last, 30, comm, &requests[0]);
    MPI_Isend_c(own, 9, MPI_DOUBLE, next, 30, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce_c(own, other[0], 9, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Ialltoallv_c(own, many, where, MPI_INT, other[0], many, where, MPI_INT, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#else
    (void)comm, (void)size, (void)rank;
#endif
}

int main(int argc, char **argv) {
    MPI_Comm half, copy;
    MPI_Request request;
    int rank, size, half_rank, half_size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_idup(half, &copy, &request);
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(copy, &half_rank);
    MPI_Comm_size(copy, &half_size);
    by_types(MPI_COMM_WORLD, size, rank);
    by_types(copy, half_size, half_rank);
    again(MPI_COMM_WORLD, size, rank);
    again(copy, half_size, half_rank);
    large(MPI_COMM_WORLD, size, rank);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
