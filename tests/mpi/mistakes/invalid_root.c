/* ranks: 2 */
/* The root of a broadcast is no rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int number = 0;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&number, 1, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
