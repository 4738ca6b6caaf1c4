/* Each rank writes 1,000 bytes through MPI, and rank 0 reads all. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    char *bytes;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bytes = calloc(1000, (size_t)size);
    MPI_File_open(MPI_COMM_WORLD, "written.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all(file, rank * 1000, bytes, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_File_read_at(file, 0, bytes, size * 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    free(bytes);
    MPI_Finalize();
    return 0;
}
