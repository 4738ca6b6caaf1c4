/* ranks: 2 5 */
/* check: unsafe-send */
/* Probe, Iprobe, Mprobe, Improbe, and the receives that go with them. */
#include "parity.h"

static void all_to_one(void)
{
    int data[16], count, found = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    for (int rank = 1; rank < parity_size; rank++) {
        MPI_Probe(rank, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(data, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        say("probe: %d items from %d, last %d", count, rank, data[count - 1]);
        while (!found)
            MPI_Iprobe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        say("iprobe: tag %d, %d items", status.MPI_TAG, count);
        MPI_Mprobe(rank, 2, MPI_COMM_WORLD, &message, &status);
        /* A matched message is gone: the next receive gets the one after it. */
        MPI_Recv(data + 8, 8, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 8, MPI_INT, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        say("mprobe: %d items, first %d; the next %d; message %s", count, data[0], data[8],
            message == MPI_MESSAGE_NULL ? "null" : "kept");
        for (found = 0; !found;)
            MPI_Improbe(rank, 3, MPI_COMM_WORLD, &found, &message, &status);
        MPI_Imrecv(data, 8, MPI_INT, &message, &request);
        MPI_Wait(&request, &status);
        say("improbe: source %d, tag %d, data %d", status.MPI_SOURCE, status.MPI_TAG, data[0]);
        found = 0;
    }
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    say("left over: %d", found);
}

int main(int argc, char **argv)
{
    int found, data[8];
    MPI_Message message;
    MPI_Status status;
    parity_begin(&argc, &argv);
    for (int i = 0; i < 8; i++)
        data[i] = 100 * parity_rank + i;
    if (parity_rank == 0) {
        all_to_one();
    } else {
        MPI_Send(data, 3 + parity_rank % 3, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(data + 1, 2, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Send(data + 2, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Ssend(data + 3, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &found, &status);
    say("nobody: found %d, source %s", found, status.MPI_SOURCE == MPI_PROC_NULL ? "null" : "wrong");
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    say("nobody's message: %s", message == MPI_MESSAGE_NO_PROC ? "no process" : "wrong");
    MPI_Mrecv(data, 1, MPI_INT, &message, &status);
    say("after: %s", message == MPI_MESSAGE_NULL ? "null" : "wrong");
    parity_end();
    return 0;
}
