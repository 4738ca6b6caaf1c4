/* Programs that end, or go on, as not all do. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();
        if (child == 0) exit(0);
        waitpid(child, NULL, 0);
    }
    if (strcmp(how, "chdir") == 0 && chdir("/") != 0) return 1;
    if (strcmp(how, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "exit") == 0) exit(0);
    MPI_Finalize();
    return 0;
}
