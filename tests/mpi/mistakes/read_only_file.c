/* ranks: 2 */
/* A file that was opened to be read is written, where errors of files end the run. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 0;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
