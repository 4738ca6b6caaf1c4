/* ranks: 1 2 */
/* Every constructor: size, extents, and what a message of it carries. */
#include "parity.h"

#include <stddef.h>

/* Sends one item of the type to oneself, received as ints, and says what came. */
static void carry(const char *name, MPI_Datatype type)
{
    int source[128], target[128], size;
    MPI_Aint lower, extent, true_lower, true_extent;
    MPI_Status status;
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    say("%s: size %d, bounds %ld %ld, true %ld %ld", name, size, (long)lower, (long)extent,
        (long)true_lower, (long)true_extent);
    for (int i = 0; i < 128; i++) {
        source[i] = i;
        target[i] = -1;
    }
    MPI_Sendrecv(source + 16, 1, type, parity_rank, 0, target, 128, MPI_INT, parity_rank, 0,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &size);
    say_numbers("  carried", target, size);
    MPI_Type_free(&type);
}

static void simple(void)
{
    MPI_Datatype type, other;
    int lengths[3] = {2, 0, 3}, places[3] = {4, 1, -3}, one_place[3] = {0, 5, 9};
    MPI_Aint bytes[3] = {8, 0, -16};
    MPI_Type_contiguous(3, MPI_INT, &type);
    carry("contiguous", type);
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    carry("vector", type);
    MPI_Type_vector(3, 1, -2, MPI_INT, &type);
    carry("vector backwards", type);
    MPI_Type_create_hvector(2, 2, 20, MPI_INT, &type);
    carry("hvector", type);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    carry("indexed", type);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
    carry("hindexed", type);
    MPI_Type_create_indexed_block(3, 2, one_place, MPI_INT, &type);
    carry("indexed block", type);
    MPI_Type_create_hindexed_block(3, 1, bytes, MPI_INT, &type);
    carry("hindexed block", type);
    MPI_Type_vector(2, 1, 3, MPI_INT, &other);
    MPI_Type_create_resized(other, -4, 24, &type);
    MPI_Type_free(&other);
    MPI_Type_contiguous(2, type, &other);
    carry("resized, twice", other);
    carry("resized", type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    carry("empty", type);
}

static void arrays(void)
{
    MPI_Datatype type;
    int sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 2};
    int cyclic[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, grid[2] = {2, 2};
    int defaults[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, chunks[2] = {1, 3};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    carry("subarray in C order", type);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    carry("subarray in Fortran order", type);
    for (int rank = 0; rank < 4; rank++) {
        MPI_Type_create_darray(4, rank, 2, sizes, cyclic, defaults, grid, MPI_ORDER_C, MPI_INT, &type);
        carry("darray", type);
        MPI_Type_create_darray(4, rank, 2, sizes, cyclic, chunks, grid, MPI_ORDER_FORTRAN, MPI_INT, &type);
        carry("darray in Fortran order", type);
    }
}

struct record {
    char letter;
    double number;
    int values[3];
    short small;
};

static void records(void)
{
    struct record out[2] = {{'a', 1.5, {1, 2, 3}, 4}, {'b', 2.5, {5, 6, 7}, 8}}, in[2];
    int lengths[4] = {1, 1, 3, 1}, count;
    MPI_Aint places[4] = {offsetof(struct record, letter), offsetof(struct record, number),
                          offsetof(struct record, values), offsetof(struct record, small)};
    MPI_Datatype kinds[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, type, copy;
    MPI_Status status;
    memset(in, 0, sizeof in);
    MPI_Type_create_struct(4, lengths, places, kinds, &type);
    MPI_Type_dup(type, &copy);
    MPI_Type_free(&type);
    MPI_Type_create_resized(copy, 0, sizeof(struct record), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&copy);
    MPI_Sendrecv(out, 2, type, parity_rank, 0, in, 2, type, parity_rank, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, type, &count);
    for (int i = 0; i < 2; i++)
        say("record: %c %.1f %d %d %d %d", in[i].letter, in[i].number, in[i].values[0],
            in[i].values[1], in[i].values[2], in[i].small);
    say("records %d", count);
    MPI_Sendrecv(out, 1, type, parity_rank, 0, in, 2, type, parity_rank, 0, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, type, &count);
    say("elements of one record: %d", count);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    simple();
    arrays();
    records();
    parity_end();
    return 0;
}
