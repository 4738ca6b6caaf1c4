/* Collectives that go on beside the ranks, on all of them and on every other one. */
#include <mpi.h>

enum { ROOM = 4096, COUNT = 64 };

static double own[ROOM], other[32][ROOM];

/* One of each kind at a time, waited for all together. */
static void all_kinds(MPI_Comm comm) {
    MPI_Request all[16], *next = all;
    int size, rank, counts[COUNT], places[COUNT];
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < size; i++) counts[i] = i, places[i] = i * i;
    MPI_Ibarrier(comm, next++);
    MPI_Ibcast(other[0], 100, MPI_DOUBLE, 1, comm, next++);
    MPI_Ireduce(own, other[1], 10, MPI_DOUBLE, MPI_MAX, 0, comm, next++);
    MPI_Iallreduce(own, other[2], 100, MPI_FLOAT, MPI_SUM, comm, next++);
    MPI_Iscan(own, other[3], 1, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Iexscan(own, other[4], 1, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Iallgather(own, 4, MPI_DOUBLE, other[5], 4, MPI_DOUBLE, comm, next++);
    MPI_Ialltoall(own, 8, MPI_CHAR, other[6], 8, MPI_CHAR, comm, next++);
    MPI_Igather(own, 2, MPI_DOUBLE, other[7], 2, MPI_DOUBLE, 0, comm, next++);
    MPI_Iscatter(own, 2, MPI_DOUBLE, other[8], 2, MPI_DOUBLE, 0, comm, next++);
    MPI_Igatherv(own, rank, MPI_DOUBLE, other[9], counts, places, MPI_DOUBLE, 0, comm, next++);
    MPI_Iscatterv(own, counts, places, MPI_DOUBLE, other[10], rank, MPI_DOUBLE, 0, comm, next++);
    MPI_Iallgatherv(own, rank, MPI_DOUBLE, other[11], counts, places, MPI_DOUBLE, comm, next++);
    MPI_Ireduce_scatter(own, other[12], counts, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Ireduce_scatter_block(own, other[13], 2, MPI_DOUBLE, MPI_SUM, comm, next++);
    for (int i = 0; i < size; i++) counts[i] = 2, places[i] = 2 * i;
    MPI_Ialltoallv(own, counts, places, MPI_INT, other[14], counts, places, MPI_INT, comm, next++);
    MPI_Waitall(next - all, all, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Request sum, both[2];
    MPI_Comm half;
    int rank, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Iallreduce(own, other[0], 1000, MPI_DOUBLE, MPI_SUM, half, &sum);
        MPI_Ibcast(other[1], 500, MPI_DOUBLE, 0, MPI_COMM_WORLD, &both[0]);
        MPI_Irecv(other[2], 3, MPI_DOUBLE, rank, 5, MPI_COMM_WORLD, &both[1]);
        MPI_Send(own, 3, MPI_DOUBLE, rank, 5, MPI_COMM_WORLD);
        for (flag = 0; !flag;) MPI_Test(&sum, &flag, MPI_STATUS_IGNORE);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    all_kinds(half);
    all_kinds(MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
