/* ranks: 2 */
/* A message is longer than the buffer of its receive. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(many, 8, MPI_INT, 1, 5, MPI_COMM_WORLD);
    else
        MPI_Recv(many, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
