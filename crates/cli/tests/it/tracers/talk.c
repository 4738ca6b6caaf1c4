/* Every kind of call that a trace of a real run tells, once. */
#include <mpi.h>

enum { ROOM = 4096 };

static double own[ROOM], other[ROOM];

static void messages(int rank, int size, MPI_Comm copy) {
    MPI_Request requests[2], kept;
    int next = (rank + 1) % size, last = (rank + size - 1) % size, index, flag = 0;
    MPI_Irecv(other, ROOM, MPI_DOUBLE, last, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(own, 1000, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(own, 10, MPI_INT, next, 4, other, 20, MPI_INT, last, 4, copy, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Ssend(own, 5, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(other, ROOM, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(own, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Send_init(own, 7, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &kept);
    if (rank == 1) MPI_Recv_init(other, 7, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &kept);
    for (int turn = 0; turn < 2 && rank < 2; turn++) {
        MPI_Start(&kept);
        MPI_Waitany(1, &kept, &index, MPI_STATUS_IGNORE);
    }
    if (rank < 2) MPI_Request_free(&kept);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Isend(own, 3, MPI_SHORT, 1, 6, MPI_COMM_WORLD, &kept);
    if (rank == 1) MPI_Recv(other, 3, MPI_SHORT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    /* It has long been done. */
    if (rank == 0) MPI_Wait(&kept, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Test(&kept, &flag, MPI_STATUS_IGNORE);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Message message = MPI_MESSAGE_NULL;
        if (rank == 0) MPI_Send(own, 2 + turn, MPI_DOUBLE, 1, 11 + turn, copy);
        if (rank != 1) continue;
        if (turn == 0) {
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(other, ROOM, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        } else {
            for (flag = 0; !flag;) MPI_Improbe(0, 12, copy, &flag, &message, MPI_STATUS_IGNORE);
            MPI_Imrecv(other, ROOM, MPI_DOUBLE, &message, &kept);
            MPI_Wait(&kept, MPI_STATUS_IGNORE);
        }
    }
}

static void collectives(int rank, int size, MPI_Comm half) {
    int counts[64], places[64];
    for (int i = 0; i < size; i++) counts[i] = i, places[i] = i * i;
    MPI_Bcast(own, 100, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Allreduce(own, other, 100, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(own, other, 10, MPI_DOUBLE, MPI_MAX, 0, half);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, 4, MPI_DOUBLE, half);
    MPI_Alltoall(own, 8, MPI_CHAR, other, 8, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Allgatherv(own, rank, MPI_DOUBLE, other, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Gatherv(own, rank, MPI_DOUBLE, other, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(own, 2, MPI_DOUBLE, other, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(own, other, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(own, other, 1, MPI_DOUBLE, MPI_SUM, half);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Comm half, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    messages(rank, size, copy);
    collectives(rank, size, half);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
