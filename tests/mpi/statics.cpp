/* ranks: 1 4 */
// Static objects of a template, of functions and of threads: built in order, destroyed in reverse.
#include "parity.h"

#include <string>
#include <vector>

namespace {

std::string &journal()
{
    static std::string text;
    return text;
}

template <int N>
struct Named {
    Named() { journal() += char('a' + N); }
    ~Named()
    {
        journal() += char('A' + N);
        // The first made is the last destroyed, long after MPI_Finalize.
        if (N == 0 && parity_rank == 0) std::printf("at the end: %s\n", journal().c_str());
    }
    static int made;
    int own = ++made;
};

template <int N>
int Named<N>::made = N * 10;

Named<0> first;
Named<1> second;

struct Local {
    Local() : value(7) { journal() += 't'; }
    int value;
};

thread_local Local local;
thread_local std::vector<int> numbers{1, 2, 3};
inline int shared_inline = 3;

const std::string &word()
{
    static const std::string text = "word of " + std::to_string(parity_rank);
    return text;
}

}  // namespace

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    local.value += parity_rank;
    numbers.push_back(parity_rank);
    shared_inline *= parity_rank + 1;
    static Named<2> late;
    MPI_Barrier(MPI_COMM_WORLD);
    say("journal %s, made %d %d %d", journal().c_str(), first.own, second.own, late.own);
    say("local %d, numbers %d ending in %d, inline %d", local.value, (int)numbers.size(),
        numbers.back(), shared_inline);
    say("%s", word().c_str());
    parity_end();
    return 0;
}
