/* ranks: 2 6 12 */
/* A wavefront with computing between calls, and lines printed on the way: whatever runs where, the
   output and the dates are the same. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 400, STEPS = 12 };

static double field[CELLS];
static int calls;

static void compute(double seed)
{
    calls++;
    for (int i = 0; i < CELLS; i++)
        field[i] = sin(field[i] + seed) + 0.5 * field[(i * 7 + 3) % CELLS];
}

static double sum(void)
{
    double total = 0;
    for (int i = 0; i < CELLS; i++)
        total += field[i];
    return total;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < CELLS; i++)
        field[i] = rank + i;
    double *all = malloc(2 * size * sizeof *all), *from_all = malloc(2 * size * sizeof *all);
    for (int step = 0; step < STEPS; step++) {
        double edge[8] = {0};
        MPI_Status status;
        if (rank > 0) {
            MPI_Recv(edge, 8, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, &status);
            int count;
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            if (count != 8 || status.MPI_SOURCE != rank - 1 || status.MPI_TAG != step)
                printf("rank %d: a wrong status\n", rank);
        }
        compute(edge[step % 8]);
        memcpy(edge, field, sizeof edge);
        if (rank + 1 < size)
            MPI_Send(edge, 8, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD);
        memset(edge, 0, sizeof edge);
        compute(1.0);
        if (step % 5 == 2)
            printf("rank %d, step %d: %.12g at %.9f\n", rank, step, sum(), MPI_Wtime());

        /* Around the ring, with requests. */
        double sent = sum(), came = 0;
        MPI_Request receive, send;
        MPI_Irecv(&came, 1, MPI_DOUBLE, (rank + size - 1) % size, 99, MPI_COMM_WORLD, &receive);
        MPI_Isend(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 99, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, &status);
        if (receive != MPI_REQUEST_NULL || status.MPI_TAG != 99)
            printf("rank %d: a wait that left something\n", rank);
        compute(came);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        compute(0.1);

        for (int i = 0; i < 2 * size; i++)
            all[i] = rank * 1000 + i + field[i % CELLS];
        MPI_Alltoall(all, 2, MPI_DOUBLE, from_all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < 2 * size; i++)
            all[i] = -1;
        for (int i = 0; i < 2 * size; i++)
            compute(from_all[i] * 1e-6);
        double part = sum(), whole = 0;
        MPI_Reduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, step % size, MPI_COMM_WORLD);
        part = 0;
        compute(0.2);
        if (rank == step % size)
            printf("rank %d: all have %.10g\n", rank, whole);
        MPI_Barrier(MPI_COMM_WORLD);
        compute(0.3);
    }
    printf("rank %d: %d calls, %.12g\n", rank, calls, sum());
    free(all);
    free(from_all);
    MPI_Finalize();
    return 0;
}
