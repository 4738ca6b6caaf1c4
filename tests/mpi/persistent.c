/* ranks: 2 4 */
/* Persistent requests, started again and again; what an inactive one answers. */
#include "parity.h"

int main(int argc, char **argv)
{
    int right, left, in[2] = {0, 0}, out[2] = {0, 0}, flag, index, sum = 0;
    MPI_Request requests[4];
    MPI_Status status;
    parity_begin(&argc, &argv);
    right = (parity_rank + 1) % parity_size;
    left = (parity_rank + parity_size - 1) % parity_size;
    MPI_Send_init(&out[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(&out[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[3]);

    MPI_Test(&requests[2], &flag, &status);
    say("inactive: flag %d, source %s, tag %s", flag,
        status.MPI_SOURCE == MPI_ANY_SOURCE ? "any" : "wrong",
        status.MPI_TAG == MPI_ANY_TAG ? "any" : "wrong");
    MPI_Waitany(4, requests, &index, &status);
    say("nothing to wait for: %s", index == MPI_UNDEFINED ? "undefined" : "wrong");
    for (int turn = 0; turn < 5; turn++) {
        out[0] = 10 * parity_rank + turn;
        out[1] = -out[0];
        MPI_Startall(2, &requests[2]);
        MPI_Start(&requests[0]);
        MPI_Start(&requests[1]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        sum += in[0] - in[1];
        say("turn %d: %d %d", turn, in[0], in[1]);
    }
    say("sum %d, still there: %d", sum, requests[0] != MPI_REQUEST_NULL);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    say("freed: %d", requests[3] == MPI_REQUEST_NULL);
    parity_end();
    return 0;
}
