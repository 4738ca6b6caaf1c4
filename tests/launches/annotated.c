/* A program annotated for SMPI: loops that are sampled, costs that are told, shared memory. */
#include <smpi/smpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, runs = 0, all = 0, i;
    double *shared, start, end;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SMPI_SAMPLE_LOCAL(i = 0, i < 100, i++, 5, -1)
    {
        runs++;
    }
    SMPI_SAMPLE_GLOBAL(i = 0, i < 100, i++, 6, -1)
    {
        all++;
    }
    start = MPI_Wtime();
    SMPI_SAMPLE_DELAY(0.25)
    {
        runs = 1000;
    }
    smpi_execute_flops(5e9);
    end = MPI_Wtime();
    shared = SMPI_SHARED_MALLOC(1 << 20);
    shared[0] = 1;
    SMPI_SHARED_FREE(shared);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d ran %d times, all %d, took %.3f s\n", rank, runs, all, end - start);
    MPI_Finalize();
    return 0;
}
