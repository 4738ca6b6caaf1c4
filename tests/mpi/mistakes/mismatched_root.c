/* ranks: 3 */
/* Ranks do not agree on the root of a broadcast. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&number, 1, MPI_INT, rank == 2 ? 1 : 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
