/* ranks: 2 */
/* Memory is freed twice: the C library notices and aborts. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    char *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memory = malloc(5000);
    free(memory);
    if (rank == 1)
        free(memory);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
