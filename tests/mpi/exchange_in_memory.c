/* ranks: 1 2 5 8 */
/* MPI_Alltoall from buffer to buffer: blocks of all protocol modes, datatypes with holes on one
   side, and send buffers that change as soon as the call is over. */
#include "parity.h"
#include <stdlib.h>

static int value(int from, int to, int place) { return (from * 31 + to) * 1000003 + place; }

/* Whether each block that came is what its sender meant. */
static int is_right(const int *got, int block, int stride)
{
    for (int from = 0; from < parity_size; from++)
        for (int i = 0; i < block; i++)
            if (got[(from * block + i) * stride] != value(from, parity_rank, i))
                return 0;
    return 1;
}

static void fill(int *data, int block, int stride)
{
    for (int to = 0; to < parity_size; to++)
        for (int i = 0; i < block; i++)
            data[(to * block + i) * stride] = value(parity_rank, to, i);
}

static void exchange(int block)
{
    int total = block * parity_size, kept = 1;
    int *out = malloc(sizeof(int) * (size_t)total * 2), *in = malloc(sizeof(int) * (size_t)total * 2);
    MPI_Datatype wide;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide);
    MPI_Type_commit(&wide);

    fill(out, block, 1);
    MPI_Alltoall(out, block, MPI_INT, in, block, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < total; i++)
        kept &= out[i] == value(parity_rank, i / block, i % block);
    /* What was sent belongs to the program again. */
    for (int i = 0; i < total; i++)
        out[i] = -1;
    say("%d ints: right %d, kept %d", block, is_right(in, block, 1), kept);

    fill(out, block, 2);
    MPI_Alltoall(out, block, wide, in, block, MPI_INT, MPI_COMM_WORLD);
    say("%d ints, apart where they are sent: right %d", block, is_right(in, block, 1));

    fill(out, block, 1);
    for (int i = 0; i < 2 * total; i++)
        in[i] = -7;
    MPI_Alltoall(out, block, MPI_INT, in, block, wide, MPI_COMM_WORLD);
    say("%d ints, apart where they come: right %d, holes %d", block, is_right(in, block, 2), in[1]);

    fill(in, block, 1);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, block, MPI_INT, MPI_COMM_WORLD);
    say("%d ints in place: right %d", block, is_right(in, block, 1));

    MPI_Type_free(&wide);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    exchange(1);
    exchange(300);
    exchange(5000);
    exchange(60000);
    parity_end();
    return 0;
}
