/* ranks: 1 3 */
// Streams, locales of streams, formatting state and strings of C++, each rank with its own.
#include <mpi.h>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

template <typename T>
T tree_sum(T value, MPI_Datatype type, MPI_Comm comm)
{
    T sum{};
    MPI_Allreduce(&value, &sum, 1, type, MPI_SUM, comm);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::ostringstream text;
    text << std::setfill('.') << std::setw(6) << rank << ' ' << std::hex << 255 + rank << std::dec;
    MPI_Barrier(MPI_COMM_WORLD);
    text << ' ' << std::fixed << std::setprecision(3) << 1.0 / (rank + 3);
    text << ' ' << tree_sum(rank + 1, MPI_INT, MPI_COMM_WORLD);
    text << ' ' << tree_sum(rank + 0.5, MPI_DOUBLE, MPI_COMM_WORLD);
    const std::string own = text.str();
    for (int turn = 0; turn < size; ++turn) {
        if (rank == 0) {
            std::string line(64, '\0');
            if (turn == 0)
                line = own;
            else {
                MPI_Status status;
                MPI_Recv(&line[0], 64, MPI_CHAR, turn, 1, MPI_COMM_WORLD, &status);
                line.resize(line.find('\0'));
            }
            std::cout << turn << ": " << line << std::endl;
        } else if (rank == turn) {
            MPI_Send(own.c_str(), static_cast<int>(own.size()) + 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
