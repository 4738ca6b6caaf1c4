/* ranks: 2 4 6 */
/* check: buffer-overlap */
/* Wait and Test over one, any, some and all; Request_get_status; cancel; generalized requests. */
#include "parity.h"

static int queried, freed, cancelled;

static int query(void *state, MPI_Status *status)
{
    queried++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    cancelled += complete ? 10 : 1;
    return MPI_SUCCESS;
}

static void one_by_one(void)
{
    enum { MANY = 6 };
    int in[MANY], sum = 0, weighted = 0, index, done = 0, indices[MANY];
    MPI_Request requests[MANY];
    MPI_Status status, statuses[MANY];
    int from = (parity_rank + parity_size - 1) % parity_size, to = (parity_rank + 1) % parity_size;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < MANY; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, from, 20 + i, MPI_COMM_WORLD, &requests[i]);
        for (int i = MANY; i-- > 0;) {
            int value = 100 * parity_rank + i;
            MPI_Send(&value, 1, MPI_INT, to, 20 + i, MPI_COMM_WORLD);
        }
        for (done = 0; done < MANY && half == 0; done++) {
            MPI_Waitany(MANY, requests, &index, &status);
            sum += in[index];
            weighted += status.MPI_TAG - 20 == index && status.MPI_SOURCE == from;
        }
        while (half == 1) {
            int count;
            MPI_Waitsome(MANY, requests, &count, indices, statuses);
            if (count == MPI_UNDEFINED)
                break;
            for (int i = 0; i < count; i++)
                weighted += statuses[i].MPI_TAG - 20 == indices[i];
            done += count;
        }
    }
    say("any and some: sum %d, right %d, done %d", sum, weighted, done);
}

static void tests(void)
{
    int in = -1, flag = 0, out = 5 * parity_rank, index, count, all;
    int from = (parity_rank + parity_size - 1) % parity_size, to = (parity_rank + 1) % parity_size;
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status;
    MPI_Testall(3, requests, &all, MPI_STATUSES_IGNORE);
    MPI_Testany(3, requests, &index, &flag, &status);
    MPI_Testsome(3, requests, &count, &in, MPI_STATUSES_IGNORE);
    say("null requests: all %d, any %d %s, some %s", all, flag,
        index == MPI_UNDEFINED ? "undefined" : "wrong", count == MPI_UNDEFINED ? "undefined" : "wrong");
    MPI_Irecv(&in, 1, MPI_INT, from, 30, MPI_COMM_WORLD, &requests[1]);
    MPI_Request_get_status(requests[1], &flag, &status);
    say("too early: %d", flag);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, to, 30, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status(requests[1], &flag, &status);
    say("status without freeing: source right %d, request kept %d", status.MPI_SOURCE == from,
        requests[1] != MPI_REQUEST_NULL);
    for (flag = 0; !flag;)
        MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    say("all: %d, freed %d", in, requests[1] == MPI_REQUEST_NULL);
}

static void cancelling(void)
{
    int value = 7, gone;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&value, 1, MPI_INT, parity_rank, 40, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &gone);
    say("cancelled receive: %d, data %d", gone, value);
    MPI_Irecv(&value, 1, MPI_INT, parity_rank, 41, MPI_COMM_WORLD, &request);
    value = 8;
    MPI_Sendrecv(&value, 1, MPI_INT, parity_rank, 41, &gone, 0, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&request); /* too late: the message has come */
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &gone);
    say("cancelled too late: %d", gone);
}

static void generalized(void)
{
    int state = 12, flag, count;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, release, cancel, &state, &request);
    MPI_Test(&request, &flag, &status);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("generalized: early %d, count %d, source %d, tag %d; called %d %d %d", flag, count,
        status.MPI_SOURCE, status.MPI_TAG, queried, freed, cancelled);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    one_by_one();
    tests();
    cancelling();
    generalized();
    parity_end();
    return 0;
}
