/* ranks: 1 3 8 */
/* platform: nodes.toml */
/* Collectives that move data, of types with gaps, in place and not, in all forms of calls. */
#include "types.h"

static int out[ROOM], in[ROOM];
static int root;
static int counts[64], places[64], sent_at[64];
static MPI_Comm comm, grid;

/* Bytes behind place `at`, for calls that count in bytes. */
static int bytes(int at)
{
    return at * shape->extent * (int)sizeof(int);
}

/* A call in the form that is due; persistent ones start twice, each time with fresh buffers. */
#define CALL(fill, Name, Iname, ...)                                                               \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill();                                                                                    \
        if (form == 0) {                                                                           \
            MPI_##Name(__VA_ARGS__);                                                               \
            break;                                                                                 \
        }                                                                                          \
        if (form == 1) {                                                                           \
            MPI_##Iname(__VA_ARGS__, &request);                                                    \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
            break;                                                                                 \
        }                                                                                          \
        MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                                   \
        for (int turn = 0; turn < 2; turn++) {                                                     \
            fill();                                                                                \
            MPI_Start(&request);                                                                   \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
        }                                                                                          \
        MPI_Request_free(&request);                                                                \
    } while (0)

/* How many elements a rank, or a pair of ranks, has where counts are uneven: now and then none. */
static int uneven(int number)
{
    return number * 5 % 4;
}

static void lay_out(int (*count)(int), int *counts, int *places)
{
    int at = 1;
    for (int i = 0; i < size; i++) {
        counts[i] = count(i);
        places[i] = at;
        at += counts[i] + 1;
    }
}

static void fill_bcast(void)
{
    clear(in);
    if (rank == root)
        put(in, 0, root, 0, 4);
}

static void bcast(void)
{
    doing = "bcast";
    CALL(fill_bcast, Bcast, Ibcast, in, 4, shape->type, root, comm);
    take(in, 0, root, 0, 4);
    empty(in);
}

/* The part of a rank is in its place, or in a buffer of its own. */
static void fill_own(int at, int count, int is_in_place)
{
    clear(out);
    clear(in);
    put(is_in_place ? in : out, is_in_place ? at : 0, rank, 0, count);
}

static void fill_gather(void)
{
    fill_own(2 * rank, 2, in_place && rank == root);
}

static void gather(void)
{
    void *mine = in_place && rank == root ? MPI_IN_PLACE : out;
    doing = "gather";
    CALL(fill_gather, Gather, Igather, mine, 2, shape->type, in, 2, shape->type, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        take(in, 2 * i, i, 0, 2);
    empty(in);
}

static void fill_gatherv(void)
{
    fill_own(places[rank], counts[rank], in_place && rank == root);
}

static void gatherv(void)
{
    void *mine = in_place && rank == root ? MPI_IN_PLACE : out;
    doing = "gatherv";
    lay_out(uneven, counts, places);
    CALL(fill_gatherv, Gatherv, Igatherv, mine, counts[rank], shape->type, in, counts, places,
         shape->type, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        take(in, places[i], i, 0, counts[i]);
    empty(in);
}

static void fill_scatter(void)
{
    clear(out);
    clear(in);
    for (int i = 0; rank == root && i < size; i++)
        put(out, places[i], i, 0, counts[i]);
}

static int two(int number)
{
    (void)number;
    return 2;
}

static void scatter(void)
{
    int stays = in_place && rank == root;
    void *mine = stays ? MPI_IN_PLACE : in;
    doing = "scatter";
    for (int i = 0; i < size; i++) {
        counts[i] = two(i);
        places[i] = 2 * i;
    }
    CALL(fill_scatter, Scatter, Iscatter, out, 2, shape->type, mine, 2, shape->type, root, comm);
    take(stays ? out : in, stays ? 2 * rank : 0, rank, 0, 2);
    empty(in);
    doing = "scatterv";
    lay_out(uneven, counts, places);
    CALL(fill_scatter, Scatterv, Iscatterv, out, counts, places, shape->type, mine, counts[rank],
         shape->type, root, comm);
    take(stays ? out : in, stays ? places[rank] : 0, rank, 0, counts[rank]);
    empty(in);
}

static void fill_allgather(void)
{
    fill_own(2 * rank, 2, in_place);
}

static void fill_allgatherv(void)
{
    fill_own(places[rank], counts[rank], in_place);
}

static void allgather(void)
{
    void *mine = in_place ? MPI_IN_PLACE : out;
    doing = "allgather";
    CALL(fill_allgather, Allgather, Iallgather, mine, 2, shape->type, in, 2, shape->type, comm);
    for (int i = 0; i < size; i++)
        take(in, 2 * i, i, 0, 2);
    empty(in);
    doing = "allgatherv";
    lay_out(uneven, counts, places);
    CALL(fill_allgatherv, Allgatherv, Iallgatherv, mine, counts[rank], shape->type, in, counts,
         places, shape->type, comm);
    for (int i = 0; i < size; i++)
        take(in, places[i], i, 0, counts[i]);
    empty(in);
}

/* As many one way as the other, for in place nothing else can be. */
static int between(int other)
{
    return uneven(rank + other);
}

static void fill_alltoall(void)
{
    int *mine = in_place ? in : out;
    clear(out);
    clear(in);
    for (int i = 0; i < size; i++)
        put(mine, places[i], rank, i, counts[i]);
}

static void take_alltoall(void)
{
    for (int i = 0; i < size; i++)
        take(in, places[i], i, rank, counts[i]);
    empty(in);
}

static void alltoall(void)
{
    void *mine = in_place ? MPI_IN_PLACE : out;
    MPI_Datatype types[64];
    doing = "alltoall";
    for (int i = 0; i < size; i++) {
        counts[i] = two(i);
        places[i] = 2 * i;
    }
    CALL(fill_alltoall, Alltoall, Ialltoall, mine, 2, shape->type, in, 2, shape->type, comm);
    take_alltoall();
    doing = "alltoallv";
    lay_out(between, counts, places);
    CALL(fill_alltoall, Alltoallv, Ialltoallv, mine, counts, places, shape->type, in, counts,
         places, shape->type, comm);
    take_alltoall();
    doing = "alltoallw";
    for (int i = 0; i < size; i++) {
        types[i] = shape->type;
        sent_at[i] = bytes(places[i]);
    }
    CALL(fill_alltoall, Alltoallw, Ialltoallw, mine, counts, sent_at, types, in, counts, sent_at,
         types, comm);
    take_alltoall();
}

/* Along a ring of the ranks: what goes to the next comes from the one before. */
static void fill_neighbours(void)
{
    clear(out);
    clear(in);
    put(out, 0, rank, 0, 2);
    put(out, 2, rank, 1, 2);
}

static void neighbours(void)
{
    int before = (rank + size - 1) % size, after = (rank + 1) % size;
    int twos[2] = {2, 2}, at[2] = {0, 2};
    MPI_Aint far[2] = {0, bytes(2)};
    MPI_Datatype types[2] = {shape->type, shape->type};
    doing = "neighbor_allgather";
    CALL(fill_neighbours, Neighbor_allgather, Ineighbor_allgather, out, 2, shape->type, in, 2,
         shape->type, grid);
    take(in, 0, before, 0, 2);
    take(in, 2, after, 0, 2);
    empty(in);
    doing = "neighbor_allgatherv";
    CALL(fill_neighbours, Neighbor_allgatherv, Ineighbor_allgatherv, out, 2, shape->type, in, twos,
         at, shape->type, grid);
    take(in, 0, before, 0, 2);
    take(in, 2, after, 0, 2);
    empty(in);
    doing = "neighbor_alltoall";
    CALL(fill_neighbours, Neighbor_alltoall, Ineighbor_alltoall, out, 2, shape->type, in, 2,
         shape->type, grid);
    take(in, 0, before, 1, 2);
    take(in, 2, after, 0, 2);
    empty(in);
    doing = "neighbor_alltoallv";
    CALL(fill_neighbours, Neighbor_alltoallv, Ineighbor_alltoallv, out, twos, at, shape->type, in,
         twos, at, shape->type, grid);
    take(in, 0, before, 1, 2);
    take(in, 2, after, 0, 2);
    empty(in);
    doing = "neighbor_alltoallw";
    CALL(fill_neighbours, Neighbor_alltoallw, Ineighbor_alltoallw, out, twos, far, types, in, twos,
         far, types, grid);
    take(in, 0, before, 1, 2);
    take(in, 2, after, 0, 2);
    empty(in);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Cart_create(comm, 1, &size, (int[]){1}, 0, &grid);
    make_shapes();
    for (form = 0; form < 3; form++)
        for (int i = 0; i < SHAPES; i++) {
            shape = &shapes[i];
            neighbours();
            for (in_place = 0; in_place < 2; in_place++) {
                allgather();
                alltoall();
                for (root = 0; root < size; root += size > 3 ? 3 : 1) {
                    bcast();
                    gather();
                    gatherv();
                    scatter();
                }
            }
        }
    free_shapes();
    MPI_Comm_free(&grid);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
