/* ranks: 2 */
/* A broadcast writes where a non-blocking reduction still reads; and two buffers of one exchange
   overlap. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum[4], numbers[8] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallreduce(numbers, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Bcast(numbers + 3, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(numbers, 4, MPI_INT, 1 - rank, 0, numbers + 2, 4, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
