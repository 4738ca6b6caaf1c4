/* ranks: 2 */
/* Two receives under way share two elements. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[8] = {0};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(numbers + 2, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
