/* ranks: 1 4 */
// Exceptions that cross functions, libraries and MPI calls, with other ranks in between.
#include "parity.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int alive = 0;

struct Guard {
    explicit Guard(int depth) : depth(depth) { ++alive; }
    ~Guard()
    {
        // A call while the stack is being unwound: other ranks run meanwhile.
        int sum = 0;
        MPI_Allreduce(&depth, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        total += sum;
        --alive;
        unwinding += std::uncaught_exceptions();
    }
    int depth;
    static int total, unwinding;
};

int Guard::total = 0;
int Guard::unwinding = 0;

struct Trouble : std::runtime_error {
    Trouble(const std::string &what, int rank) : std::runtime_error(what), rank(rank) {}
    int rank;
};

void dive(int depth)
{
    Guard guard(depth);
    if (depth == 0) throw Trouble("bottom", parity_rank);
    dive(depth - 1);
}

void nested()
{
    try {
        try {
            dive(3);
        } catch (const Trouble &trouble) {
            MPI_Barrier(MPI_COMM_WORLD);
            std::throw_with_nested(std::logic_error("outer of " + std::to_string(trouble.rank)));
        }
    } catch (const std::logic_error &outer) {
        say("caught %s", outer.what());
        try {
            std::rethrow_if_nested(outer);
        } catch (const Trouble &inner) {
            say("inside it %s of %d", inner.what(), inner.rank);
        }
    }
    say("alive %d, total %d, unwinding %d", alive, Guard::total, Guard::unwinding);
}

// Only some ranks throw, and they catch in a callback of the standard library.
void some()
{
    std::vector<int> numbers{3, 1, 2};
    int caught = 0;
    try {
        std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
            if (parity_rank % 2) throw a + b;
            return a < b;
        });
    } catch (int sum) {
        caught = sum > 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    say("some: caught %d", caught);
    try {
        std::map<int, int>().at(parity_rank);
    } catch (const std::out_of_range &) {
        say("out of range");
    }
    std::exception_ptr kept;
    try {
        throw std::string("kept by ") + std::to_string(parity_rank);
    } catch (...) {
        kept = std::current_exception();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    try {
        std::rethrow_exception(kept);
    } catch (const std::string &text) {
        say("%s", text.c_str());
    }
}

}  // namespace

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    nested();
    some();
    parity_end();
    return 0;
}
