/* ranks: 2 */
/* One rank wants the sum, the other the largest; both results are nonsense. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mine = 1.5, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
