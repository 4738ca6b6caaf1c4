/* ranks: 1 3 5 */
/* library: parts/counting.c */
/* A shared library of the program's own, with globals, statics and a thread-local: each rank has
 * its own, and the library's constructor and destructor run for each. */
#include "parity.h"
#include "parts/counting.h"

static int called_back(int number)
{
    return number + parity_rank;
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    say("constructed %d, from the start %d", counting_constructed(), counting_total);
    for (int i = 0; i <= parity_rank; i++)
        counting_add(10);
    MPI_Barrier(MPI_COMM_WORLD);
    say("total %d, calls %d, local %d", counting_total, counting_calls(), counting_local());
    counting_total += 1000;
    MPI_Barrier(MPI_COMM_WORLD);
    say("total seen by the library %d", counting_add(0));
    say("own address of a global: %d", &counting_total == counting_address());
    say("called back: %d", counting_through(called_back));
    say("MPI in the library: %d", counting_sum_of_ranks());
    parity_end();
    return 0;
}
