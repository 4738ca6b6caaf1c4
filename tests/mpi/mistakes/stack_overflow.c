/* ranks: 2 */
/* Recursion without end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int deeper(int depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return deeper(depth + 1) + room[0];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        printf("%d\n", deeper(0));
    MPI_Finalize();
    return 0;
}
