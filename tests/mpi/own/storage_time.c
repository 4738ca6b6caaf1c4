/* ranks: 1 4 */
/* platform: storage.toml */
/* What reading and writing takes: the bandwidth of the storage, shared by those who use it. */
#include "../parity_files.h"
#include <assert.h>
#include <math.h>

enum { BYTES = 1000000 };

static char data[BYTES];
static MPI_File file;

/* That so much time has passed since a date; calls that agree take some microseconds more. */
static void took(double since, double expected)
{
    double passed = MPI_Wtime() - since;
    if (passed < expected - 1e-9 || passed > expected + 2e-4) {
        fprintf(stderr, "rank %d: %.9f s instead of %.9f s\n", parity_rank, passed, expected);
        exit(1);
    }
}

static double start(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

int main(int argc, char **argv)
{
    double since, writing, reading;
    MPI_Request request;
    MPI_Offset mine;
    parity_begin(&argc, &argv);
    name_file();
    mine = (MPI_Offset)parity_rank * BYTES;
    writing = parity_size * BYTES / 50e6 + 2e-3;
    reading = parity_size * BYTES / 100e6 + 2e-3;
    MPI_File_open(MPI_COMM_WORLD, file_name,
        MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);

    since = start();
    MPI_File_write_at(file, mine, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    took(since, writing);

    since = start();
    MPI_File_read_at_all(file, mine, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    took(since, reading);

    /* What is not there is not read. */
    since = start();
    MPI_File_read_at(file, mine + parity_size * (MPI_Offset)BYTES, data, BYTES, MPI_BYTE,
        MPI_STATUS_IGNORE);
    took(since, 2e-3);

    /* One rank alone has the storage to itself. */
    since = start();
    if (parity_rank == 0) {
        MPI_File_write_at(file, 0, data, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
        took(since, BYTES / 50e6 + 2e-3);
    }

    /* The call returns at once, and the time passes beside the rank. */
    since = start();
    MPI_File_iwrite_at(file, mine, data, BYTES, MPI_BYTE, &request);
    took(since, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    took(since, writing);

    since = start();
    MPI_File_iread_at_all(file, mine, data, BYTES, MPI_BYTE, &request);
    took(since, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    took(since, reading);

    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    since = start();
    MPI_File_write_ordered_begin(file, data, BYTES, MPI_BYTE);
    took(since, 0);
    MPI_File_write_ordered_end(file, data, MPI_STATUS_IGNORE);
    took(since, writing);

    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
