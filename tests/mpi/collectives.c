/* ranks: 1 2 5 8 */
/* Collectives: blocking and non-blocking, in place, with derived types and operations
 * of the program. */
#include "parity.h"

/* Does not commute: the composition of the maps x -> a x + b, modulo a prime. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
  long *first = in, *second = inout;
  int i;
  (void)type;
  for (i = 0; i < *count; i++) {
    long a = first[2 * i] * second[2 * i] % 10007;
    long b = (first[2 * i + 1] * second[2 * i] + second[2 * i + 1]) % 10007;
    second[2 * i] = a;
    second[2 * i + 1] = b;
  }
}

int main(int argc, char **argv)
{
  int rank, size, i, *all, *counts, *starts;
  long map[2], scanned[2] = {0, 0};
  double pair[2];
  struct { double value; int place; } least, found;
  MPI_Request request;
  MPI_Datatype maps;
  MPI_Op composition;

  parity_begin(&argc, &argv);
  rank = parity_rank;
  size = parity_size;
  all = malloc(sizeof(long) * 2 * (size_t)(size * (size + 1)));
  counts = malloc(sizeof(int) * (size_t)size);
  starts = malloc(sizeof(int) * (size_t)size);

  for (i = 0; i < size; i++) all[i] = -1;
  all[rank] = rank * rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  if (rank == size - 1)
    for (i = 0; i < size; i++) say("allgather %d: %d", i, all[i]);

  for (i = 0; i < size; i++) {
    counts[i] = i + 1;
    starts[i] = i * (i + 1) / 2;
  }
  for (i = 0; i <= rank; i++) all[starts[rank] + i] = 100 * rank + i;
  MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : (void *)&all[starts[rank]], rank + 1, MPI_INT, all, counts,
              starts, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (i = 0; i < size * (size + 1) / 2; i++) say("gatherv %d: %d", i, all[i]);

  map[0] = rank + 2;
  map[1] = 3 * rank + 1;
  MPI_Type_contiguous(2, MPI_LONG, &maps);
  MPI_Type_commit(&maps);
  MPI_Op_create(compose, 0, &composition);
  MPI_Exscan(map, scanned, 1, maps, composition, MPI_COMM_WORLD);
  MPI_Gather(rank == 0 ? map : scanned, 1, maps, rank == 0 ? (void *)all : NULL, 1, maps, 0,
             MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, map, 1, maps, composition, MPI_COMM_WORLD);
  if (rank == size - 1) {
    say("composed: %ld %ld", map[0], map[1]);
    if (size > 1) say("before the last: %ld %ld", scanned[0], scanned[1]);
  }

  least.value = (rank * 7 + 3) % 5;
  least.place = rank;
  MPI_Iallreduce(&least, &found, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) say("least %.1f at %d", found.value, found.place);

  pair[0] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Ireduce(&pair[0], &pair[1], 1, MPI_DOUBLE, MPI_SUM, size / 2, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == size / 2) say("sum %.1f", pair[1]);

  for (i = 0; i < size; i++) all[i] = 10 * rank + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  if (rank == size - 1)
    for (i = 0; i < size; i++) say("alltoall %d: %d", i, all[i]);

  MPI_Type_free(&maps);
  MPI_Op_free(&composition);
  free(all);
  free(counts);
  free(starts);
  parity_end();
  return 0;
}
