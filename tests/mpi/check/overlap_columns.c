/* ranks: 2 */
/* A column of a matrix is received while its neighbours are sent, which is right, and while a row
   that crosses it is sent, which is not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double matrix[4][6] = {{0}};
    MPI_Datatype column;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 6, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    int other = 1 - rank;
    MPI_Irecv(&matrix[0][2], 1, column, other, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&matrix[0][1], 1, column, other, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(&matrix[0][3], 1, column, other, 1, &matrix[0][5], 1, column, other, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(matrix[1], 6, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Recv(matrix[1], 6, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
