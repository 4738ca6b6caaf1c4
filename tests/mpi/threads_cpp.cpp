/* ranks: 2 4 */
/* flags: -pthread */
/* Threads, locks, conditions and futures of C++, with MPI calls in between. */
#include "parity.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> ended{0};

/* Counts the threads that have gone. */
struct Farewell {
    int number = 0;
    ~Farewell() { ended += number; }
};

static thread_local Farewell farewell;

static void exchange(int t, std::vector<int> &in)
{
    int out = 10 * parity_rank + t, peer = parity_rank ^ 1;
    farewell.number = t + 1;
    if ((parity_rank + t) % 2) {
        MPI_Ssend(&out, 1, MPI_INT, peer, t, MPI_COMM_WORLD);
        MPI_Recv(&in[t], 1, MPI_INT, peer, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in[t], 1, MPI_INT, peer, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&out, 1, MPI_INT, peer, t, MPI_COMM_WORLD);
    }
    try {
        if (in[t] % 2)
            throw std::runtime_error("odd");
    } catch (const std::exception &) {
        in[t] += 500;
    }
}

static void pairs()
{
    std::vector<int> in(4, -1);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back(exchange, t, std::ref(in));
    for (auto &thread : threads)
        thread.join();
    say_numbers("exchanged", in.data(), 4);
    say("gone: %d", ended.load());
}

/* A thread receives and queues, the main thread takes out. */
static void queue()
{
    std::mutex lock;
    std::condition_variable there;
    std::queue<int> inbox;
    int left = (parity_rank + parity_size - 1) % parity_size, right = (parity_rank + 1) % parity_size;
    std::thread receiver([&] {
        for (int i = 0; i < 5; i++) {
            int in;
            MPI_Recv(&in, 1, MPI_INT, left, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            std::lock_guard<std::mutex> guard(lock);
            inbox.push(in);
            there.notify_one();
        }
    });
    int got[5];
    for (int i = 0; i < 5; i++) {
        int out = 100 * parity_rank + i;
        MPI_Send(&out, 1, MPI_INT, right, 30, MPI_COMM_WORLD);
        std::unique_lock<std::mutex> guard(lock);
        there.wait(guard, [&] { return !inbox.empty(); });
        got[i] = inbox.front();
        inbox.pop();
    }
    receiver.join();
    say_numbers("queued", got, 5);
}

static void futures()
{
    auto sum = std::async(std::launch::async, [] {
        int sum = 0;
        MPI_Allreduce(&parity_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        return sum;
    });
    std::promise<std::string> word;
    auto said = word.get_future();
    std::thread talker([&] {
        MPI_Send("ok", 3, MPI_CHAR, parity_rank, 40, MPI_COMM_WORLD);
        word.set_value("sent");
    });
    char text[3] = "";
    MPI_Recv(text, 3, MPI_CHAR, parity_rank, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    talker.join();
    say("futures: %d, %s, %s", sum.get(), said.get().c_str(), text);
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    parity_begun();
    pairs();
    queue();
    futures();
    parity_end();
    return 0;
}
