/* ranks: 4 */
/* The root broadcasts integers that others take for floating-point numbers, twice. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, step, numbers[4] = {1, 2, 3, 4};
    float values[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (step = 0; step < 2; step++) {
        if (rank == 0)
            MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
        else
            MPI_Bcast(values, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
