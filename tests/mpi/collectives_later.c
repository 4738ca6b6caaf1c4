/* ranks: 2 */
/* Every collective in its other forms: for large counts, nonblocking, and to be started again. */
#include "parity.h"

#if MPI_VERSION >= 4
#define MOST 8

static int out[4 * MOST], in[4 * MOST], shown, root;
static int counts[MOST], places[MOST], ones[MOST], steps[MOST], bytes[MOST];
static MPI_Count counts_c[MOST], ones_c[MOST];
static MPI_Aint places_c[MOST], steps_c[MOST], bytes_c[MOST];
static MPI_Datatype types[MOST];

static void fill(void)
{
    for (int i = 0; i < 4 * MOST; i++) {
        out[i] = 100 * (parity_rank + 1) + i;
        in[i] = -1;
    }
}

/* What a call has brought. */
static void show(const char *name)
{
    say_numbers(name, in, shown);
}

#define NOW(function, ...) \
    do { \
        fill(); \
        function(__VA_ARGS__); \
        show(#function); \
    } while (0)

#define LATER(function, ...) \
    do { \
        MPI_Request request; \
        fill(); \
        function(__VA_ARGS__, &request); \
        MPI_Wait(&request, MPI_STATUS_IGNORE); \
        show(#function); \
    } while (0)

#define AGAIN(function, ...) \
    do { \
        MPI_Request request; \
        fill(); \
        function(__VA_ARGS__, MPI_INFO_NULL, &request); \
        for (int round = 0; round < 2; round++) { \
            MPI_Start(&request); \
            MPI_Wait(&request, MPI_STATUS_IGNORE); \
        } \
        MPI_Request_free(&request); \
        show(#function); \
    } while (0)

#define WORLD MPI_COMM_WORLD
#define TWO out, 2, MPI_INT, in, 2, MPI_INT
#define ROOTED TWO, root, WORLD

static void to_and_from_a_root(void)
{
    shown = 2 * parity_size;
    LATER(MPI_Igather, ROOTED);
    AGAIN(MPI_Gather_init, ROOTED);
    NOW(MPI_Gather_c, ROOTED);
    LATER(MPI_Igather_c, ROOTED);
    AGAIN(MPI_Gather_init_c, ROOTED);
    shown = 2;
    LATER(MPI_Iscatter, ROOTED);
    AGAIN(MPI_Scatter_init, ROOTED);
    NOW(MPI_Scatter_c, ROOTED);
    LATER(MPI_Iscatter_c, ROOTED);
    AGAIN(MPI_Scatter_init_c, ROOTED);
    shown = 3 * parity_size;
#define GATHERED out, counts[parity_rank], MPI_INT, in
    NOW(MPI_Gatherv_c, GATHERED, counts_c, places_c, MPI_INT, root, WORLD);
    LATER(MPI_Igatherv, GATHERED, counts, places, MPI_INT, root, WORLD);
    LATER(MPI_Igatherv_c, GATHERED, counts_c, places_c, MPI_INT, root, WORLD);
    AGAIN(MPI_Gatherv_init, GATHERED, counts, places, MPI_INT, root, WORLD);
    AGAIN(MPI_Gatherv_init_c, GATHERED, counts_c, places_c, MPI_INT, root, WORLD);
    shown = counts[parity_rank];
#define SCATTERED MPI_INT, in, counts[parity_rank], MPI_INT, root, WORLD
    NOW(MPI_Scatterv, out, counts, places, SCATTERED);
    NOW(MPI_Scatterv_c, out, counts_c, places_c, SCATTERED);
    LATER(MPI_Iscatterv, out, counts, places, SCATTERED);
    LATER(MPI_Iscatterv_c, out, counts_c, places_c, SCATTERED);
    AGAIN(MPI_Scatterv_init, out, counts, places, SCATTERED);
    AGAIN(MPI_Scatterv_init_c, out, counts_c, places_c, SCATTERED);
}

/* What the root sends is in the place where the others receive. */
static void from_one_to_all(void)
{
    MPI_Request request;
    for (int form = 0; form < 3; form++) {
        int value[2] = {parity_rank, form};
        if (form == 0)
            MPI_Ibcast(value, 2, MPI_INT, root, WORLD, &request);
        else if (form == 1)
            MPI_Ibcast_c(value, 2, MPI_INT, root, WORLD, &request);
        else
            MPI_Bcast_init_c(value, 2, MPI_INT, root, WORLD, MPI_INFO_NULL, &request);
        if (form == 2)
            MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        say_numbers("bcast", value, 2);
        if (form == 2)
            MPI_Request_free(&request);
    }
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void all_to_all(void)
{
    shown = 2 * parity_size;
    LATER(MPI_Iallgather_c, TWO, WORLD);
    AGAIN(MPI_Allgather_init, TWO, WORLD);
    AGAIN(MPI_Allgather_init_c, TWO, WORLD);
    NOW(MPI_Alltoall_c, TWO, WORLD);
    LATER(MPI_Ialltoall, TWO, WORLD);
    LATER(MPI_Ialltoall_c, TWO, WORLD);
    AGAIN(MPI_Alltoall_init_c, TWO, WORLD);
    shown = 3 * parity_size;
    NOW(MPI_Allgatherv, GATHERED, counts, places, MPI_INT, WORLD);
    LATER(MPI_Iallgatherv, GATHERED, counts, places, MPI_INT, WORLD);
    LATER(MPI_Iallgatherv_c, GATHERED, counts_c, places_c, MPI_INT, WORLD);
    AGAIN(MPI_Allgatherv_init, GATHERED, counts, places, MPI_INT, WORLD);
    AGAIN(MPI_Allgatherv_init_c, GATHERED, counts_c, places_c, MPI_INT, WORLD);
#define EACH out, ones, steps, MPI_INT, in, ones, places, MPI_INT, WORLD
#define EACH_C out, ones_c, steps_c, MPI_INT, in, ones_c, places_c, MPI_INT, WORLD
    NOW(MPI_Alltoallv, EACH);
    NOW(MPI_Alltoallv_c, EACH_C);
    LATER(MPI_Ialltoallv, EACH);
    LATER(MPI_Ialltoallv_c, EACH_C);
    AGAIN(MPI_Alltoallv_init, EACH);
    AGAIN(MPI_Alltoallv_init_c, EACH_C);
#define TYPED out, ones, bytes, types, in, ones, bytes, types, WORLD
#define TYPED_C out, ones_c, bytes_c, types, in, ones_c, bytes_c, types, WORLD
    NOW(MPI_Alltoallw_c, TYPED_C);
    LATER(MPI_Ialltoallw, TYPED);
    LATER(MPI_Ialltoallw_c, TYPED_C);
    AGAIN(MPI_Alltoallw_init, TYPED);
    AGAIN(MPI_Alltoallw_init_c, TYPED_C);
}

static void reductions(void)
{
#define SUM out, in, 2, MPI_INT, MPI_SUM
    shown = 2;
    NOW(MPI_Reduce_c, SUM, root, WORLD);
    LATER(MPI_Ireduce_c, SUM, root, WORLD);
    AGAIN(MPI_Reduce_init_c, SUM, root, WORLD);
    LATER(MPI_Iallreduce_c, SUM, WORLD);
    AGAIN(MPI_Allreduce_init_c, SUM, WORLD);
    NOW(MPI_Scan_c, SUM, WORLD);
    LATER(MPI_Iscan, SUM, WORLD);
    LATER(MPI_Iscan_c, SUM, WORLD);
    AGAIN(MPI_Scan_init_c, SUM, WORLD);
    NOW(MPI_Exscan_c, SUM, WORLD);
    LATER(MPI_Iexscan, SUM, WORLD);
    LATER(MPI_Iexscan_c, SUM, WORLD);
    AGAIN(MPI_Exscan_init_c, SUM, WORLD);
    NOW(MPI_Reduce_local_c, SUM);
    NOW(MPI_Reduce_scatter_block_c, SUM, WORLD);
    LATER(MPI_Ireduce_scatter_block, SUM, WORLD);
    LATER(MPI_Ireduce_scatter_block_c, SUM, WORLD);
    AGAIN(MPI_Reduce_scatter_block_init_c, SUM, WORLD);
    shown = counts[parity_rank];
#define PARTS MPI_INT, MPI_SUM, WORLD
    NOW(MPI_Reduce_scatter_c, out, in, counts_c, PARTS);
    LATER(MPI_Ireduce_scatter, out, in, counts, PARTS);
    LATER(MPI_Ireduce_scatter_c, out, in, counts_c, PARTS);
    AGAIN(MPI_Reduce_scatter_init, out, in, counts, PARTS);
    AGAIN(MPI_Reduce_scatter_init_c, out, in, counts_c, PARTS);
}

static void greatest(void *given, void *kept, MPI_Count *count, MPI_Datatype *type)
{
    (void)type;
    for (MPI_Count i = 0; i < *count; i++)
        if (((int *)given)[i] > ((int *)kept)[i])
            ((int *)kept)[i] = ((int *)given)[i];
}

int main(int argc, char **argv)
{
    MPI_Op op;
    parity_begin(&argc, &argv);
    root = parity_size - 1;
    for (int i = 0; i < parity_size; i++) {
        counts[i] = 1 + i % 2;
        places[i] = 3 * i;
        ones[i] = 1;
        steps[i] = i;
        bytes[i] = 8 * i;
        counts_c[i] = counts[i];
        places_c[i] = places[i];
        ones_c[i] = 1;
        steps_c[i] = i;
        bytes_c[i] = 8 * i;
        types[i] = MPI_INT;
    }
    to_and_from_a_root();
    from_one_to_all();
    all_to_all();
    reductions();
    MPI_Op_create_c(greatest, 1, &op);
    shown = 2;
    NOW(MPI_Allreduce, out, in, 2, MPI_INT, op, WORLD);
    MPI_Op_free(&op);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
