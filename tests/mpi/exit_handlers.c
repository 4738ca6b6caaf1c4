/* ranks: 1 3 */
/* exit: 6 */
/* Handlers of exit run for each rank, last registered first, after MPI_Finalize; codes pass. */
#include "parity.h"

static int order;

static void first(void)
{
    order = order * 10 + 1;
    if (parity_rank == 0) {
        printf("order %d\n", order);
        fflush(stdout);
    }
}

static void second(void)
{
    order = order * 10 + 2;
}

static void third(void)
{
    int finalized;
    MPI_Finalized(&finalized);
    order = finalized ? 3 : 9;
}

int main(int argc, char **argv)
{
    atexit(first);
    atexit(second);
    parity_begin(&argc, &argv);
    atexit(third);
    say("before the end");
    parity_end();
    exit(6);
}
