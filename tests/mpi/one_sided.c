/* ranks: 2 4 */
/* Windows between fences, between post and wait, and under locks; all kinds of access. */
#include "parity.h"

enum { CELLS = 16 };

static int *cells;
static MPI_Win win;

static void clear(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, parity_rank, 0, win);
    for (int i = 0; i < CELLS; i++)
        cells[i] = 1000 * parity_rank;
    MPI_Win_unlock(parity_rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void)
{
    int right = (parity_rank + 1) % parity_size, value = parity_rank + 1, got[2] = {-1, -1};
    int steps[4] = {1, 2, 3, 4};
    MPI_Datatype apart;
    MPI_Type_vector(2, 1, 3, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    clear();
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Put(steps, 2, MPI_INT, right, 8, 1, apart, win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_INT, right, 8, 1, apart, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_MAX, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    say_numbers("after fences", cells, CELLS);
    say_numbers("got", got, 2);
    MPI_Type_free(&apart);
}

/* Everyone accesses rank 0, which exposes its window to all others. */
static void post_and_wait(void)
{
    MPI_Group world, zero, others;
    int first[1] = {0}, value = 5 * parity_rank, flag = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, first, &zero);
    MPI_Group_excl(world, 1, first, &others);
    clear();
    if (parity_rank == 0) {
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
        MPI_Win_post(others, 0, win);
        while (!flag)
            MPI_Win_test(win, &flag);
        say_numbers("after wait", cells, CELLS);
    } else {
        MPI_Win_start(zero, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, parity_rank, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_start(zero, 0, win);
        MPI_Accumulate(&value, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&zero);
    MPI_Group_free(&others);
}

static void locks(void)
{
    int one = 1, old = -1, sum = 0, seen[2], swap = parity_rank + 100, none = 0;
    MPI_Request request;
    clear();
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(seen, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        seen[0]++;
        MPI_Put(seen, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 4; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 6, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_local(0, win);
    MPI_Raccumulate(&one, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Exactly one rank finds the zero of its own turn. */
    MPI_Compare_and_swap(&swap, &none, &old, MPI_INT, 0, 9, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    one = old == 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("found zero: %d", sum);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Rget(seen, 1, MPI_INT, 0, 5, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget(&seen[1], 1, MPI_INT, 0, 6, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(0, win);
    say("counted %d and %d", seen[0], seen[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (parity_rank == 0)
        say("sums %d %d, swapped %d", cells[7], cells[8], cells[9] >= 100);
}

static void about(void)
{
    void *base;
    MPI_Aint *bytes;
    int *unit, *flavour, flag, length;
    MPI_Group group;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    say("base %d", flag && base == cells);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    say("%ld bytes in units of %d", (long)*bytes, *unit);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavour, &flag);
    say("allocated: %d", *flavour == MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_set_name(win, "cells");
    MPI_Win_get_name(win, name, &length);
    MPI_Win_get_group(win, &group);
    MPI_Group_size(group, &flag);
    say("'%s' of %d ranks", name, flag);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
    about();
    fences();
    post_and_wait();
    locks();
    MPI_Win_free(&win);
    say("freed: %d", win == MPI_WIN_NULL);
    parity_end();
    return 0;
}
