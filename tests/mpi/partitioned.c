/* ranks: 1 2 5 */
/* check: leak */
/* Partitioned communication: equal and unequal cuts, parts in any order, several rounds,
 * partners that are nobody, data with holes. Every rank sends to its right neighbour. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 6, EACH = 40, ROUNDS = 3 };

static void report(int rank, int size, const char *what, int mistakes)
{
    int all = 0;
    MPI_Reduce(&mistakes, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s on %d ranks: %d mistakes\n", what, size, all);
}

/* Both sides cut alike; parts become ready from the last to the first. */
static int equal_cuts(int left, int right, int rank, int size)
{
    int *out = malloc(PARTS * EACH * sizeof *out), *in = malloc(PARTS * EACH * sizeof *in);
    int mistakes = 0;
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Psend_init(out, PARTS, EACH, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(in, PARTS, EACH, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(2, request);
        for (int part = PARTS - 1; part >= 0; part--) {
            for (int i = 0; i < EACH; i++)
                out[part * EACH + i] = rank * 10000 + round * 1000 + part * EACH + i;
            MPI_Pready(part, request[0]);
        }
        for (int part = 0; part < PARTS; part++) {
            int flag = 0;
            while (!flag)
                MPI_Parrived(request[1], part, &flag);
            for (int i = 0; i < EACH; i++)
                mistakes += in[part * EACH + i] != left * 10000 + round * 1000 + part * EACH + i;
        }
        MPI_Waitall(2, request, status);
        int count;
        MPI_Get_count(&status[1], MPI_INT, &count);
        mistakes += count != PARTS * EACH || status[1].MPI_SOURCE != left || status[1].MPI_TAG != 5;
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    free(out);
    free(in);
    return mistakes + (size < 1);
}

/* The sender has many small parts, the receiver few large ones; ready by range and by list. */
static int unequal_cuts(int left, int right, int rank)
{
    double out[12 * 5], in[60];
    int mistakes = 0;
    const int some[] = {0, 11, 2, 1};
    MPI_Request request[2];
    for (int i = 0; i < 60; i++) {
        out[i] = rank + i / 100.0;
        in[i] = -1;
    }
    MPI_Precv_init(in, 3, 20, MPI_DOUBLE, left, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Psend_init(out, 12, 5, MPI_DOUBLE, right, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Start(&request[1]);
    MPI_Start(&request[0]);
    MPI_Pready_list(4, some, request[0]);
    MPI_Pready_range(3, 10, request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 60; i++)
        mistakes += in[i] != left + i / 100.0;
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    return mistakes;
}

/* Every second integer, on both sides. */
static int holes(int left, int right, int rank)
{
    int out[64], in[64], mistakes = 0;
    MPI_Datatype strided;
    MPI_Request request[2];
    MPI_Type_vector(4, 1, 2, MPI_INT, &strided);
    MPI_Type_create_resized(strided, 0, 8 * sizeof(int), &strided);
    MPI_Type_commit(&strided);
    for (int i = 0; i < 64; i++) {
        out[i] = rank * 100 + i;
        in[i] = -1;
    }
    MPI_Psend_init(out, 4, 2, strided, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(in, 2, 4, strided, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Startall(2, request);
    MPI_Pready_range(0, 3, request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 64; i++)
        mistakes += in[i] != (i % 2 ? -1 : left * 100 + i);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Type_free(&strided);
    return mistakes;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    report(rank, size, "equal cuts", equal_cuts(left, right, rank, size));
    report(rank, size, "unequal cuts", unequal_cuts(left, right, rank));
    report(rank, size, "data with holes", holes(left, right, rank));
    MPI_Finalize();
    return 0;
}
