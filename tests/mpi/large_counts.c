/* ranks: 2 3 */
/* The forms of calls that take MPI_Count: same results, and counts that no int holds. */
#include "parity.h"

#if MPI_VERSION >= 4
static void messages(void)
{
    int out[4] = {parity_rank, 2, 3, 4}, in[4] = {0};
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    MPI_Count count = 0;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Sendrecv_c(out, 3, MPI_INT, right, 1, in, 4, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    say("sendrecv: %d, count %lld", in[0], (long long)count);
    MPI_Irecv_c(in, 4, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, 2, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Get_elements_c(&status, MPI_INT, &count);
    say("isend: %d, elements %lld", in[0], (long long)count);
}

static void collectives(void)
{
    int mine[2] = {parity_rank, 1}, sum[2], all[16];
    MPI_Count counts[8];
    MPI_Aint places[8];
    for (int i = 0; i < parity_size; i++) {
        counts[i] = 1;
        places[i] = parity_size - 1 - i;
    }
    MPI_Allreduce_c(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say_numbers("allreduce", sum, 2);
    MPI_Allgather_c(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    say_numbers("allgather", all, 2 * parity_size);
    MPI_Allgatherv_c(mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    say_numbers("allgatherv", all, parity_size);
    MPI_Bcast_c(mine, 2, MPI_INT, parity_size - 1, MPI_COMM_WORLD);
    say_numbers("bcast", mine, 2);
}

static void types(void)
{
    const MPI_Count huge = 3000000000LL;
    MPI_Count size, lower, extent;
    MPI_Datatype type, wide;
    MPI_Status status;
    int small;
    MPI_Type_contiguous_c(huge, MPI_INT, &type);
    MPI_Type_size_c(type, &size);
    MPI_Type_get_extent_c(type, &lower, &extent);
    say("size %lld, extent %lld from %lld", (long long)size, (long long)extent, (long long)lower);
    MPI_Type_size(type, &small);
    say("as int: %s", small == MPI_UNDEFINED ? "undefined" : "wrong");
    MPI_Type_vector_c(2, 1, huge, MPI_CHAR, &wide);
    MPI_Type_get_extent_c(wide, &lower, &extent);
    MPI_Type_size_c(wide, &size);
    say("vector: size %lld, extent %lld", (long long)size, (long long)extent);
    memset(&status, 0, sizeof status);
    MPI_Status_set_elements_x(&status, MPI_CHAR, huge);
    MPI_Get_elements_x(&status, MPI_CHAR, &size);
    MPI_Get_count(&status, MPI_CHAR, &small);
    say("status: %lld, as int %s", (long long)size, small == MPI_UNDEFINED ? "undefined" : "wrong");
    MPI_Type_free(&wide);
    MPI_Type_free(&type);
}

static void packing(void)
{
    int values[3] = {1, 2, 3}, back[3] = {0};
    char room[64];
    MPI_Count size, at = 0;
    MPI_Pack_size_c(3, MPI_INT, MPI_COMM_WORLD, &size);
    MPI_Pack_c(values, 3, MPI_INT, room, 64, &at, MPI_COMM_WORLD);
    say("packed %lld of %lld", (long long)at, (long long)size);
    at = 0;
    MPI_Unpack_c(room, 64, &at, back, 3, MPI_INT, MPI_COMM_WORLD);
    say_numbers("unpacked", back, 3);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    messages();
    collectives();
    types();
    packing();
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
