/* ranks: 1 4 */
/* args: -v -n 12 rest */
/* What every process has to itself in the C library: options, random numbers, rounding, errno. */
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  int rank, size, option, i, mine[7] = {0}, *all;
  volatile double third = 3.0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((option = getopt(argc, argv, "vn:")) != -1) {
    if (option == 'v') mine[0] = 1;
    if (option == 'n') mine[1] = atoi(optarg);
  }
  mine[2] = optind;
  srand((unsigned)rank + 1);
  mine[3] = rand() % 1000;
  fesetround(rank % 2 ? FE_UPWARD : FE_DOWNWARD);
  errno = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  mine[4] = errno;
  mine[5] = rand() % 1000;
  mine[6] = 1.0 / third * third > 1.0;
  fesetround(FE_TONEAREST);
  all = malloc(sizeof mine * (size_t)size);
  MPI_Gather(mine, 7, MPI_INT, all, 7, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (i = 0; i < size; i++)
      printf("%d: v %d n %d rest at %d random %d errno %d random %d up %d\n", i, all[7 * i],
             all[7 * i + 1], all[7 * i + 2], all[7 * i + 3], all[7 * i + 4], all[7 * i + 5],
             all[7 * i + 6]);
  free(all);
  MPI_Finalize();
  return 0;
}
