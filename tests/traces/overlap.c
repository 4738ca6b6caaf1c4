/* Collectives that go on beside the ranks: of all kinds, on the world, on half of it and on a copy,
 * persistent ones too, waited for and tested in every way, in a loop, between messages.
 *
 * overlap TURNS BYTES */
#include <mpi.h>
#include <stdlib.h>
#include "foretell.h"

enum { KINDS = 17, RANKS = 64 };

static char *own, *other[KINDS];
/* They stay as they are while anything is under way. */
static int counts[RANKS], places[RANKS], sizes[RANKS];
static MPI_Datatype types[RANKS];

static void one_of_each_kind(MPI_Comm comm, int bytes, MPI_Request *next) {
    int rank, size, doubles = bytes / 8;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = bytes / (i + 1), sizes[i] = bytes / (rank + i + 1);
        places[i] = i * bytes, types[i] = MPI_BYTE;
    }
    MPI_Ibarrier(comm, next++);
    MPI_Ibcast(other[1], bytes, MPI_BYTE, 1, comm, next++);
    MPI_Ireduce(own, other[2], doubles, MPI_DOUBLE, MPI_SUM, 0, comm, next++);
    MPI_Iallreduce(own, other[3], doubles, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Iscan(own, other[4], doubles, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Iexscan(own, other[5], doubles, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Iallgather(own, bytes, MPI_BYTE, other[6], bytes, MPI_BYTE, comm, next++);
    MPI_Ialltoall(own, bytes, MPI_BYTE, other[7], bytes, MPI_BYTE, comm, next++);
    MPI_Igather(own, bytes, MPI_BYTE, other[8], bytes, MPI_BYTE, 1, comm, next++);
    MPI_Iscatter(own, bytes, MPI_BYTE, other[9], bytes, MPI_BYTE, 0, comm, next++);
    MPI_Igatherv(own, counts[rank], MPI_BYTE, other[10], counts, places, MPI_BYTE, 0, comm, next++);
    MPI_Iscatterv(own, counts, places, MPI_BYTE, other[11], counts[rank], MPI_BYTE, 1, comm, next++);
    MPI_Iallgatherv(own, counts[rank], MPI_BYTE, other[12], counts, places, MPI_BYTE, comm, next++);
    MPI_Ireduce_scatter(own, other[13], counts, MPI_BYTE, MPI_BXOR, comm, next++);
    MPI_Ireduce_scatter_block(own, other[14], doubles, MPI_DOUBLE, MPI_SUM, comm, next++);
    MPI_Ialltoallv(own, sizes, places, MPI_BYTE, other[15], sizes, places, MPI_BYTE, comm, next++);
    MPI_Ialltoallw(own, sizes, places, types, other[16], sizes, places, types, comm, next++);
}

static void wait_in_turns(MPI_Request *all) {
    int index, found, indices[KINDS];
    MPI_Wait(&all[2], MPI_STATUS_IGNORE);
    MPI_Waitany(KINDS, all, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(KINDS, all, &found, indices, MPI_STATUSES_IGNORE);
    MPI_Waitall(KINDS, all, MPI_STATUSES_IGNORE);
}

static void turn(MPI_Comm half, MPI_Request kept, int bytes, int rank, int size) {
    MPI_Request three[3], sum;
    int flag = 0, next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Start(&kept);
    MPI_Iallreduce(own, other[0], bytes / 8, MPI_DOUBLE, MPI_SUM, half, &sum);
    MPI_Ibcast(other[1], bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &three[0]);
    MPI_Irecv(other[2], bytes, MPI_BYTE, last, 5, MPI_COMM_WORLD, &three[1]);
    MPI_Isend(own, bytes, MPI_BYTE, next, 5, MPI_COMM_WORLD, &three[2]);
    foretell_compute_flops(1e5 * (rank + 1));
    MPI_Allreduce(MPI_IN_PLACE, other[3], 1, MPI_DOUBLE, MPI_MAX, half);
    while (!flag) MPI_Test(&sum, &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(3, three, MPI_STATUSES_IGNORE);
    MPI_Wait(&kept, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Request all[KINDS], kept;
    MPI_Comm half, copy;
    int rank, size, turns, bytes;
    MPI_Init(&argc, &argv);
    turns = argc > 1 ? atoi(argv[1]) : 2, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = calloc(size, bytes);
    for (int i = 0; i < KINDS; i++) other[i] = calloc(size, bytes);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Bcast_init(other[0], bytes, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &kept);
    for (int i = 0; i < turns; i++) turn(half, kept, bytes, rank, size);
    one_of_each_kind(half, bytes, all);
    wait_in_turns(all);
    one_of_each_kind(MPI_COMM_WORLD, bytes, all);
    wait_in_turns(all);
    one_of_each_kind(copy, bytes, all);
    MPI_Waitall(KINDS, all, MPI_STATUSES_IGNORE);
    MPI_Request_free(&kept);
    MPI_Finalize();
    return 0;
}
