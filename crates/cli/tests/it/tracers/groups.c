/* Messages between two groups, and messages that were withdrawn. */
#include <mpi.h>

static char own[4096], other[4096];

/* Each rank of the lower half talks to the one of the upper half that has its number. */
static void between(MPI_Comm both, int rank, int size) {
    MPI_Request requests[2];
    MPI_Comm copy, all;
    MPI_Status status;
    int sum = 0, is_low = rank < size / 2, peer = is_low ? rank : rank - size / 2;
    MPI_Sendrecv(own, 10, MPI_CHAR, peer, 7, other, 10, MPI_CHAR, peer, 7, both, MPI_STATUS_IGNORE);
    MPI_Irecv(other, 20, MPI_CHAR, MPI_ANY_SOURCE, 8, both, &requests[0]);
    MPI_Isend(own, 20, MPI_CHAR, peer, 8, both, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_dup(both, &copy);
    if (is_low) MPI_Send(own, 30, MPI_CHAR, peer, 9, copy);
    else MPI_Recv(other, 30, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &status);
    MPI_Barrier(copy);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Intercomm_merge(both, !is_low, &all);
    MPI_Bcast(own, 40, MPI_CHAR, 0, all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
}

/* Receives that get nothing, before ones for the same messages that do. */
static void withdrawn(int rank) {
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int flag;
    if (rank == 1) {
        MPI_Irecv(other, 50, MPI_CHAR, 0, 20, MPI_COMM_WORLD, &requests[0]);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Irecv(other, 55, MPI_CHAR, 0, 23, MPI_COMM_WORLD, &requests[0]);
        MPI_Cancel(&requests[0]);
        MPI_Request_free(&requests[0]);
        MPI_Irecv(other, 51, MPI_CHAR, 0, 21, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(other, 52, MPI_CHAR, 0, 21, MPI_COMM_WORLD, &requests[1]);
        MPI_Recv_init(other, 53, MPI_CHAR, 0, 22, MPI_COMM_WORLD, &requests[2]);
        MPI_Start(&requests[2]);
        MPI_Cancel(&requests[0]);
        MPI_Cancel(&requests[2]);
        MPI_Sendrecv(own, 1, MPI_CHAR, 0, 1, other, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        MPI_Start(&requests[2]);
        MPI_Waitall(3, requests, statuses);
        MPI_Request_free(&requests[2]);
        MPI_Irecv(other, 54, MPI_CHAR, 0, 20, MPI_COMM_WORLD, &requests[0]);
        MPI_Sendrecv(own, 1, MPI_CHAR, 0, 2, other, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* The younger one first. */
        MPI_Irecv(other, 60, MPI_CHAR, 0, 24, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(other + 100, 61, MPI_CHAR, 0, 24, MPI_COMM_WORLD, &requests[2]);
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        /* Too late: it has come. */
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], statuses);
    }
    if (rank == 0) {
        MPI_Sendrecv(own, 1, MPI_CHAR, 1, 1, other, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(own, 21, MPI_CHAR, 1, 21, MPI_COMM_WORLD);
        MPI_Send(own, 22, MPI_CHAR, 1, 22, MPI_COMM_WORLD);
        MPI_Send(own, 20, MPI_CHAR, 1, 20, MPI_COMM_WORLD);
        MPI_Sendrecv(own, 1, MPI_CHAR, 1, 2, other, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(own, 60, MPI_CHAR, 1, 24, MPI_COMM_WORLD);
        MPI_Send(own, 61, MPI_CHAR, 1, 24, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    MPI_Comm half, both;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < size / 2 ? size / 2 : 0, 99, &both);
    between(both, rank, size);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    withdrawn(rank);
    MPI_Finalize();
    return 0;
}
