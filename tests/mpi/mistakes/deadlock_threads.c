/* ranks: 2 */
/* flags: -pthread */
/* Two threads of each rank wait for messages that nobody sends, and the main thread for them. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static int rank;

static void *receive(void *argument)
{
    int in;
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, (int)(long)argument, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&threads[0], NULL, receive, (void *)1L);
    pthread_create(&threads[1], NULL, receive, (void *)2L);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    MPI_Finalize();
    return 0;
}
