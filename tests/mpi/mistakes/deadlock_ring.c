/* ranks: 3 */
/* Each sends to the next, and none receives before its own message is taken. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = rank;
    MPI_Ssend(&out, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
