/* ranks: 4 */
/* exit: 139 */
/* Rank 2 crashes after a receive that it need not have waited for. The report comes in its turn. */
#include <mpi.h>
#include <stdio.h>

static volatile double sink;

static void work(void)
{
    for (int i = 0; i < 20000; i++)
        sink += i * 0.5;
}

int main(int argc, char **argv)
{
    int rank, token = 0, *nowhere = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 5; step++) {
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work();
        if (rank == 2 && step == 3)
            *nowhere = token;
        if (rank < 3)
            MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        work();
        printf("rank %d, step %d\n", rank, step);
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
