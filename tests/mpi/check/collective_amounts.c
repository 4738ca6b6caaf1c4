/* ranks: 3 */
/* A rank sends two numbers where another expects one twice as long, on a communicator with a name. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, pair[2] = {1, 2};
    long long all[8];
    MPI_Comm work;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &work);
    MPI_Comm_set_name(work, "work");
    MPI_Comm_rank(work, &rank);
    MPI_Comm_size(work, &size);
    int counts[8], places[8];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    MPI_Gatherv(pair, 2, MPI_INT, all, counts, places, MPI_LONG_LONG, 1, work);
    MPI_Comm_free(&work);
    MPI_Finalize();
    return 0;
}
