/* ranks: 2 4 */
/* flags: -pthread */
/* Threads that send, receive, probe and wait for each other, in programs of MPI_THREAD_MULTIPLE. */
#include "parity.h"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS 4

static int sums[THREADS], flags[THREADS];
static __thread int own = 5;

/* Each thread exchanges with its twin on the next rank; tags keep the threads apart. */
static void *exchange(void *argument)
{
    int t = (int)(long)argument, peer = parity_rank ^ 1, in, out, i, main_thread;
    MPI_Request requests[2];
    MPI_Status status;
    own += t;
    for (i = 0; i < ROUNDS; i++) {
        out = 1000 * parity_rank + 10 * t + i;
        MPI_Irecv(&in, 1, MPI_INT, peer, t, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, peer, t, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sums[t] += in;
        MPI_Sendrecv(&out, 1, MPI_INT, peer, 50 + t, &in, 1, MPI_INT, peer, 50 + t, MPI_COMM_WORLD,
                     &status);
        sums[t] += in * (status.MPI_TAG - 49);
    }
    MPI_Is_thread_main(&main_thread);
    flags[t] = main_thread + 10 * own;
    pthread_exit((void *)(long)(t + 1));
}

/* One thread probes for what another thread of the same rank sends. */
static void *probe(void *argument)
{
    int *found = argument;
    MPI_Status status;
    MPI_Message message;
    MPI_Probe(parity_rank, 70, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &found[0]);
    MPI_Recv(&found[1], 1, MPI_INT, status.MPI_SOURCE, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(parity_rank, 71, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&found[2], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t done;
static int box = -1;

/* Hands what it receives over to the main thread, which waits on a condition. */
static void *deliver(void *argument)
{
    int in, left = (parity_rank + parity_size - 1) % parity_size;
    (void)argument;
    usleep(2000);
    MPI_Recv(&in, 1, MPI_INT, left, 80, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&lock);
    box = in;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    sem_wait(&done);
    MPI_Send(&in, 1, MPI_INT, left, 81, MPI_COMM_WORLD);
    return NULL;
}

/* A thread that makes a thread of its own. */
static void *nest(void *argument)
{
    pthread_t inner;
    pthread_create(&inner, NULL, probe, argument);
    pthread_join(inner, NULL);
    return NULL;
}

static void *detached(void *argument)
{
    int out = 9 + parity_rank;
    (void)argument;
    MPI_Send(&out, 1, MPI_INT, parity_rank, 90, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int t, level, found[3] = {-1, -1, -1}, value = 4 * 7, right, main_thread;
    pthread_t threads[THREADS], one;
    double before;
    own = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    parity_begun();
    say("level %s, own %d", level == MPI_THREAD_MULTIPLE ? "multiple" : "less", own);
    MPI_Query_thread(&t);
    MPI_Is_thread_main(&main_thread);
    say("asked again %s, main %d", t == level ? "the same" : "another", main_thread);

    for (t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, exchange, (void *)(long)t);
    for (t = 0; t < THREADS; t++) {
        void *result;
        pthread_join(threads[t], &result);
        say("thread %d: sum %d, flags %d, result %ld", t, sums[t], flags[t], (long)result);
    }
    say("own is still %d", own);

    pthread_create(&one, NULL, nest, found);
    MPI_Send(&value, 1, MPI_INT, parity_rank, 70, MPI_COMM_WORLD);
    value++;
    MPI_Ssend(&value, 1, MPI_INT, parity_rank, 71, MPI_COMM_WORLD);
    pthread_join(one, NULL);
    say_numbers("probed", found, 3);

    sem_init(&done, 0, 0);
    right = (parity_rank + 1) % parity_size;
    pthread_create(&one, NULL, deliver, NULL);
    before = MPI_Wtime();
    MPI_Send(&parity_rank, 1, MPI_INT, right, 80, MPI_COMM_WORLD);
    pthread_mutex_lock(&lock);
    while (box < 0)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    say("delivered %d, time has passed: %d", box, MPI_Wtime() - before >= 0.002);
    sem_post(&done);
    MPI_Recv(&value, 1, MPI_INT, right, 81, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(one, NULL);
    say("came back: %d", value);

    pthread_create(&one, NULL, detached, NULL);
    pthread_detach(one);
    MPI_Recv(&value, 1, MPI_INT, parity_rank, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("from a detached thread: %d", value);
    parity_end();
    return 0;
}
