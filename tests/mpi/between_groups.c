/* ranks: 2 5 8 */
/* Collectives and messages over an inter-communicator. */
#include "parity.h"

static MPI_Comm inner, outer;
static int upper, inner_rank, inner_size, remote;

static void make(void)
{
    upper = parity_rank >= parity_size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &inner);
    MPI_Intercomm_create(inner, 0, MPI_COMM_WORLD, upper ? 0 : parity_size / 2, 3, &outer);
    MPI_Comm_rank(inner, &inner_rank);
    MPI_Comm_size(inner, &inner_size);
    MPI_Comm_remote_size(outer, &remote);
    say("half %d, rank %d of %d, remote %d", upper, inner_rank, inner_size, remote);
}

/* Who is the root of a collective that the lower half sends from or receives in. */
static int root(void)
{
    if (upper)
        return 0;
    return inner_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(void)
{
    int value = 7 * parity_rank + 1, got[16], from[16];
    memset(got, 0xff, sizeof got);
    for (int i = 0; i < 16; i++)
        from[i] = 50 + i;
    MPI_Bcast(&value, 1, MPI_INT, root(), outer);
    say("bcast: %d", value);
    MPI_Gather(&value, 1, MPI_INT, got, 1, MPI_INT, root(), outer);
    say_numbers("gather", got, root() == MPI_ROOT ? remote : 0);
    MPI_Scatter(from, 1, MPI_INT, got, 1, MPI_INT, root(), outer);
    say_numbers("scatter", got, upper);
    value = parity_rank + 1;
    MPI_Reduce(&value, got, 1, MPI_INT, MPI_SUM, root(), outer);
    say_numbers("reduce", got, root() == MPI_ROOT);
}

static void all(void)
{
    int value = 10 + parity_rank, got[16], parts[16];
    MPI_Request request;
    MPI_Allreduce(&value, got, 1, MPI_INT, MPI_SUM, outer);
    say("allreduce of the others: %d", got[0]);
    MPI_Allgather(&value, 1, MPI_INT, got, 1, MPI_INT, outer);
    say_numbers("allgather of the others", got, remote);
    for (int i = 0; i < remote; i++)
        parts[i] = 100 * parity_rank + i;
    MPI_Alltoall(parts, 1, MPI_INT, got, 1, MPI_INT, outer);
    say_numbers("alltoall", got, remote);
    MPI_Iallgather(&value, 1, MPI_INT, got, 1, MPI_INT, outer, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("iallgather", got, remote);
    MPI_Barrier(outer);
}

static void messages(void)
{
    int value = 1000 + parity_rank, got = -1;
    MPI_Status status;
    if (inner_rank == 0) {
        MPI_Sendrecv(&value, 1, MPI_INT, remote - 1, 4, &got, 1, MPI_INT, MPI_ANY_SOURCE, 5, outer,
                     &status);
        say("from remote rank %d: %d", status.MPI_SOURCE, got);
    }
    if (inner_rank == inner_size - 1) {
        MPI_Recv(&got, 1, MPI_INT, 0, 4, outer, &status);
        MPI_Send(&value, 1, MPI_INT, 0, 5, outer);
        say("answered %d", got);
    }
}

static void merged(void)
{
    MPI_Comm one, copy;
    int rank, is_inter, sum;
    MPI_Intercomm_merge(outer, !upper, &one);
    MPI_Comm_rank(one, &rank);
    MPI_Comm_test_inter(one, &is_inter);
    MPI_Allreduce(&parity_rank, &sum, 1, MPI_INT, MPI_SUM, one);
    say("merged: rank %d, inter %d, sum %d", rank, is_inter, sum);
    MPI_Comm_dup(outer, &copy);
    MPI_Comm_test_inter(copy, &is_inter);
    say("a copy is inter: %d", is_inter);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&one);
}

static void split(void)
{
    MPI_Comm part;
    int size = 0, others = 0;
    MPI_Comm_split(outer, inner_rank % 2, 0, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_size(part, &size);
        MPI_Comm_remote_size(part, &others);
        MPI_Comm_free(&part);
    }
    say("split: %d here, %d there", size, others);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    make();
    rooted();
    all();
    if (inner_size > 1 && remote > 1)
        messages();
    merged();
    if (parity_size >= 4)
        split();
    MPI_Comm_free(&outer);
    MPI_Comm_free(&inner);
    parity_end();
    return 0;
}
