/* ranks: 1 4 */
/* archive: parts/main.c */
/* `main` comes from a static archive; only what it calls is here. */
#include "parity.h"

static int turns = 1;

int work(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    for (int i = 0; i < parity_rank; i++)
        turns *= 2;
    MPI_Barrier(MPI_COMM_WORLD);
    say("turns %d", turns);
    parity_end();
    return 0;
}
