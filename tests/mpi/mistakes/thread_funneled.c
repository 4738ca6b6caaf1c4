/* ranks: 1 */
/* flags: -pthread */
/* A thread calls MPI, but MPI was started for the main thread alone. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void *call(void *argument)
{
    MPI_Barrier(MPI_COMM_SELF);
    return argument;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_create(&thread, NULL, call, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
