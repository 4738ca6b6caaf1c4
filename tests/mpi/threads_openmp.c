/* ranks: 2 4 */
/* flags: -fopenmp */
/* OpenMP: every thread of a team calls MPI, in sections of one at a time too. */
#include "parity.h"
#include <omp.h>

#define THREADS 3

static int kept;
#pragma omp threadprivate(kept)

/* Every thread exchanges with its twin. */
static void exchange(void)
{
    int in[THREADS] = {0};
#pragma omp parallel num_threads(THREADS)
    {
        int t = omp_get_thread_num(), out = 100 * parity_rank + t, peer = parity_rank ^ 1;
        kept = t;
        MPI_Sendrecv(&out, 1, MPI_INT, peer, t, &in[t], 1, MPI_INT, peer, t, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
#pragma omp barrier
        if (t == 0)
            MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        in[t] += 1000 * kept;
    }
    say_numbers("exchanged", in, THREADS);
}

/* Messages leave from critical sections, the one without a name among them. */
static void critical(void)
{
    int right = (parity_rank + 1) % parity_size, left = (parity_rank + parity_size - 1) % parity_size;
    int sum = 0, named = 0;
#pragma omp parallel num_threads(THREADS)
    {
        int in, out = parity_rank;
#pragma omp critical
        {
            MPI_Sendrecv(&out, 1, MPI_INT, right, 7, &in, 1, MPI_INT, left, 7, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            sum += in;
        }
#pragma omp critical(other)
        {
            MPI_Send(&out, 1, MPI_INT, parity_rank, 8, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, parity_rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            named += in + 1;
        }
    }
    say("critical: %d, %d", sum, named);
}

/* One thread communicates while the others compute. */
static void overlap(void)
{
    int sum = -1;
    long work = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : work)
    {
#pragma omp master
        MPI_Allreduce(&parity_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 300; i++)
            work += i;
    }
    say("overlapped: %d, %ld", sum, work);
}

/* Tasks, any of which may be run by any thread. */
static void tasks(void)
{
    int in[6] = {0};
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i)
        {
            MPI_Request request;
            int out = i * i;
            MPI_Irecv(&in[i], 1, MPI_INT, parity_rank, 20 + i, MPI_COMM_WORLD, &request);
            MPI_Send(&out, 1, MPI_INT, parity_rank, 20 + i, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    say_numbers("tasks", in, 6);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    parity_begun();
    say("level %s", level == MPI_THREAD_MULTIPLE ? "multiple" : "less");
    for (int i = 0; i < 3; i++)
        exchange();
    critical();
    overlap();
    tasks();
    parity_end();
    return 0;
}
