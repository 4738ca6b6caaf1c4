/* ranks: 2 */
/* A communicator is used through another variable after it was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm comm, same;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    same = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(same);
    MPI_Finalize();
    return 0;
}
