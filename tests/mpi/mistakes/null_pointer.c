/* ranks: 2 */
/* A rank writes through a null pointer. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *volatile nowhere = NULL;
    if (rank == 1)
        *nowhere = 1;
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
