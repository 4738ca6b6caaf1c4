/* ranks: 2 4 7 */
/* Every mode of sending, around a ring, and to MPI_PROC_NULL. */
#include "parity.h"

static void ring(const char *name, int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm))
{
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    int in[3] = {-1, -1, -1}, out[3] = {parity_rank, 10 * parity_rank, 100 * parity_rank};
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(in, 3, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD); /* the receives are there: a ready send may start */
    send(out, 3, MPI_INT, right, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    say_numbers(name, in, 3);
    say("from %d, tag %d, request %s", status.MPI_SOURCE, status.MPI_TAG,
        request == MPI_REQUEST_NULL ? "null" : "kept");
}

static void immediate(const char *name,
                      int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))
{
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    double in = -1, out = parity_rank + 0.5;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_DOUBLE, left, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    send(&out, 1, MPI_DOUBLE, right, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("%s: %.1f", name, in);
}

static void buffered(void)
{
    int size, right = (parity_rank + 1) % parity_size, out = 7 * parity_rank, in = -1;
    void *buffer, *detached;
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
    size += MPI_BSEND_OVERHEAD;
    buffer = malloc((size_t)size);
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(&out, 1, MPI_INT, right, 8, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&detached, &size);
    say("buffered: %d, buffer %s", in, detached == buffer ? "given back" : "lost");
    free(buffer);
}

static void nowhere(void)
{
    int value = 42, count;
    MPI_Status status;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("null: %d, source %s, tag %s, count %d", value,
        status.MPI_SOURCE == MPI_PROC_NULL ? "null" : "wrong",
        status.MPI_TAG == MPI_ANY_TAG ? "any" : "wrong", count);
}

static void exchange(void)
{
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    int out = parity_rank, in = -1, both = 1000 + parity_rank, size = 40000, *big;
    MPI_Sendrecv(&out, 1, MPI_INT, right, 2, &in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&both, 1, MPI_INT, left, 3, right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("exchanged: %d, replaced: %d", in, both);
    big = malloc(sizeof *big * (size_t)size);
    for (int i = 0; i < size; i++)
        big[i] = parity_rank * size + i;
    MPI_Sendrecv_replace(big, size, MPI_INT, right, 4, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("large: first %d, last %d", big[0], big[size - 1]);
    free(big);
}

static void overtaking(void)
{
    /* Messages of one pair do not overtake each other, whatever their size and mode. */
    int sizes[6] = {1, 30000, 2, 40000, 3, 1}, counts[6], firsts[6];
    static int data[40000];
    if (parity_rank == 0) {
        MPI_Request requests[6];
        for (int i = 0; i < 6; i++)
            (i % 2 ? MPI_Issend : MPI_Isend)(data, sizes[i], MPI_INT, 1, 9, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    } else if (parity_rank == 1) {
        for (int i = 0; i < 6; i++) {
            MPI_Status status;
            MPI_Recv(data, 40000, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &counts[i]);
            firsts[i] = data[0];
        }
        say_numbers("counts in order", counts, 6);
        say_numbers("first items", firsts, 6);
    }
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    ring("standard", MPI_Send);
    ring("synchronous", MPI_Ssend);
    ring("ready", MPI_Rsend);
    immediate("immediate", MPI_Isend);
    immediate("immediate synchronous", MPI_Issend);
    immediate("immediate ready", MPI_Irsend);
    buffered();
    nowhere();
    exchange();
    overtaking();
    parity_end();
    return 0;
}
