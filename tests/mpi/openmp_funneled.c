/* ranks: 1 2 4 */
/* flags: -fopenmp */
/* OpenMP under MPI_THREAD_FUNNELED: the master communicates inside of parallel regions. */
#include "parity.h"
#include <omp.h>

#define THREADS 3

int main(int argc, char **argv)
{
    int level, round, values[THREADS] = {0};
    long total = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    parity_begun();
    say("level %s", level == MPI_THREAD_FUNNELED ? "funneled" : "another");
    for (round = 0; round < 4; round++) {
        /* Ranks are in regions of different sizes, and wait for each other there. */
        int count = 1 + (parity_rank + round) % THREADS, in = -1, seen = 0;
#pragma omp parallel num_threads(count)
        {
            int t = omp_get_thread_num();
            values[t] = 10 * parity_rank + t + round;
#pragma omp barrier
#pragma omp master
            {
                int right = (parity_rank + 1) % parity_size;
                int left = (parity_rank + parity_size - 1) % parity_size;
                MPI_Sendrecv(&values[count - 1], 1, MPI_INT, right, 3, &in, 1, MPI_INT, left, 3,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Barrier(MPI_COMM_WORLD);
            }
#pragma omp barrier
#pragma omp critical
            seen += in + omp_get_num_threads();
        }
        say("round %d: %d threads, %d, %d", round, count, in, seen);
    }
#pragma omp parallel for reduction(+ : total) num_threads(THREADS)
    for (int i = 0; i < 1000; i++)
        total += i * (parity_rank + 1);
    say("total %ld", total);
    parity_end();
    return 0;
}
