/* ranks: 2 */
/* flags: -pthread */
/* A thread of rank 1 writes where nothing is. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void *crash(void *argument)
{
    MPI_Barrier(MPI_COMM_SELF);
    *(volatile int *)argument = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    int level, rank, place;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, crash, rank == 1 ? NULL : &place);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
