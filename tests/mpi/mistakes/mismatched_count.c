/* ranks: 2 */
/* The root of a broadcast sends more than another rank makes room for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(numbers, rank == 0 ? 8 : 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
