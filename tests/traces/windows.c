/* One-sided communication of every kind, on the world and on half of it, and parts of the program.
 *
 * windows TURNS BYTES */
#include <mpi.h>
#include <stdlib.h>
#include "foretell.h"

static char *own, *there;

static void fences(MPI_Win window, int bytes, int rank, int size) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    MPI_Put(own, bytes, MPI_BYTE, (rank + 1) % size, 0, bytes, MPI_BYTE, window);
    MPI_Get(own + bytes, bytes, MPI_BYTE, (rank + 2) % size, 0, bytes, MPI_BYTE, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(own, bytes / 8, MPI_DOUBLE, 0, 0, bytes / 8, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void epochs(MPI_Win window, int bytes, int rank, int size) {
    MPI_Group all, next, last;
    int after = (rank + 1) % size, before = (rank + size - 1) % size, flag = 0;
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &after, &next);
    MPI_Group_incl(all, 1, &before, &last);
    MPI_Win_post(last, 0, window);
    MPI_Win_start(next, 0, window);
    MPI_Put(own, bytes, MPI_BYTE, after, 0, bytes, MPI_BYTE, window);
    MPI_Win_complete(window);
    if (rank % 2) MPI_Win_wait(window);
    else while (!flag) MPI_Win_test(window, &flag);
    MPI_Group_free(&all);
    MPI_Group_free(&next);
    MPI_Group_free(&last);
}

static void locks(MPI_Win window, int bytes, int rank, int size) {
    long one = 1, old, zero = 0;
    MPI_Request both[2];
    int next = (rank + 1) % size;
    /* Who asks first gets the lock first, so none asks at the same date as another. */
    foretell_compute_flops(1e6 * rank);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Put(own, 8, MPI_BYTE, 0, 0, 8, MPI_BYTE, window);
    MPI_Win_unlock(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
    MPI_Rput(own, bytes, MPI_BYTE, next, 0, bytes, MPI_BYTE, window, &both[0]);
    MPI_Rget(own + bytes, bytes, MPI_BYTE, next, 0, bytes, MPI_BYTE, window, &both[1]);
    foretell_compute_flops(1e5);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Win_flush(next, window);
    MPI_Win_unlock(next, window);
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, next, 0, MPI_SUM, window);
    MPI_Win_flush_all(window);
    MPI_Compare_and_swap(&one, &zero, &old, MPI_LONG, 0, 0, window);
    MPI_Get_accumulate(own, bytes / 8, MPI_DOUBLE, own + bytes, bytes / 8, MPI_DOUBLE, next, 0, bytes / 8,
                       MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_unlock_all(window);
}

static void all_of(MPI_Comm comm, int turns, int bytes) {
    int rank, size;
    MPI_Win window;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Win_create(there, bytes, 1, MPI_INFO_NULL, comm, &window);
    for (int i = 0; i < turns; i++) {
        foretell_region_begin("fences");
        foretell_compute_flops(1e5 * (rank + 1));
        fences(window, bytes, rank, size);
        foretell_region_end("fences");
        epochs(window, bytes, rank, size);
        locks(window, bytes, rank, size);
    }
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    MPI_Comm half;
    int rank, turns, bytes;
    MPI_Init(&argc, &argv);
    turns = argc > 1 ? atoi(argv[1]) : 2, bytes = argc > 2 ? atoi(argv[2]) : 1024;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own = calloc(2, bytes), there = calloc(1, bytes);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    all_of(MPI_COMM_WORLD, turns, bytes);
    all_of(half, turns, bytes);
    MPI_Finalize();
    return 0;
}
