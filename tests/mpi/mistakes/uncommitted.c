/* ranks: 2 */
/* A datatype that was not committed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Send(many, 1, pair, 1 - rank, 5, MPI_COMM_WORLD);
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
