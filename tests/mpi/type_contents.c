/* ranks: 1 */
/* Taking datatypes apart, their names, and types found by size. */
#include "parity.h"

static const char *combiner_name(int combiner)
{
    if (combiner == MPI_COMBINER_NAMED) return "named";
    if (combiner == MPI_COMBINER_DUP) return "dup";
    if (combiner == MPI_COMBINER_CONTIGUOUS) return "contiguous";
    if (combiner == MPI_COMBINER_VECTOR) return "vector";
    if (combiner == MPI_COMBINER_INDEXED_BLOCK) return "indexed block";
    if (combiner == MPI_COMBINER_STRUCT) return "struct";
    if (combiner == MPI_COMBINER_SUBARRAY) return "subarray";
    if (combiner == MPI_COMBINER_RESIZED) return "resized";
    return "another";
}

static void describe(MPI_Datatype type, int depth)
{
    int ints, addresses, types, combiner, integers[16], length;
    MPI_Aint places[8];
    MPI_Datatype inner[8];
    char name[MPI_MAX_OBJECT_NAME], line[256];
    MPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    /* A type taken out of another need not keep its name. */
    MPI_Type_get_name(depth > 0 && combiner != MPI_COMBINER_NAMED ? MPI_INT : type, name, &length);
    say("%*s%s, %d ints, %d addresses, %d types, name '%s'", 2 * depth, "", combiner_name(combiner),
        ints, addresses, types, name);
    if (combiner == MPI_COMBINER_NAMED)
        return;
    MPI_Type_get_contents(type, ints, addresses, types, integers, places, inner);
    snprintf(line, sizeof line, "%*s ints", 2 * depth, "");
    if (combiner != MPI_COMBINER_SUBARRAY) /* its last number is a constant of the library */
        say_numbers(line, integers, ints);
    for (int i = 0; i < addresses; i++)
        say("%*s address %ld", 2 * depth, "", (long)places[i]);
    for (int i = 0; i < types; i++) {
        int a, b, c, kind;
        describe(inner[i], depth + 1);
        MPI_Type_get_envelope(inner[i], &a, &b, &c, &kind);
        if (kind != MPI_COMBINER_NAMED)
            MPI_Type_free(&inner[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Datatype vector, copy, record, resized, part, kinds[2], found;
    int lengths[2] = {1, 2}, sizes[2] = {4, 6}, parts[2] = {2, 2}, starts[2] = {1, 0}, size;
    MPI_Aint places[2] = {0, 64};
    parity_begin(&argc, &argv);
    MPI_Type_vector(2, 3, 5, MPI_INT, &vector);
    MPI_Type_set_name(vector, "my vector");
    MPI_Type_dup(vector, &copy);
    kinds[0] = copy;
    kinds[1] = MPI_DOUBLE;
    MPI_Type_create_struct(2, lengths, places, kinds, &record);
    MPI_Type_create_resized(record, -8, 128, &resized);
    MPI_Type_set_name(resized, "my record");
    describe(vector, 0);
    describe(resized, 0);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_FLOAT, &part);
    describe(part, 0);
    describe(MPI_DOUBLE_INT, 0);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &found);
    MPI_Type_size(found, &size);
    say("real of 8 bytes: %d", size);
    MPI_Type_size(MPI_DOUBLE_INT, &size);
    say("double and int: %d", size);
    MPI_Type_free(&vector);
    MPI_Type_free(&copy);
    MPI_Type_free(&record);
    MPI_Type_free(&resized);
    MPI_Type_free(&part);
    parity_end();
    return 0;
}
