/* ranks: 1 3 6 8 */
/* Operations: of the program, with and without commutation, and predefined ones. */
#include "parity.h"

/* A 2 x 2 matrix of numbers modulo a prime: multiplication does not commute. */
typedef struct {
    long a[4];
} matrix;

static void multiply(void *left, void *right, int *count, MPI_Datatype *type)
{
    const matrix *in = left;
    matrix *inout = right;
    (void)type;
    for (int i = 0; i < *count; i++) {
        const long *x = in[i].a, *y = inout[i].a;
        matrix z = {{(x[0] * y[0] + x[1] * y[2]) % 9973, (x[0] * y[1] + x[1] * y[3]) % 9973,
                     (x[2] * y[0] + x[3] * y[2]) % 9973, (x[2] * y[1] + x[3] * y[3]) % 9973}};
        inout[i] = z;
    }
}

static void largest_with_sum(void *left, void *right, int *count, MPI_Datatype *type)
{
    const int *in = left;
    int *inout = right;
    (void)type;
    for (int i = 0; i < *count; i++) {
        inout[2 * i] = in[2 * i] > inout[2 * i] ? in[2 * i] : inout[2 * i];
        inout[2 * i + 1] += in[2 * i + 1];
    }
}

static matrix own(int number)
{
    matrix m = {{1 + parity_rank, 2 + number, 3 * parity_rank + 1, 5}};
    return m;
}

static void show(const char *name, const matrix *m, int count)
{
    for (int i = 0; i < count; i++)
        say("%s %d: %ld %ld %ld %ld", name, i, m[i].a[0], m[i].a[1], m[i].a[2], m[i].a[3]);
}

static void matrices(void)
{
    matrix mine[8], result[8], share[8];
    MPI_Datatype type;
    MPI_Request request;
    MPI_Op op;
    int commutes, counts[8];
    for (int i = 0; i < 8; i++)
        mine[i] = own(i);
    MPI_Type_contiguous(4, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(multiply, 0, &op);
    MPI_Op_commutative(op, &commutes);
    say("commutes: %d", commutes);
    memset(result, 0, sizeof result);
    for (int root = 0; root < parity_size; root += parity_size - 1 > 0 ? parity_size - 1 : 1)
        MPI_Reduce(mine, result, 3, type, op, root, MPI_COMM_WORLD);
    show("reduce", result, parity_rank == 0 || parity_rank == parity_size - 1 ? 3 : 0);
    MPI_Allreduce(mine, result, 2, type, op, MPI_COMM_WORLD);
    show("allreduce", result, 2);
    MPI_Scan(mine, result, 2, type, op, MPI_COMM_WORLD);
    show("scan", result, 2);
    MPI_Exscan(mine, result, 2, type, op, MPI_COMM_WORLD);
    show("exscan", result, parity_rank > 0 ? 2 : 0);
    MPI_Reduce_scatter_block(mine, share, 1, type, op, MPI_COMM_WORLD);
    show("reduce_scatter_block", share, 1);
    for (int i = 0; i < parity_size; i++)
        counts[i] = i == 0 ? 2 : i == 1 ? 0 : 1;
    if (parity_size > 1) {
        MPI_Reduce_scatter(mine, share, counts, type, op, MPI_COMM_WORLD);
        show("reduce_scatter", share, counts[parity_rank]);
    }
    MPI_Iallreduce(mine, result, 1, type, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("iallreduce", result, 1);
    MPI_Reduce_local(mine, &mine[4], 2, type, op);
    show("local", &mine[4], 2);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

static void pairs(void)
{
    int mine[4] = {parity_rank * 7 % 5, 1, -parity_rank, parity_rank}, result[4];
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(largest_with_sum, 1, &op);
    MPI_Allreduce(mine, result, 2, pair, op, MPI_COMM_WORLD);
    say_numbers("pairs", result, 4);
    MPI_Allreduce(MPI_IN_PLACE, mine, 1, pair, op, MPI_COMM_WORLD);
    say_numbers("pairs in place", mine, 2);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

static void predefined(void)
{
    static const struct {
        const char *name;
        int which;
    } names[] = {{"max", 0}, {"min", 1}, {"sum", 2}, {"prod", 3}, {"land", 4}, {"band", 5},
                 {"lor", 6}, {"bor", 7}, {"lxor", 8}, {"bxor", 9}};
    MPI_Op ops[10] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND,
                      MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
    int value = parity_rank % 3 + 1, result;
    unsigned char small = (unsigned char)(1 << parity_rank % 8), bits;
    struct {
        double value;
        int at;
    } place = {(double)(parity_rank * 5 % 7), parity_rank}, best;
    for (int i = 0; i < 10; i++) {
        MPI_Allreduce(&value, &result, 1, MPI_INT, ops[i], MPI_COMM_WORLD);
        say("%s: %d", names[i].name, result);
    }
    MPI_Allreduce(&small, &bits, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    say("bytes: %d", bits);
    MPI_Allreduce(&place, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    say("maxloc: %g at %d", best.value, best.at);
    MPI_Allreduce(&place, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    say("minloc: %g at %d", best.value, best.at);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    matrices();
    pairs();
    predefined();
    parity_end();
    return 0;
}
