/* ranks: 1 */
/* flags: -pthread */
/* Two threads are in MPI calls at the same time, which MPI_THREAD_SERIALIZED does not allow. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void *receive(void *argument)
{
    int in;
    MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int level, out = 1;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    pthread_create(&thread, NULL, receive, NULL);
    MPI_Recv(&out, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
