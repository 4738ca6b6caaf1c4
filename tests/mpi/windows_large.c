/* ranks: 2 3 */
/* One-sided calls with large counts and with requests; info, attributes and handlers of windows. */
#include "parity.h"

#if MPI_VERSION >= 4
static int right, heard;

static void show(const char *name, int *memory, MPI_Win win)
{
    MPI_Win_fence(0, win);
    say_numbers(name, memory, 4);
    MPI_Win_fence(0, win);
}

static void accesses(MPI_Win win, int *memory)
{
    int out[2] = {10 * parity_rank + 1, 10 * parity_rank + 2}, in[2] = {-1, -1};
#define TO right, 0, 2, MPI_INT
    MPI_Win_fence(0, win);
    MPI_Put_c(out, 2, MPI_INT, TO, win);
    show("put", memory, win);
    MPI_Accumulate_c(out, 2, MPI_INT, TO, MPI_SUM, win);
    show("accumulate", memory, win);
    MPI_Get_c(in, 2, MPI_INT, TO, win);
    MPI_Win_fence(0, win);
    say_numbers("get", in, 2);
    MPI_Get_accumulate_c(out, 2, MPI_INT, in, 2, MPI_INT, TO, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    say_numbers("get accumulate", in, 2);
    show("replaced", memory, win);
}

static void requests(MPI_Win win, int *memory)
{
    int out[2] = {20 * parity_rank + 3, 20 * parity_rank + 4}, in[2] = {-1, -1};
    MPI_Request request;
#define DONE MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_Win_flush_local_all(win), \
             MPI_Win_flush(right, win)
    MPI_Win_lock_all(0, win);
    MPI_Rput(out, 2, MPI_INT, TO, win, &request);
    DONE;
    MPI_Rput_c(out, 2, MPI_INT, TO, win, &request);
    DONE;
    MPI_Raccumulate_c(out, 2, MPI_INT, TO, MPI_SUM, win, &request);
    DONE;
    MPI_Rget_c(in, 2, MPI_INT, TO, win, &request);
    DONE;
    say_numbers("rget", in, 2);
    MPI_Rget_accumulate(out, 2, MPI_INT, in, 2, MPI_INT, TO, MPI_SUM, win, &request);
    DONE;
    say_numbers("rget accumulate", in, 2);
    MPI_Rget_accumulate_c(out, 2, MPI_INT, in, 2, MPI_INT, TO, MPI_NO_OP, win, &request);
    DONE;
    say_numbers("no op", in, 2);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    show("at the end", memory, win);
}

static int deleted;

static int forget(MPI_Win win, int key, void *value, void *state)
{
    (void)win, (void)key, (void)state;
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

static void hear(MPI_Win *win, int *code, ...)
{
    (void)win;
    MPI_Error_class(*code, &heard);
}

static void labels(MPI_Win win)
{
    int key, found, value = 7, *kept = NULL;
    MPI_Info info;
    MPI_Errhandler handler, set;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &key, NULL);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_get_attr(win, key, &kept, &found);
    say("attribute: %d %d", found, kept ? *kept : 0);
    MPI_Win_delete_attr(win, key);
    say("deleted: %d", deleted);
    MPI_Win_free_keyval(&key);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "false");
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
    MPI_Win_get_info(win, &info);
    say("has info: %d", info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Win_create_errhandler(hear, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Win_get_errhandler(win, &set);
    MPI_Win_call_errhandler(win, MPI_ERR_DISP);
    say("heard: %d", heard == MPI_ERR_DISP);
    MPI_Errhandler_free(&set);
    MPI_Errhandler_free(&handler);
}

int main(int argc, char **argv)
{
    int *memory, own[4] = {0}, *theirs, scale;
    MPI_Aint size, unit;
    MPI_Win win;
    parity_begin(&argc, &argv);
    right = (parity_rank + 1) % parity_size;
    MPI_Win_allocate_c(sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, sizeof own);
    accesses(win, memory);
    requests(win, memory);
    labels(win);
    MPI_Win_free(&win);
    MPI_Win_create_c(own, sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    accesses(win, own);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared_c(sizeof own, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
    MPI_Win_shared_query_c(win, 0, &size, &unit, &theirs);
    say("shared: %d bytes by %d, own %d", (int)size, (int)unit, theirs == memory);
    MPI_Win_shared_query(win, 0, &size, &scale, &theirs);
    say("shared: %d bytes by %d", (int)size, scale);
    MPI_Win_free(&win);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
