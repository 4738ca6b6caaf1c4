/* ranks: 2 */
/* One rank broadcasts while the other reduces. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, many[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(many, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(many, many + 8, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    (void)value;
    (void)many;
    MPI_Finalize();
    return 0;
}
