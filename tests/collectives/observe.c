/* Which algorithms a real MPI library enters: `cargo xtask choices` compiles this file and runs it.
 *
 * For each line `operation bytes commutative` of the file in argv[1] it calls the operation, and
 * rank 0 prints the line with the ranks and the first algorithm that was entered. The algorithms
 * themselves are replaced by stubs, so no data moves and hundreds of large calls take no time:
 * what is observed is the library's own decision. Before and after, in MPI_Init and MPI_Finalize,
 * the stubs lead to the real algorithms.
 *
 * ALGORITHMS is a file of ALGORITHM(function, segment, fan): the numbers are those of the function's
 * arguments that have the segment size and the fan-out, counted from 1; 0 if there is none. With
 * WRAPPED defined the linker's --wrap puts the stubs before functions of a static library; otherwise
 * the stubs stand before those of a shared library because the program comes first when the loader
 * looks a name up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct algorithm {
    const char *function;
    int segment, fan;
};

#define ALGORITHM(function, segment, fan) {#function, segment, fan},
static const struct algorithm algorithms[] = {
#include ALGORITHMS
};
#undef ALGORITHM

enum { COUNT = sizeof algorithms / sizeof *algorithms };

static struct {
    int is_on, has_seen;
    int algorithm;
    long segment, fan;
} observed;

/* The function that a stub stands for. */
static void *real(int number)
{
    static void *known[COUNT];
#ifdef WRAPPED
#define ALGORITHM(function, segment, fan) extern void __real_##function(void);
#include ALGORITHMS
#undef ALGORITHM
#define ALGORITHM(function, segment, fan) (void *)__real_##function,
    static void *const wrapped[] = {
#include ALGORITHMS
    };
#undef ALGORITHM
    known[number] = wrapped[number];
#else
    if (!known[number]) known[number] = dlsym(RTLD_NEXT, algorithms[number].function);
#endif
    if (!known[number]) {
        fprintf(stderr, "the library has no %s\n", algorithms[number].function);
        abort();
    }
    return known[number];
}

static long argument(int number, const long *stack)
{
    /* Those that are looked at are all behind the sixth, which are on the stack. */
    return number > 6 ? (long)(int)stack[number - 7] : -1;
}

/* Called by a stub: where to go on, or null to return success at once. */
__attribute__((used)) static void *entered(long number, const long *stack)
{
    if (!observed.is_on) return real((int)number);
    if (!observed.has_seen) {
        observed.has_seen = 1;
        observed.algorithm = (int)number;
        observed.segment = argument(algorithms[number].segment, stack);
        observed.fan = argument(algorithms[number].fan, stack);
    }
    return NULL;
}

/* Keeps the arguments in registers, asks where to go on, and goes there. */
__asm__(".text\n"
        "observe_common:\n"
        "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n"
        "  movq %rax, %rdi\n"
        "  leaq 56(%rsp), %rsi\n" /* six registers and the return address */
        "  subq $8, %rsp\n"
        "  call entered\n"
        "  addq $8, %rsp\n"
        "  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n"
        "  testq %rax, %rax\n"
        "  jz 1f\n"
        "  jmp *%rax\n"
        "1:\n"
        "  ret\n");

#ifdef WRAPPED
#define STUB "__wrap_"
#else
#define STUB ""
#endif
/* The number of a stub is its place in the table, which assembly counts with a symbol. */
__asm__(".set observe_number, 0\n");
#define ALGORITHM(function, segment, fan)                                                          \
    __asm__(".globl " STUB #function "\n.type " STUB #function ", @function\n" STUB #function ":\n" \
            "  movl $observe_number, %eax\n  jmp observe_common\n"                                 \
            ".set observe_number, observe_number + 1\n");
#include ALGORITHMS
#undef ALGORITHM


static int size;

static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

static int *counts_of(int each)
{
    int *counts = malloc(size * sizeof *counts);
    for (int i = 0; i < size; i++) counts[i] = each;
    return counts;
}

static int *places_of(int each)
{
    int *places = malloc(size * sizeof *places);
    for (int i = 0; i < size; i++) places[i] = i * each;
    return places;
}

/* Calls an operation; sizes are of the vector in reductions and broadcasts, else of a block. */
static void call(const char *name, int bytes, MPI_Op op)
{
    static char in[1], out[1]; /* never touched */
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype byte = MPI_BYTE, element = MPI_INT;
    int count = bytes / 4;
#define IS(operation) (!strcmp(name, #operation))
    if (IS(barrier)) MPI_Barrier(comm);
    else if (IS(bcast)) MPI_Bcast(out, bytes, byte, 0, comm);
    else if (IS(gather)) MPI_Gather(in, bytes, byte, out, bytes, byte, 0, comm);
    else if (IS(gatherv))
        MPI_Gatherv(in, bytes, byte, out, counts_of(bytes), places_of(bytes), byte, 0, comm);
    else if (IS(scatter)) MPI_Scatter(in, bytes, byte, out, bytes, byte, 0, comm);
    else if (IS(scatterv))
        MPI_Scatterv(in, counts_of(bytes), places_of(bytes), byte, out, bytes, byte, 0, comm);
    else if (IS(allgather)) MPI_Allgather(in, bytes, byte, out, bytes, byte, comm);
    else if (IS(allgatherv))
        MPI_Allgatherv(in, bytes, byte, out, counts_of(bytes), places_of(bytes), byte, comm);
    else if (IS(alltoall)) MPI_Alltoall(in, bytes, byte, out, bytes, byte, comm);
    else if (IS(alltoallv)) {
        int *counts = counts_of(bytes), *places = places_of(bytes);
        MPI_Alltoallv(in, counts, places, byte, out, counts, places, byte, comm);
    } else if (IS(alltoallw)) {
        MPI_Datatype *types = malloc(size * sizeof *types);
        for (int i = 0; i < size; i++) types[i] = byte;
        int *counts = counts_of(bytes), *places = places_of(bytes);
        MPI_Alltoallw(in, counts, places, types, out, counts, places, types, comm);
    } else if (IS(reduce)) MPI_Reduce(in, out, count, element, op, 0, comm);
    else if (IS(allreduce)) MPI_Allreduce(in, out, count, element, op, comm);
    else if (IS(reduce_scatter))
        MPI_Reduce_scatter(in, out, counts_of(count / size), element, op, comm);
    else if (IS(reduce_scatter_block))
        MPI_Reduce_scatter_block(in, out, count / size, element, op, comm);
    else if (IS(scan)) MPI_Scan(in, out, count, element, op, comm);
    else if (IS(exscan)) MPI_Exscan(in, out, count, element, op, comm);
    else {
        fprintf(stderr, "no operation %s\n", name);
        MPI_Abort(comm, 2);
    }
}

int main(int argc, char **argv)
{
    int rank, bytes, commutes;
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *points = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!points) {
        fprintf(stderr, "usage: observe POINTS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Op fixed;
    MPI_Op_create(first, 0, &fixed);
    while (fscanf(points, "%31s %d %d", name, &bytes, &commutes) == 3) {
        observed.has_seen = 0;
        observed.is_on = 1;
        call(name, bytes, commutes ? MPI_SUM : fixed);
        observed.is_on = 0;
        if (rank) continue;
        printf("%s,%d,%d,%d,", name, size, bytes, commutes);
        if (!observed.has_seen) printf("none,,\n");
        else {
            printf("%s,", algorithms[observed.algorithm].function);
            observed.segment >= 0 ? printf("%ld,", observed.segment) : printf(",");
            observed.fan >= 0 ? printf("%ld\n", observed.fan) : printf("\n");
        }
    }
    fflush(stdout);
    MPI_Op_free(&fixed);
    MPI_Finalize();
    return 0;
}
