/* ranks: 2 */
/* Ranks that make different collective calls on a file. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    if (rank == 0)
        MPI_File_read_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    else
        MPI_File_write_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
