/* ranks: 1 2 5 */
/* Persistent collectives: made once, started again with other data. */
#include "parity.h"

#if MPI_VERSION >= 4
enum { TURNS = 3 };

static int mine[8], all[64], sum[8];

static void turn(const char *name, MPI_Request *request, int number, const int *result, int count)
{
    for (int i = 0; i < 8; i++)
        mine[i] = 100 * number + 10 * parity_rank + i;
    memset(all, 0, sizeof all);
    memset(sum, 0, sizeof sum);
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    say("%s, turn %d, still there %d", name, number, *request != MPI_REQUEST_NULL);
    say_numbers("  result", result, count);
}

static void turns(const char *name, MPI_Request request, const int *result, int count)
{
    for (int number = 0; number < TURNS; number++)
        turn(name, &request, number, result, count);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Request request, both[2];
    int last, place[2] = {0, 0};
    parity_begin(&argc, &argv);
    last = parity_size - 1;
    MPI_Bcast_init(mine, 4, MPI_INT, last, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("bcast", request, mine, 4);
    MPI_Allreduce_init(mine, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("allreduce", request, sum, 4);
    MPI_Reduce_init(mine, sum, 4, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("reduce", request, sum, parity_rank == 0 ? 4 : 0);
    MPI_Alltoall_init(mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("alltoall", request, all, parity_size);
    MPI_Scan_init(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("scan", request, sum, 2);
    MPI_Exscan_init(mine, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    turns("exscan", request, sum, parity_rank > 0 ? 2 : 0);
    MPI_Reduce_scatter_block_init(mine, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                  &request);
    turns("reduce_scatter_block", request, sum, 1);
    /* Two at once, the same on all ranks, with one of them started twice as often. */
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Allreduce_init(&mine[0], &place[0], 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &both[1]);
    for (int number = 0; number < TURNS; number++) {
        mine[0] = parity_rank + number;
        MPI_Startall(2, both);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Start(&both[0]);
        MPI_Wait(&both[0], MPI_STATUS_IGNORE);
        say("together, turn %d: %d", number, place[0]);
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
