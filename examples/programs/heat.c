/* heat <edge> <steps>: how heat spreads over a square plate, one side of which is kept hot.
 *
 * Rows of the plate are dealt out to the ranks. In each step every rank swaps its outer rows with
 * its neighbours and takes the mean of four neighbours at each point; all ranks learn how much has
 * changed. An ordinary MPI program: nothing in it knows that it is simulated. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Globals, of which each rank has its own. */
static int rank, size, edge, rows;
static double *now, *next;

static double *row(double *plate, int number)
{
    return plate + (size_t)number * (size_t)edge;
}

static void begin(int steps)
{
    size_t bytes = (size_t)(rows + 2) * (size_t)edge * sizeof(double);
    now = calloc(1, bytes);
    next = calloc(1, bytes);
    if (!now || !next || rows == 0) {
        fprintf(stderr, "heat: each rank needs a row, and memory for it\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; rank == 0 && i < edge; i++)
        row(now, 0)[i] = row(next, 0)[i] = 100.0;
    if (rank == 0)
        printf("plate of %d x %d points, %d steps, %d ranks\n", edge, edge, steps, size);
}

static void swap_rows(void)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];
    MPI_Irecv(row(now, 0), edge, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row(now, rows + 1), edge, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row(now, rows), edge, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(row(now, 1), edge, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* One step; returns the largest change at a point of this rank. */
static double spread(void)
{
    double most = 0.0, *before;
    for (int r = 1; r <= rows; r++) {
        const double *up = row(now, r - 1), *here = row(now, r), *down = row(now, r + 1);
        double *to = row(next, r);
        for (int i = 1; i < edge - 1; i++) {
            to[i] = 0.25 * (up[i] + down[i] + here[i - 1] + here[i + 1]);
            most = fmax(most, fabs(to[i] - here[i]));
        }
    }
    before = now;
    now = next;
    next = before;
    return most;
}

int main(int argc, char **argv)
{
    double most = 0.0, changed = 0.0, mine = 0.0, heat = 0.0;
    int steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    edge = argc > 1 ? atoi(argv[1]) : 1024;
    steps = argc > 2 ? atoi(argv[2]) : 20;
    rows = edge / size + (rank < edge % size);
    begin(steps);
    for (int step = 0; step < steps; step++) {
        swap_rows();
        most = spread();
        MPI_Allreduce(&most, &changed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    for (int r = 1; r <= rows; r++)
        for (int i = 0; i < edge; i++)
            mine += row(now, r)[i];
    MPI_Reduce(&mine, &heat, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat %.6f, last change %.6f\n", heat, changed);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
