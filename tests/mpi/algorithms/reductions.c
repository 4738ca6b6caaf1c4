/* ranks: 1 3 8 */
/* platform: nodes.toml */
/* Collectives that combine data: numbers, pairs, and elements with gaps whose operation does not
 * commute; in place and not, in all forms of calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3, MOST = 16, ROOM = 4096, KINDS = 4 };

/* Elements of a kind are `bytes` bytes apart. */
struct kind {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
    size_t bytes;
};

static struct kind kinds[KINDS], *kind;
static char out[ROOM], in[ROOM], due[ROOM];
static int rank, size, form, in_place, root;
static const char *doing;
static MPI_Comm comm;

struct place {
    double value;
    int at;
};

/* A map x -> a x + b of the numbers modulo 251, with a gap between the two. */
struct map {
    int a, gap, b;
};

/* The right map after the left one. */
static struct map after(struct map left, struct map right)
{
    struct map both = right;
    both.a = left.a * right.a % 251;
    both.b = (right.a * left.b + right.b) % 251;
    return both;
}

static void apply(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((struct map *)right)[i] = after(((struct map *)left)[i], ((struct map *)right)[i]);
}

static void make_kinds(void)
{
    MPI_Datatype apart;
    MPI_Op op;
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Op_create(apply, 0, &op);
    kinds[0] = (struct kind){"bytes", MPI_UNSIGNED_CHAR, MPI_BXOR, 1};
    kinds[1] = (struct kind){"numbers", MPI_DOUBLE, MPI_SUM, sizeof(double)};
    kinds[2] = (struct kind){"places", MPI_DOUBLE_INT, MPI_MAXLOC, sizeof(struct place)};
    kinds[3] = (struct kind){"maps", apart, op, sizeof(struct map)};
}

/* Element `number` of a rank. */
static void element(void *at, int owner, int number)
{
    struct place place;
    memset(&place, 0, sizeof place);
    switch (kind - kinds) {
    case 0:
        *(unsigned char *)at = (unsigned char)(owner * 37 + number * 11);
        break;
    case 1:
        *(double *)at = owner * 100 + number;
        break;
    case 2:
        place.value = (owner * 7 + number) % 5;
        place.at = owner;
        memcpy(at, &place, sizeof place);
        break;
    default:
        *(struct map *)at = (struct map){2 + owner + number, -1, 3 * owner + number};
    }
}

static void combine(void *left, void *right)
{
    struct place *a = left, *b = right;
    switch (kind - kinds) {
    case 0:
        *(unsigned char *)right ^= *(unsigned char *)left;
        break;
    case 1:
        *(double *)right += *(double *)left;
        break;
    case 2:
        if (a->value >= b->value)
            *b = *a;
        break;
    default:
        *(struct map *)right = after(*(struct map *)left, *(struct map *)right);
    }
}

static void fill(void)
{
    memset(out, 0, ROOM);
    memset(in, 0, ROOM);
    for (int i = 0; i < COUNT * MOST; i++)
        element((in_place ? in : out) + i * kind->bytes, rank, i);
    /* What is not to be written has a value of its own. */
    for (int i = 0; !in_place && i < COUNT * MOST; i++)
        element(in + i * kind->bytes, 99, i);
}

/* Ends the run unless `count` elements of the result are those of ranks before `end`, from element
 * `first` on. */
static void check(int end, int first, int count)
{
    for (int i = 0; i < count; i++) {
        char *found = in + i * kind->bytes;
        memset(due, 0, ROOM);
        element(due, 0, first + i);
        for (int owner = 1; owner < end; owner++) {
            char next[64];
            memset(next, 0, sizeof next);
            element(next, owner, first + i);
            combine(due, next);
            memcpy(due, next, sizeof next);
        }
        if (kind - kinds == 2) {
            struct place *a = (void *)due, *b = (void *)found;
            if (a->value == b->value && a->at == b->at)
                continue;
        } else if (kind - kinds == 3) {
            struct map *a = (void *)due, *b = (void *)found;
            if (a->a == b->a && a->b == b->b)
                continue;
        } else if (!memcmp(due, found, kind->bytes)) {
            continue;
        }
        fprintf(stderr, "rank %d of %d: %s of %s, form %d, in place %d, root %d: element %d\n", rank,
                size, doing, kind->name, form, in_place, root, i);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

/* A call in the form that is due; persistent ones start twice, each time with fresh buffers. */
#define CALL(Name, Iname, ...)                                                                     \
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

static void rooted(void)
{
    /* In place is for the root alone; the others send from where it is. */
    void *mine = !in_place ? out : rank == root ? MPI_IN_PLACE : in;
    void *result = in_place && rank != root ? out : in;
    doing = "reduce";
    CALL(Reduce, Ireduce, mine, result, COUNT, kind->type, kind->op, root, comm);
    if (rank == root)
        check(size, 0, COUNT);
}

static void to_all(void)
{
    void *mine = in_place ? MPI_IN_PLACE : out;
    int counts[MOST], first = 0;
    doing = "allreduce";
    CALL(Allreduce, Iallreduce, mine, in, COUNT, kind->type, kind->op, comm);
    check(size, 0, COUNT);
    doing = "reduce_scatter_block";
    CALL(Reduce_scatter_block, Ireduce_scatter_block, mine, in, 2, kind->type, kind->op, comm);
    check(size, 2 * rank, 2);
    for (int i = 0; i < size; i++)
        counts[i] = i * 5 % 4;
    for (int i = 0; i < rank; i++)
        first += counts[i];
    doing = "reduce_scatter";
    CALL(Reduce_scatter, Ireduce_scatter, mine, in, counts, kind->type, kind->op, comm);
    check(size, first, counts[rank]);
    doing = "scan";
    CALL(Scan, Iscan, mine, in, COUNT, kind->type, kind->op, comm);
    check(rank + 1, 0, COUNT);
    doing = "exscan";
    CALL(Exscan, Iexscan, mine, in, COUNT, kind->type, kind->op, comm);
    if (rank > 0)
        check(rank, 0, COUNT);
    MPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    make_kinds();
    for (form = 0; form < 3; form++)
        for (int i = 0; i < KINDS; i++) {
            kind = &kinds[i];
            for (in_place = 0; in_place < 2; in_place++) {
                to_all();
                for (root = 0; root < size; root += size > 3 ? 3 : 1)
                    rooted();
            }
        }
    MPI_Op_free(&kinds[3].op);
    MPI_Type_free(&kinds[3].type);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
