/* ranks: 2 */
/* The message is sent on one communicator and awaited on a copy of it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 4;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 3, copy, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
