/* ranks: 2 */
/* A request is freed, and its copy is waited for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request, copy;
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
