/* ranks: 1 3 6 */
// Objects of C++ that every rank must have to itself: statics, thread-locals, exceptions.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Counted {
  static int made;
  std::vector<int> seen;
  Counted() { seen.push_back(++made); }
};

int Counted::made = 0;
Counted before;
thread_local int local = 41;

int times()
{
  static int calls = 0;
  return ++calls;
}

// Throws while another rank runs in between.
int caught(int rank)
{
  try {
    throw std::runtime_error("rank " + std::to_string(rank));
  } catch (const std::runtime_error &error) {
    MPI_Barrier(MPI_COMM_WORLD);
    try {
      throw rank;
    } catch (int number) {
      MPI_Barrier(MPI_COMM_WORLD);
      return std::string(error.what()) == "rank " + std::to_string(number) ? number : -1;
    }
  }
}

}  // namespace

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  before.seen.push_back(rank);
  local += rank;
  for (int i = 0; i < rank; i++) times();
  MPI_Barrier(MPI_COMM_WORLD);
  int mine[6] = {Counted::made, static_cast<int>(before.seen.size()), before.seen.back(), local,
                 times(), caught(rank)};
  std::vector<int> all(6 * static_cast<size_t>(size));
  MPI_Gather(mine, 6, MPI_INT, all.data(), 6, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; i++)
      std::printf("%d: made %d seen %d last %d local %d calls %d caught %d\n", i, all[6 * i],
                  all[6 * i + 1], all[6 * i + 2], all[6 * i + 3], all[6 * i + 4], all[6 * i + 5]);
  MPI_Finalize();
  return 0;
}
