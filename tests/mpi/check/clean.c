/* ranks: 3 */
/* Much that looks like a mistake and is none. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Which message comes first decides nothing: if sends waited, the other would have come first. */
static void any_order(int rank)
{
    int number = rank;
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* A message to itself that is tested for before it is received. */
static void itself(void)
{
    int sent = 1, received, flag;
    MPI_Request request;
    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Buffered sends wait for nobody. */
static void buffered(int rank, int size)
{
    int space = 100 + MPI_BSEND_OVERHEAD, number = rank, left = (rank + size - 1) % size;
    void *buffer = malloc(space);
    MPI_Buffer_attach(buffer, space);
    MPI_Bsend(&number, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &space);
    free(buffer);
}

/* Packed data meets any types, a longer receive a shorter message, two sends share a buffer. */
static void types(int rank)
{
    char packed[64];
    int place = 0, numbers[9] = {1, 2, 3};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Pack(numbers, 3, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);
        MPI_Isend(packed, place, MPI_PACKED, 1, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(packed, place, MPI_PACKED, 2, 4, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(numbers, 9, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Persistent requests, left and right at once, in place of each other's buffers only in turn. */
static void persistent(int rank, int size)
{
    int cells[4] = {0};
    MPI_Request requests[4];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Send_init(&cells[1], 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&cells[2], 1, MPI_INT, right, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&cells[0], 1, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(&cells[3], 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[3]);
    for (int step = 0; step < 3; step++) {
        cells[1] = cells[2] = step;
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

/* Collectives in place, with parts of a size each, of types that are spelled differently. */
static void collectives(int rank, int size)
{
    int counts[8], places[8], all[64] = {0}, total = 0;
    MPI_Datatype pair;
    MPI_Request request;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < size; i++) {
        counts[i] = 2 * i;
        places[i] = total;
        total += 2 * i;
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INT,
                   MPI_COMM_WORLD);
    int own[16] = {0};
    MPI_Gatherv(own, rank, pair, all, counts, places, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ibcast(all, 2, rank ? MPI_INT : MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
}

/* A receive that is cancelled, and a probe whose message is received. */
static void cancelled(int rank)
{
    int number = rank;
    MPI_Request request;
    MPI_Message message;
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Mprobe(1, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    any_order(rank);
    itself();
    buffered(rank, size);
    types(rank);
    persistent(rank, size);
    collectives(rank, size);
    cancelled(rank);
    MPI_Finalize();
    return 0;
}
