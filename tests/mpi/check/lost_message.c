/* ranks: 3 */
/* The last message of every worker is never received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        for (int step = 0; step < 3; step++)
            MPI_Send(&number, 1, MPI_INT, 0, step, MPI_COMM_WORLD);
    else
        for (int message = 0; message < 4; message++)
            MPI_Recv(&number, 1, MPI_INT, 1 + message % 2, message / 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
