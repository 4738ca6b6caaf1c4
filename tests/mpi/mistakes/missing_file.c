/* ranks: 2 */
/* A file that is not there, where errors end the run. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
