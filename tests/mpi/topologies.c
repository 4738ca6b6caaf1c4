/* ranks: 1 4 6 8 */
/* Topologies: Cartesian grids, graphs and distributed graphs, and what they answer. */
#include "parity.h"

static void dims(int nodes, int first, int second, int third)
{
    int sizes[3] = {first, second, third};
    MPI_Dims_create(nodes, 3, sizes);
    say("%d nodes with %d %d %d: %d x %d x %d", nodes, first, second, third, sizes[0], sizes[1],
        sizes[2]);
}

static void lines(MPI_Comm grid)
{
    int keep[2] = {0, 1}, rank, size, sum, none[2] = {0, 0}, count;
    MPI_Comm line, point;
    MPI_Cart_sub(grid, keep, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Comm_size(line, &size);
    MPI_Allreduce(&parity_rank, &sum, 1, MPI_INT, MPI_SUM, line);
    say("line: rank %d of %d, sum %d", rank, size, sum);
    MPI_Comm_free(&line);
    /* Without a dimension only one rank is left. */
    MPI_Cart_sub(grid, none, &point);
    say("in the point: %d", point != MPI_COMM_NULL);
    if (point == MPI_COMM_NULL)
        return;
    MPI_Cartdim_get(point, &count);
    MPI_Comm_size(point, &size);
    say("point: %d dimensions, %d ranks", count, size);
    MPI_Comm_free(&point);
}

static void cartesian(void)
{
    int sizes[2] = {0, 0}, periods[2] = {0, 1}, at[2], again[2], count, rank, from, to, status;
    MPI_Comm grid, copy;
    MPI_Dims_create(parity_size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Topo_test(grid, &status);
    MPI_Cartdim_get(grid, &count);
    say("a grid: %d, %d dimensions", status == MPI_CART, count);
    MPI_Cart_get(grid, 2, sizes, periods, at);
    say("%d x %d, periods %d %d, at %d %d", sizes[0], sizes[1], periods[0], periods[1], at[0], at[1]);
    for (int direction = 0; direction < 2; direction++)
        for (int distance = -2; distance <= 2; distance++) {
            MPI_Cart_shift(grid, direction, distance, &from, &to);
            say("shift %d by %d: from %d to %d", direction, distance,
                from == MPI_PROC_NULL ? -1 : from, to == MPI_PROC_NULL ? -1 : to);
        }
    again[0] = sizes[0] - 1;
    again[1] = -3;
    MPI_Cart_rank(grid, again, &rank);
    MPI_Cart_coords(grid, parity_size - 1, 2, again);
    say("rank at the wrapped place %d, the last at %d %d", rank, again[0], again[1]);
    MPI_Comm_dup(grid, &copy);
    MPI_Topo_test(copy, &status);
    say("a copy is a grid: %d", status == MPI_CART);
    MPI_Comm_free(&copy);
    lines(grid);
    MPI_Comm_free(&grid);
}

/* A grid that not all ranks are in. */
static void smaller(void)
{
    int sizes[1] = {(parity_size + 1) / 2}, periods[1] = {1}, place;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
    say("in the smaller grid: %d", grid != MPI_COMM_NULL);
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Cart_map(MPI_COMM_WORLD, 1, sizes, periods, &place);
    say("mapped: %d", place != MPI_UNDEFINED);
    sizes[0] = 0;
    MPI_Cart_map(MPI_COMM_WORLD, 1, sizes, periods, &place);
    say("nowhere: %d", place == MPI_UNDEFINED);
}

/* A ring in which rank 0 also knows everyone. */
static void graph(void)
{
    int index[16], edges[64], count = 0, nodes, all, mine[16], wide, status;
    MPI_Comm comm;
    for (int rank = 0; rank < parity_size; rank++) {
        edges[count++] = (rank + 1) % parity_size;
        edges[count++] = (rank + parity_size - 1) % parity_size;
        for (int other = 0; rank == 0 && other < parity_size; other++)
            edges[count++] = other;
        index[rank] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, parity_size, index, edges, 0, &comm);
    MPI_Topo_test(comm, &status);
    MPI_Graphdims_get(comm, &nodes, &all);
    say("a graph: %d, %d nodes, %d edges", status == MPI_GRAPH, nodes, all);
    MPI_Graph_neighbors_count(comm, parity_rank, &wide);
    MPI_Graph_neighbors(comm, parity_rank, 16, mine);
    say_numbers("neighbours", mine, wide);
    MPI_Graph_get(comm, 16, 64, index, edges);
    say_numbers("index", index, nodes);
    say_numbers("edges", edges, all);
    MPI_Comm_free(&comm);
}

static void of_a_distributed_graph(MPI_Comm comm)
{
    int in, out, weighted, from[16], to[16], in_weights[16], out_weights[16], status;
    MPI_Topo_test(comm, &status);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    say("distributed: %d, in %d, out %d, weighted %d", status == MPI_DIST_GRAPH, in, out, weighted);
    memset(in_weights, 0, sizeof in_weights);
    memset(out_weights, 0, sizeof out_weights);
    MPI_Dist_graph_neighbors(comm, in, from, in_weights, out, to, out_weights);
    /* Edges that others told of come in an order that is the library's choice. */
    for (int i = 0; i < in; i++)
        for (int j = i + 1; j < in; j++)
            if (from[j] < from[i]) {
                int rank = from[i], weight = in_weights[i];
                from[i] = from[j], in_weights[i] = in_weights[j];
                from[j] = rank, in_weights[j] = weight;
            }
    say_numbers("from", from, in);
    say_numbers("to", to, out);
    if (weighted) {
        say_numbers("weights in", in_weights, in);
        say_numbers("weights out", out_weights, out);
    }
}

static void distributed(void)
{
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    int ends[2] = {left, right}, weights[2] = {10 * parity_rank + 1, 10 * parity_rank + 2};
    int source[1] = {parity_rank}, degree[1] = {1}, target[1] = {(parity_rank * 2) % parity_size};
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, ends, weights, 2, ends, weights, MPI_INFO_NULL,
                                   0, &comm);
    of_a_distributed_graph(comm);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, source, degree, target, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &comm);
    of_a_distributed_graph(comm);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, parity_rank == 0, source, degree, target, weights,
                          MPI_INFO_NULL, 0, &comm);
    of_a_distributed_graph(comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int status;
    parity_begin(&argc, &argv);
    MPI_Topo_test(MPI_COMM_WORLD, &status);
    say("no topology: %d", status == MPI_UNDEFINED);
    dims(24, 0, 0, 0);
    dims(30, 0, 5, 0);
    dims(7, 0, 1, 0);
    dims(64, 0, 0, 0);
    cartesian();
    smaller();
    graph();
    distributed();
    parity_end();
    return 0;
}
