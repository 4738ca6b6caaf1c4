/* ranks: 4 7 16 */
/* Dates and new communicators, both known before the turn of a rank: what it computes with them must
   be the same, to the last bit, and so must what is said of a communicator that is split again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double field[2000];

/* Takes longer on some ranks than on others. */
static double compute(double seed, int rank)
{
    for (int pass = 0; pass <= rank % 3; pass++)
        for (int i = 0; i < 2000; i++)
            field[i] = field[i] * 0.5 + seed * (i + 1);
    return field[rank];
}

int main(int argc, char **argv)
{
    int rank, size;
    double begin, end, sum = 0, all = 0;
    MPI_Comm half, quarter, none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *out = malloc(sizeof(double) * size * 4096), *in = malloc(sizeof(double) * size * 4096);
    for (int step = 0; step < 6; step++) {
        begin = MPI_Wtime();
        sum += compute(begin * 1e6, rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
        sum += compute(1, rank);
        MPI_Comm_split(half, rank % 4 / 2, rank, &quarter);
        sum += compute(2, rank);
        MPI_Comm_split(quarter, MPI_UNDEFINED, 0, &none);
        if (none != MPI_COMM_NULL)
            printf("rank %d has a communicator of nobody\n", rank);
        int members, place;
        MPI_Comm_size(quarter, &members);
        MPI_Comm_rank(quarter, &place);
        /* Short blocks and long ones go by different algorithms. */
        int count = step % 2 ? 4096 : 4;
        for (int i = 0; i < members * count; i++)
            out[i] = sum + i;
        MPI_Alltoall(out, count, MPI_DOUBLE, in, count, MPI_DOUBLE, quarter);
        for (int i = 0; i < members * count; i++)
            sum += in[i] * 1e-3;
        MPI_Barrier(half);
        end = MPI_Wtime();
        sum += compute(end, rank);
        printf("rank %d, step %d: %d of %d, %a to %a, %a, handle %d\n", rank, step, place, members,
               begin, end, sum, MPI_Comm_c2f(half) == MPI_Comm_c2f(quarter));
        fflush(stdout);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_MAX, half);
        sum = all / 2;
        MPI_Comm_free(&quarter);
        MPI_Comm_free(&half);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
