/* Twice the same work between two barriers; region factors tell the two apart. */
#include <mpi.h>
#include <stdio.h>

static void work(void)
{
    volatile double sum = 0;
    for (int i = 0; i < 10000000; i++)
        sum += i;
}

int main(int argc, char **argv)
{
    double start, middle, end;
    MPI_Init(&argc, &argv);
    start = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    middle = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD); /* line 21 */
    work();
    MPI_Barrier(MPI_COMM_WORLD); /* line 23 */
    end = MPI_Wtime();
    printf("%d\n", (middle - start) / (end - middle) > 20);
    MPI_Finalize();
    return 0;
}
