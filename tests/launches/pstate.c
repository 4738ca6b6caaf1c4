/* A program that slows its node down while it waits for nobody. */
#include <foretell.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double start, fast, slow;
    MPI_Init(&argc, &argv);
    start = MPI_Wtime();
    foretell_compute_flops(1e9);
    fast = MPI_Wtime() - start;
    foretell_set_pstate(1);
    start = MPI_Wtime();
    foretell_compute_flops(1e9);
    slow = MPI_Wtime() - start;
    printf("pstate %d of %d, %.3f s, then %.3f s\n", foretell_pstate(), foretell_pstate_count(),
           fast, slow);
    if (argc > 1)
        foretell_set_pstate(9);
    MPI_Finalize();
    return 0;
}
