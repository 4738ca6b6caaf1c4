/* A global that every rank changes, for runs with and without privacy. */
#include <mpi.h>
#include <stdio.h>

static int mine = 3;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine += rank;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("mine %d %s\n", mine, argc > 1 ? argv[1] : "alone");
    MPI_Finalize();
    return 0;
}
