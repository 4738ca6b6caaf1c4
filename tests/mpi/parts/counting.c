/* A shared library with a state: see counting.h. */
#include "counting.h"

#include <mpi.h>

int counting_total = 5;
static int constructed;
static __thread int local = 40;

__attribute__((constructor)) static void construct(void)
{
    constructed++;
}

int counting_constructed(void)
{
    return constructed;
}

static int *calls(void)
{
    static int count;
    return &count;
}

int counting_add(int number)
{
    ++*calls();
    local++;
    return counting_total += number;
}

int counting_calls(void)
{
    return *calls();
}

int counting_local(void)
{
    return local;
}

int counting_through(int (*function)(int))
{
    return function(counting_total);
}

const int *counting_address(void)
{
    return &counting_total;
}

int counting_sum_of_ranks(void)
{
    int rank, sum;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
