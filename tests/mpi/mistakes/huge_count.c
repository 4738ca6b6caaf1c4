/* ranks: 2 */
/* A count that is far too large for its buffer. */
#include <limits.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&number, INT_MAX, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
