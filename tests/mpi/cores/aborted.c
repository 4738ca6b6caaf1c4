/* ranks: 3 */
/* exit: 5 */
/* Rank 1 ends the run while rank 2, whose message is on its way, would crash or never end. */
#include <mpi.h>
#include <stdio.h>

static volatile int forever = 1;

int main(int argc, char **argv)
{
    int rank, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        static char large[1 << 20];
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(large, sizeof large, MPI_CHAR, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts("rank 1 gives up");
        MPI_Abort(MPI_COMM_WORLD, 5);
    } else {
        static char large[1 << 20];
        MPI_Recv(large, sizeof large, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (forever)
            ;
    }
    MPI_Finalize();
    return 0;
}
