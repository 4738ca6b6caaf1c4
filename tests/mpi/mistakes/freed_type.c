/* ranks: 2 */
/* A datatype is used after it was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int numbers[2] = {1, 2};
    MPI_Datatype pair, same;
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    same = pair;
    MPI_Type_free(&pair);
    MPI_Bcast(numbers, 1, same, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
