/* ranks: 2 3 5 */
/* flags: -pthread */
/* Collectives of several threads at the same time, each on a communicator of its own. */
#include "parity.h"
#include <threads.h>

#define THREADS 3

struct job {
    MPI_Comm comm;
    int number, results[7];
};

static int work(void *argument)
{
    struct job *job = argument;
    int rank, size, value, buffer[16], sum = 0, i;
    MPI_Comm inner;
    MPI_Request request;
    MPI_Comm_rank(job->comm, &rank);
    MPI_Comm_size(job->comm, &size);
    value = 10 * job->number + rank;
    MPI_Allreduce(&value, &job->results[0], 1, MPI_INT, MPI_SUM, job->comm);
    MPI_Bcast(&value, 1, MPI_INT, size - 1, job->comm);
    job->results[1] = value;
    MPI_Allgather(&rank, 1, MPI_INT, buffer, 1, MPI_INT, job->comm);
    for (i = 0; i < size; i++)
        sum += buffer[i] * (i + 1);
    job->results[2] = sum;
    MPI_Iallreduce(&sum, &job->results[3], 1, MPI_INT, MPI_MAX, job->comm, &request);
    MPI_Barrier(job->comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup(job->comm, &inner);
    MPI_Scan(&value, &job->results[4], 1, MPI_INT, MPI_SUM, inner);
    MPI_Comm_free(&inner);
    MPI_Comm_split(job->comm, rank % 2, -rank, &inner);
    MPI_Comm_rank(inner, &job->results[5]);
    MPI_Comm_size(inner, &job->results[6]);
    MPI_Comm_free(&inner);
    return 40 + job->number;
}

int main(int argc, char **argv)
{
    struct job jobs[THREADS];
    thrd_t threads[THREADS];
    int level, t, result;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    parity_begun();
    for (t = 0; t < THREADS; t++) {
        jobs[t].number = t;
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[t].comm);
    }
    for (t = 0; t < THREADS; t++)
        thrd_create(&threads[t], work, &jobs[t]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (t = 0; t < THREADS; t++) {
        thrd_join(threads[t], &result);
        say("thread %d returned %d", t, result);
        say_numbers("results", jobs[t].results, 7);
        MPI_Comm_free(&jobs[t].comm);
    }
    parity_end();
    return 0;
}
