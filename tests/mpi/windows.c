/* ranks: 1 3 4 */
/* Windows of other kinds: over the program's own memory, shared, and dynamic. */
#include "parity.h"

static int table[8];

static void created(void)
{
    MPI_Win win;
    int value = 9 + parity_rank, to = (parity_rank + 1) % parity_size, *flavour, flag;
    for (int i = 0; i < 8; i++)
        table[i] = -1;
    /* Rank 0 exposes half as much, in bytes. */
    MPI_Win_create(table, parity_rank ? sizeof table : sizeof table / 2,
                   parity_rank ? (int)sizeof(int) : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavour, &flag);
    say("created: %d", *flavour == MPI_WIN_FLAVOR_CREATE);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, to, to ? 2 : 2 * (MPI_Aint)sizeof(int), 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say_numbers("table", table, 8);
    MPI_Win_free(&win);
}

static void shared(void)
{
    MPI_Comm node;
    MPI_Win win;
    MPI_Aint bytes;
    int *mine, *other, unit, rank, size, sum = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Win_allocate_shared((rank + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, node,
                            &mine, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i <= rank; i++)
        mine[i] = 10 * rank + i;
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    for (int i = 0; i < size; i++) {
        MPI_Win_shared_query(win, i, &bytes, &unit, &other);
        for (MPI_Aint j = 0; j < bytes / unit; j++)
            sum += other[j];
    }
    say("read all neighbours: %d", sum == 10 * size * (size - 1) * (size + 1) / 3 +
                                             (size - 1) * size * (size + 1) / 6);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &other);
    say("the lowest: %ld bytes, first is %d", (long)bytes, other[0]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

static void dynamic(void)
{
    MPI_Win win;
    MPI_Aint place, places[16];
    int *memory = calloc(4, sizeof(int)), to = (parity_rank + 1) % parity_size;
    int value = 77 + parity_rank;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, 4 * sizeof(int));
    MPI_Get_address(memory, &place);
    MPI_Allgather(&place, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win);
    MPI_Put(&value, 1, MPI_INT, to, MPI_Aint_add(places[to], 2 * sizeof(int)), 1, MPI_INT, win);
    MPI_Accumulate(&value, 1, MPI_INT, to, places[to], 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(to, win);
    MPI_Barrier(MPI_COMM_WORLD);
    say_numbers("attached", memory, 4);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    free(memory);
}

static void memory(void)
{
    int *words;
    MPI_Alloc_mem(64 * sizeof(int), MPI_INFO_NULL, &words);
    for (int i = 0; i < 64; i++)
        words[i] = i;
    say("allocated, last %d", words[63]);
    MPI_Free_mem(words);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    created();
    shared();
    dynamic();
    memory();
    parity_end();
    return 0;
}
