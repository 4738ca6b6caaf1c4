/* Rank r computes r+1 Gflop and passes 1 MB to the next rank, twice. For SimGrid's energy plugin;
 * the test in crates/mpi/tests/it/energy.rs does the same. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdlib.h>

enum { BYTES = 1000000 };

int main(int argc, char **argv)
{
  int rank, size;
  char *data = malloc(BYTES);

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 2; round++) {
    smpi_execute_flops((rank + 1) * 1e9);
    MPI_Sendrecv_replace(data, BYTES, MPI_BYTE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  free(data);
  return 0;
}
