/* ranks: 2 */
/* One of each object is made and left behind; the freed ones are not told. */
#include <mpi.h>

static void add(void *in, void *out, int *count, MPI_Datatype *type) {}
static void handle(MPI_Comm *comm, int *code, ...) {}

int main(int argc, char **argv)
{
    int rank, number = 0, memory[4];
    MPI_Comm copy;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler, freed;
    MPI_Win window;
    MPI_File file;
    MPI_Request request, persistent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Op_create(add, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_create_errhandler(handle, &freed);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, freed);
    MPI_Errhandler_free(&freed);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv_init(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &persistent);
    for (int i = 0; i < 3; i++) {
        MPI_Datatype temporary;
        MPI_Type_contiguous(i, MPI_INT, &temporary);
        MPI_Type_free(&temporary);
    }
    MPI_Finalize();
    return 0;
}
