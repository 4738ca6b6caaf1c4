/* Files: opened, closed and agreed upon together, read and written alone and together, at once,
 * beside the ranks and in two calls, on all ranks, on half of them and on one, with communication
 * between.
 *
 * files TURNS BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "foretell.h"

static char *own, *other;
static int rank, size;

/* A name that no other run of this program has at the same time. */
static void open_here(MPI_Comm comm, const char *what, MPI_File *file) {
    static char names[16][64];
    static int made;
    char *name = names[made++ % 16];
    int first = (int)getpid();
    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
    snprintf(name, sizeof names[0], "foretell-%s-%d-%d.tmp", what, made, first);
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file);
}

static void in_turn(MPI_File file, int bytes) {
    MPI_Status status;
    MPI_Offset place = (MPI_Offset)rank * bytes;
    int count;
    MPI_File_write_at(file, place, own, bytes / (rank + 1), MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, place, own, bytes, MPI_BYTE, &status);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    foretell_compute_flops(1e5 * (rank + 1));
    MPI_File_read_at(file, place, other, bytes, MPI_BYTE, &status);
    MPI_File_read_at_all(file, place, other, bytes / 2, MPI_BYTE, &status);
    /* Less is there than is asked for. */
    MPI_File_read_at(file, (MPI_Offset)size * bytes - bytes / 4, other, bytes, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count != bytes / 4) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_write(file, own, bytes / 8, MPI_DOUBLE, &status);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_write_all(file, own, bytes, MPI_BYTE, &status);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read(file, other, 10, MPI_BYTE, &status);
    MPI_File_read_all(file, other, bytes, MPI_BYTE, &status);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void beside(MPI_File file, int bytes) {
    MPI_Request requests[5];
    MPI_Offset place = (MPI_Offset)rank * bytes;
    int next = (rank + 1) % size, last = (rank + size - 1) % size, flag = 0;
    MPI_File_iwrite_at(file, place, own, bytes, MPI_BYTE, &requests[0]);
    MPI_Irecv(other, 24, MPI_BYTE, last, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(own, 24, MPI_BYTE, next, 5, MPI_COMM_WORLD, &requests[2]);
    foretell_compute_flops(1e5 * (rank + 1));
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_File_iread_at(file, place, other, bytes, MPI_BYTE, &requests[0]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(file, place, own, bytes, MPI_BYTE, &requests[3]);
    foretell_compute_flops(1e5 * (size - rank));
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_File_iread_at_all(file, place, other, bytes, MPI_BYTE, &requests[4]);
    MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, place, own, bytes, MPI_BYTE);
    foretell_compute_flops(1e5);
    MPI_File_write_at_all_end(file, own, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, place, other, bytes, MPI_BYTE);
    MPI_File_read_at_all_end(file, other, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_File all, some, mine;
    MPI_Comm half;
    int turns, bytes;
    MPI_Init(&argc, &argv);
    turns = argc > 1 ? atoi(argv[1]) : 2, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = calloc(2, bytes), other = calloc(2, bytes);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    open_here(MPI_COMM_WORLD, "all", &all);
    open_here(half, "half", &some);
    open_here(MPI_COMM_SELF, "own", &mine);
    MPI_File_set_size(all, (MPI_Offset)size * bytes);
    MPI_File_set_view(all, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    for (int i = 0; i < turns; i++) in_turn(all, bytes);
    beside(all, bytes);
    MPI_File_write_ordered(some, own, bytes / (rank + 1), MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_shared(all, own, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at(mine, 0, own, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&mine);
    MPI_File_close(&some);
    MPI_File_close(&all);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
