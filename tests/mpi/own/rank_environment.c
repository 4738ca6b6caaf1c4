/* ranks: 3 */
/* environment: SHARED_WORD=blue */
/* What a rank sets, takes away or clears in its environment is its own business. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mistakes;

static void expect(const char *name, const char *value, int rank)
{
    const char *found = getenv(name);
    if ((found == NULL) != (value == NULL) || (found && strcmp(found, value) != 0)) {
        fprintf(stderr, "rank %d: %s is %s, not %s\n", rank, name, found ? found : "not set",
                value ? value : "not set");
        mistakes++;
    }
}

int main(int argc, char **argv)
{
    int rank;
    char own[16];
    static char put[] = "PUT_WORD=x";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(own, sizeof own, "of rank %d", rank);
    setenv("OWN_WORD", own, 1);
    setenv("SHARED_WORD", "never", 0);
    put[9] = (char)('a' + rank);
    putenv(put);
    MPI_Barrier(MPI_COMM_WORLD);
    expect("OWN_WORD", own, rank);
    expect("SHARED_WORD", "blue", rank);
    expect("PUT_WORD", put + 9, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        unsetenv("SHARED_WORD");
    if (rank == 2)
        clearenv();
    MPI_Barrier(MPI_COMM_WORLD);
    expect("SHARED_WORD", rank == 0 ? "blue" : NULL, rank);
    expect("OWN_WORD", rank == 2 ? NULL : own, rank);
    MPI_Finalize();
    return mistakes != 0;
}
