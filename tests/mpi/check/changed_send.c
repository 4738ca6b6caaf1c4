/* ranks: 2 */
/* A counter is sent again and again, and changed before the send is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, counter = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        MPI_Request request;
        if (rank == 0) {
            MPI_Isend(&counter, 1, MPI_INT, 1, step, MPI_COMM_WORLD, &request);
            counter++;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&counter, 1, MPI_INT, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
