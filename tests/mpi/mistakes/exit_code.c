/* ranks: 2 */
/* A rank leaves with a code of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 1)
        exit(4);
    return 0;
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
