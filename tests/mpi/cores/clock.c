/* ranks: 2 4 */
/* A loop that waits for a date: after many readings each takes time by itself, in the turn of its
   rank, whether or not the rank went ahead of the readings before. */
#include <mpi.h>
#include <stdio.h>

static double field[20000];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        long readings = 0;
        double begin = MPI_Wtime(), now = begin;
        for (; now - begin < 0.002 * (rank + 1); readings++) {
            for (int i = 0; readings % 100 == 0 && i < 20000; i++)
                field[i] += now * (i + 1);
            now = MPI_Wtime();
        }
        for (int turn = 0; turn < size; turn++) {
            if (turn == rank)
                printf("rank %d, step %d: %ld readings, until %.12f, %.17g\n", rank, step, readings, now, field[7]);
            fflush(stdout);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
