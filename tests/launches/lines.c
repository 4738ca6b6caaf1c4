/* Calls from two lines, then a crash if one is asked for. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    meet();
    for (int i = 0; i < 2; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && argc > 1 && !strcmp(argv[1], "crash"))
        *(volatile int *)8 = 3;
    if (rank == 1 && argc > 1 && !strcmp(argv[1], "abort"))
        abort();
    MPI_Finalize();
    return 0;
}
