/* ranks: 3 */
/* exit: 3 */
/* After a few rounds everybody waits for somebody. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 4; round++) {
        int next = (rank + 1) % size, last = (rank + size - 1) % size;
        if (round < 3)
            MPI_Send(&rank, 1, MPI_INT, next, round, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, last, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 10000; i++)
            x = x * 1.0000001 + token;
        printf("rank %d, round %d: %.9g\n", rank, round, x);
    }
    MPI_Finalize();
    return 0;
}
