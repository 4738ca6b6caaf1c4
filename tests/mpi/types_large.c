/* ranks: 1 */
/* Constructors of datatypes with large counts, and what they tell of themselves. */
#include "parity.h"

#if MPI_VERSION >= 4
static void tell(const char *name, MPI_Datatype *type)
{
    MPI_Count size, lower, extent, true_lower, true_extent;
    MPI_Count integers, addresses, counts, types, numbers[16], large[16];
    MPI_Aint places[16];
    MPI_Datatype parts[16];
    int combiner;
    MPI_Type_commit(type);
    MPI_Type_size_c(*type, &size);
    MPI_Type_get_extent_c(*type, &lower, &extent);
    MPI_Type_get_true_extent_c(*type, &true_lower, &true_extent);
    say("%s: %d bytes, %d from %d, truly %d from %d", name, (int)size, (int)extent, (int)lower,
        (int)true_extent, (int)true_lower);
    MPI_Type_get_envelope_c(*type, &integers, &addresses, &counts, &types, &combiner);
    MPI_Type_get_contents_c(*type, integers, addresses, counts, types, (int *)numbers, places, large,
                            parts);
    for (MPI_Count i = 0; i < counts; i++)
        say("count %d", (int)large[i]);
    MPI_Type_size_x(*type, &size);
    MPI_Type_get_extent_x(*type, &lower, &extent);
    MPI_Type_get_true_extent_x(*type, &true_lower, &true_extent);
    say("again: %d, %d, %d", (int)size, (int)extent, (int)true_extent);
    MPI_Type_free(type);
}

static void constructors(void)
{
    MPI_Count lengths[2] = {2, 1}, places[2] = {1, 4}, bytes[2] = {4, 16};
    MPI_Count sizes[2] = {4, 3}, subsizes[2] = {2, 2}, starts[2] = {1, 0};
    MPI_Datatype type, both[2] = {MPI_INT, MPI_CHAR};
    int distributions[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 1}, processes[2] = {2, 1};
    MPI_Type_create_hvector_c(2, 3, 20, MPI_INT, &type);
    tell("hvector", &type);
    MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type);
    tell("indexed", &type);
    MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_INT, &type);
    tell("hindexed", &type);
    MPI_Type_create_indexed_block_c(2, 2, places, MPI_INT, &type);
    tell("indexed block", &type);
    MPI_Type_create_hindexed_block_c(2, 2, bytes, MPI_INT, &type);
    tell("hindexed block", &type);
    MPI_Type_create_struct_c(2, lengths, bytes, both, &type);
    tell("struct", &type);
    MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    tell("subarray", &type);
    MPI_Type_create_darray_c(2, 1, 2, sizes, distributions, arguments, processes, MPI_ORDER_C,
                             MPI_INT, &type);
    tell("darray", &type);
    MPI_Type_create_resized_c(MPI_INT, -4, 12, &type);
    tell("resized", &type);
}

static void outside(void)
{
    int numbers[3] = {1, 2, 0x01020304}, back[3] = {0};
    unsigned char packed[32];
    MPI_Count size, at = 0;
    MPI_Pack_external_size_c("external32", 3, MPI_INT, &size);
    MPI_Pack_external_c("external32", numbers, 3, MPI_INT, packed, sizeof packed, &at);
    say("%d bytes, %d used, last %d %d", (int)size, (int)at, packed[8], packed[11]);
    at = 0;
    MPI_Unpack_external_c("external32", packed, sizeof packed, &at, back, 3, MPI_INT);
    say_numbers("unpacked", back, 3);
}

/* Types of Fortran, by the digits that they hold. */
static void digits(void)
{
    MPI_Datatype type;
    int size;
    MPI_Type_create_f90_integer(9, &type);
    MPI_Type_size(type, &size);
    say("integer of 9 digits: %d", size);
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
    MPI_Type_size(type, &size);
    say("real of 15 digits: %d", size);
    MPI_Type_create_f90_complex(6, 30, &type);
    MPI_Type_size(type, &size);
    say("complex of 6 digits: %d", size);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    constructors();
    outside();
    digits();
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
