/* ranks: 2 */
/* A structure of an int and two doubles is received as an int and three floats. */
#include <mpi.h>
#include <stddef.h>

struct sent {
    int number;
    double values[2];
};

struct expected {
    int number;
    float values[4];
};

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 2}, more[2] = {1, 4};
    MPI_Aint places[2] = {0, offsetof(struct sent, values)};
    MPI_Aint others[2] = {0, offsetof(struct expected, values)};
    MPI_Datatype doubles[2] = {MPI_INT, MPI_DOUBLE}, floats[2] = {MPI_INT, MPI_FLOAT}, type;
    struct sent sent = {1, {2, 3}};
    struct expected expected;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Type_create_struct(2, lengths, places, doubles, &type);
        MPI_Type_commit(&type);
        MPI_Send(&sent, 1, type, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Type_create_struct(2, more, others, floats, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(&expected, 1, type, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
