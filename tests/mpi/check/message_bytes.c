/* ranks: 3 */
/* What was sent as numbers is received as bytes, by two ranks at the same line. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[2] = {1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (int to = 1; to < 3; to++)
            MPI_Send(numbers, 2, MPI_INT, to, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(numbers, sizeof numbers, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
