/* Collectives of two groups: of all kinds, blocking and beside the ranks, from either side, with
 * groups and blocks of different sizes, on a copy, persistent ones too; messages on a copy that was
 * made beside the ranks.
 *
 * between TURNS BYTES */
#include <mpi.h>
#include <stdlib.h>
#include "foretell.h"

enum { KINDS = 16, RANKS = 64 };

static char *own, *other[KINDS];
/* They stay as they are while anything is under way. */
static int gives[RANKS], gets[RANKS], parts[RANKS], places[RANKS], shares[RANKS], equal[RANKS];
static MPI_Datatype types[RANKS];
static int rank, size, there, is_low, mine, theirs;

/* The lower group gives blocks twice as large as those of the upper one. */
static void look_at(MPI_Comm both, int bytes) {
    MPI_Comm_rank(both, &rank);
    MPI_Comm_size(both, &size);
    MPI_Comm_remote_size(both, &there);
    mine = is_low ? bytes : bytes / 2, theirs = is_low ? bytes / 2 : bytes;
    for (int i = 0; i < RANKS; i++) {
        gives[i] = mine / (rank + i + 1), gets[i] = theirs / (rank + i + 1);
        parts[i] = theirs / (i + 1), places[i] = i * bytes, types[i] = MPI_BYTE, equal[i] = bytes;
        /* All of a group share as much as all of the other. */
        shares[i] = there * bytes + (i == 0 ? bytes : 0) - (i == size - 1 ? bytes : 0);
    }
}

/* The last rank of the lower group, or of the upper one. */
static int root_of(int is_in_low) {
    if (is_low != is_in_low) return there - 1;
    return rank == size - 1 ? MPI_ROOT : MPI_PROC_NULL;
}

static void in_turn(MPI_Comm both, int bytes, int root) {
    int doubles = bytes / 8;
    MPI_Barrier(both);
    MPI_Bcast(other[0], bytes, MPI_BYTE, root, both);
    MPI_Reduce(own, other[0], doubles, MPI_DOUBLE, MPI_SUM, root, both);
    MPI_Allreduce(own, other[0], doubles, MPI_DOUBLE, MPI_SUM, both);
    MPI_Gather(own, bytes, MPI_BYTE, other[0], bytes, MPI_BYTE, root, both);
    MPI_Scatter(own, bytes, MPI_BYTE, other[0], bytes, MPI_BYTE, root, both);
    MPI_Gatherv(own, mine / (rank + 1), MPI_BYTE, other[0], parts, places, MPI_BYTE, root, both);
    for (int i = 0; i < there; i++) parts[i] = mine / (i + 1);
    MPI_Scatterv(own, parts, places, MPI_BYTE, other[0], theirs / (rank + 1), MPI_BYTE, root, both);
    for (int i = 0; i < there; i++) parts[i] = theirs / (i + 1);
    MPI_Allgather(own, mine, MPI_BYTE, other[0], theirs, MPI_BYTE, both);
    MPI_Allgatherv(own, mine / (rank + 1), MPI_BYTE, other[0], parts, places, MPI_BYTE, both);
    MPI_Alltoall(own, mine, MPI_BYTE, other[0], theirs, MPI_BYTE, both);
    MPI_Alltoallv(own, gives, places, MPI_BYTE, other[0], gets, places, MPI_BYTE, both);
    MPI_Alltoallw(own, gives, places, types, other[0], gets, places, types, both);
    MPI_Reduce_scatter(own, other[0], shares, MPI_BYTE, MPI_BXOR, both);
    MPI_Reduce_scatter_block(own, other[0], there * doubles, MPI_DOUBLE, MPI_SUM, both);
}

static void one_of_each_kind(MPI_Comm both, int bytes, int root, MPI_Request *next) {
    int doubles = bytes / 8;
    MPI_Ibarrier(both, next++);
    MPI_Ibcast(other[1], bytes, MPI_BYTE, root, both, next++);
    MPI_Ireduce(own, other[2], doubles, MPI_DOUBLE, MPI_SUM, root, both, next++);
    MPI_Iallreduce(own, other[3], doubles, MPI_DOUBLE, MPI_SUM, both, next++);
    MPI_Igather(own, bytes, MPI_BYTE, other[4], bytes, MPI_BYTE, root, both, next++);
    MPI_Iscatter(own, bytes, MPI_BYTE, other[5], bytes, MPI_BYTE, root, both, next++);
    MPI_Igatherv(own, mine / (rank + 1), MPI_BYTE, other[6], parts, places, MPI_BYTE, root, both, next++);
    MPI_Iallgather(own, mine, MPI_BYTE, other[7], theirs, MPI_BYTE, both, next++);
    MPI_Iallgatherv(own, mine / (rank + 1), MPI_BYTE, other[8], parts, places, MPI_BYTE, both, next++);
    MPI_Ialltoall(own, mine, MPI_BYTE, other[9], theirs, MPI_BYTE, both, next++);
    MPI_Ialltoallv(own, gives, places, MPI_BYTE, other[10], gets, places, MPI_BYTE, both, next++);
    MPI_Ialltoallw(own, gives, places, types, other[11], gets, places, types, both, next++);
    MPI_Ireduce_scatter(own, other[12], shares, MPI_BYTE, MPI_BXOR, both, next++);
    MPI_Ireduce_scatter_block(own, other[13], there * doubles, MPI_DOUBLE, MPI_SUM, both, next++);
    MPI_Iscatterv(own, equal, places, MPI_BYTE, other[14], bytes, MPI_BYTE, root, both, next++);
    *next = MPI_REQUEST_NULL;
}

static void turn(MPI_Comm both, int bytes) {
    MPI_Request all[KINDS];
    int index, flag = 0;
    for (int from = 0; from < 2; from++) {
        flag = 0;
        in_turn(both, bytes, root_of(from));
        one_of_each_kind(both, bytes, root_of(from), all);
        foretell_compute_flops(1e5 * (rank + 1));
        MPI_Wait(&all[2], MPI_STATUS_IGNORE);
        MPI_Waitany(KINDS, all, &index, MPI_STATUS_IGNORE);
        while (!flag) MPI_Test(&all[3], &flag, MPI_STATUS_IGNORE);
        MPI_Waitall(KINDS, all, MPI_STATUSES_IGNORE);
    }
}

/* Messages on a copy, and on a copy of that. */
static void copies(MPI_Comm both, int bytes) {
    MPI_Comm made[2];
    MPI_Request request;
    for (int i = 0; i < 2; i++) {
        MPI_Comm_idup(i ? made[0] : both, &made[i], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 0)
            MPI_Sendrecv(own, bytes, MPI_BYTE, 0, 7, other[0], bytes, MPI_BYTE, 0, 7, made[i],
                         MPI_STATUS_IGNORE);
        MPI_Allreduce(own, other[0], 1, MPI_DOUBLE, MPI_SUM, made[i]);
    }
    MPI_Comm_free(&made[1]);
    MPI_Comm_free(&made[0]);
}

int main(int argc, char **argv) {
    MPI_Comm half, both, copy;
    int turns, bytes, all;
    MPI_Init(&argc, &argv);
    turns = argc > 1 ? atoi(argv[1]) : 2, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    own = calloc(all * RANKS, bytes);
    for (int i = 0; i < KINDS; i++) other[i] = calloc(all * RANKS, bytes);
    is_low = rank <= all / 3;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, is_low ? -rank : rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? all / 3 + 1 : all / 3, 99, &both);
    MPI_Comm_dup(both, &copy);
    look_at(both, bytes);
    for (int i = 0; i < turns; i++) turn(both, bytes);
    turn(copy, bytes);
    copies(both, bytes);
#if MPI_VERSION >= 4
    MPI_Request kept;
    MPI_Bcast_init(other[0], bytes, MPI_BYTE, root_of(1), both, MPI_INFO_NULL, &kept);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&kept);
        MPI_Wait(&kept, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&kept);
#endif
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
