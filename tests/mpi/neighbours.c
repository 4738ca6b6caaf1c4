/* ranks: 3 4 6 */
/* Collectives between neighbours on grids, graphs and distributed graphs. No rank has the same
 * neighbour twice: in which order such blocks arrive, MPICH 4.0 decides call by call. */
#include "parity.h"

enum { MOST = 12 };

static int in[MOST * 4], out[MOST * 4];

static void fill(int count)
{
    for (int i = 0; i < count; i++)
        out[i] = 100 * parity_rank + i;
    for (int i = 0; i < MOST * 4; i++)
        in[i] = -1;
}

static void gathers(MPI_Comm comm, int sources)
{
    int counts[MOST], places[MOST];
    MPI_Request request;
    for (int i = 0; i < sources; i++) {
        counts[i] = 2;
        places[i] = 3 * (sources - 1 - i);
    }
    fill(2);
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    say_numbers("allgather", in, 2 * sources);
    fill(2);
    MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, counts, places, MPI_INT, comm);
    say_numbers("allgatherv", in, 3 * sources);
    fill(1);
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("iallgather", in, sources);
    fill(2);
    MPI_Ineighbor_allgatherv(out, 2, MPI_INT, in, counts, places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("iallgatherv", in, 3 * sources);
}

static void exchanges(MPI_Comm comm, int sources, int targets)
{
    int in_counts[MOST], out_counts[MOST], in_places[MOST], out_places[MOST];
    MPI_Aint in_bytes[MOST], out_bytes[MOST];
    MPI_Datatype types[MOST];
    MPI_Request request;
    for (int i = 0; i < MOST; i++) {
        in_counts[i] = out_counts[i] = 2;
        in_places[i] = out_places[i] = 2 * i;
        in_bytes[i] = out_bytes[i] = (MPI_Aint)(3 * (size_t)i * sizeof(int));
        types[i] = MPI_INT;
    }
    fill(2 * targets);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    say_numbers("alltoall", in, 2 * sources);
    fill(2 * targets);
    MPI_Neighbor_alltoallv(out, out_counts, out_places, MPI_INT, in, in_counts, in_places, MPI_INT,
                           comm);
    say_numbers("alltoallv", in, 2 * sources);
    fill(3 * targets);
    MPI_Neighbor_alltoallw(out, out_counts, out_bytes, types, in, in_counts, in_bytes, types, comm);
    say_numbers("alltoallw", in, 3 * sources);
    fill(targets);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("ialltoall", in, sources);
    fill(2 * targets);
    MPI_Ineighbor_alltoallv(out, out_counts, out_places, MPI_INT, in, in_counts, in_places, MPI_INT,
                            comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("ialltoallv", in, 2 * sources);
    fill(3 * targets);
    MPI_Ineighbor_alltoallw(out, out_counts, out_bytes, types, in, in_counts, in_bytes, types, comm,
                            &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("ialltoallw", in, 3 * sources);
}

static void grid(int dimensions, int periodic)
{
    int sizes[2] = {0, 0}, periods[2] = {periodic, periodic};
    MPI_Comm comm;
    MPI_Dims_create(parity_size, dimensions, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &comm);
    say("grid of %d dimensions, periodic %d", dimensions, periodic);
    gathers(comm, 2 * dimensions);
    exchanges(comm, 2 * dimensions, 2 * dimensions);
    MPI_Comm_free(&comm);
}

/* Each knows the next and the one before it. */
static void graph(void)
{
    int index[16], edges[64], count = 0;
    MPI_Comm comm;
    for (int rank = 0; rank < parity_size; rank++) {
        edges[count++] = (rank + 1) % parity_size;
        edges[count++] = (rank + parity_size - 1) % parity_size;
        index[rank] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, parity_size, index, edges, 0, &comm);
    say("graph");
    gathers(comm, 2);
    exchanges(comm, 2, 2);
    MPI_Comm_free(&comm);
}

/* To three, from three others: not the same ones. */
static void distributed(void)
{
    int from[3], to[3];
    MPI_Comm comm;
    for (int i = 0; i < 3; i++) {
        to[i] = (parity_rank + i) % parity_size;
        from[i] = (parity_rank + parity_size - i) % parity_size;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, MPI_UNWEIGHTED, 3, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    say("distributed graph");
    gathers(comm, 3);
    exchanges(comm, 3, 3);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    grid(1, 1);
    grid(2, 0);
    graph();
    distributed();
    parity_end();
    return 0;
}
