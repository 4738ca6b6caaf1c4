/* ranks: 2 5 */
/* flags: -pthread */
/* Thread-specific values: each rank and each thread has its own, destructors run as threads end. */
#include "parity.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };

static pthread_key_t numbers, again;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, rounds;

static void forget(void *value)
{
    /* Long enough for a rank that does not wait for its threads to be gone by then. */
    usleep(2000);
    pthread_mutex_lock(&lock);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

/* Sets its own value anew, so that it is called once more. */
static void insist(void *value)
{
    int left = *(int *)value - 1;
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    if (left > 0) {
        int *next = malloc(sizeof *next);
        *next = left;
        pthread_setspecific(again, next);
    }
    free(value);
}

static int *number(int value)
{
    int *place = malloc(sizeof *place);
    *place = value;
    return place;
}

static void *work(void *argument)
{
    int nth = *(int *)argument, sum = 0;
    pthread_setspecific(numbers, number(10 * parity_rank + nth));
    pthread_setspecific(again, number(2));
    MPI_Sendrecv(&nth, 1, MPI_INT, parity_rank, nth, &sum, 1, MPI_INT, parity_rank, nth,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return *(int *)pthread_getspecific(numbers) == 10 * parity_rank + sum ? argument : NULL;
}

int main(int argc, char **argv)
{
    int provided, right = 0, nths[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    parity_begun();
    pthread_key_create(&numbers, forget);
    pthread_key_create(&again, insist);
    pthread_setspecific(numbers, number(1000 + parity_rank));
    for (int nth = 0; nth < THREADS; nth++) {
        nths[nth] = nth;
        pthread_create(&threads[nth], NULL, work, &nths[nth]);
    }
    for (int nth = 0; nth < THREADS; nth++) {
        void *result;
        pthread_join(threads[nth], &result);
        right += result == &nths[nth];
    }
    say("%d threads were right, %d destroyed, %d rounds", right, destroyed, rounds);
    say("own value %d", *(int *)pthread_getspecific(numbers));
    pthread_key_delete(again);
    say("a key that is gone: %s", pthread_setspecific(again, NULL) ? "error" : "taken");
    parity_end();
    /* The others end first, while their own values have destructors. */
    if (parity_rank == 0)
        for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 50;)
            ;
    return 0;
}
