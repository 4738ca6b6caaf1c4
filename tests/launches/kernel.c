/* Kernels called by name, one of them the file's own. */
#include <foretell.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, m = 1000;
    double start, known, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start = MPI_Wtime();
    foretell_kernel("dgemm", m, 2 * m, 0.5 * m);
    known = MPI_Wtime() - start;
    start = MPI_Wtime();
    foretell_kernel("stencil", (1 + rank) * 1000L);
    own = MPI_Wtime() - start;
    printf("rank %d: dgemm %.3f s, stencil %.3f s, simulated %d\n", rank, known, own,
           foretell_is_simulated());
    if (argc > 1 && !strcmp(argv[1], "unknown"))
        foretell_kernel("nothing", 1);
    if (argc > 1 && !strcmp(argv[1], "few"))
        foretell_kernel("dgemm", 1, 2);
    MPI_Finalize();
    return 0;
}
