/* ranks: 2 3 7 */
/* check: type-mismatch unsafe-send */
/* Any source, any tag, and what the status tells. */
#include "parity.h"

int main(int argc, char **argv)
{
    MPI_Status status;
    int count, elements;
    parity_begin(&argc, &argv);
    if (parity_rank != 0) {
        int data[8] = {0};
        for (int i = 0; i < 8; i++)
            data[i] = parity_rank;
        MPI_Send(data, parity_rank, MPI_INT, 0, 10 + parity_rank, MPI_COMM_WORLD);
        MPI_Send(data, 0, MPI_INT, 0, 100, MPI_COMM_WORLD);
        MPI_Send(data, 7, MPI_CHAR, 0, 200, MPI_COMM_WORLD);
    } else {
        int seen[16] = {0};
        for (int i = 1; i < parity_size; i++) {
            int data[8];
            MPI_Recv(data, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            if (status.MPI_TAG < 100) {
                seen[status.MPI_SOURCE] += count == status.MPI_SOURCE
                                           && status.MPI_TAG == 10 + status.MPI_SOURCE
                                           && data[0] == status.MPI_SOURCE;
            } else {
                i--; /* an empty message of a quick rank */
                seen[status.MPI_SOURCE] += 10;
            }
            if (status.MPI_TAG == 100)
                MPI_Recv(data, 8, MPI_INT, status.MPI_SOURCE, 200, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int rank = 1; rank < parity_size; rank++) {
            char bytes[32];
            int late = seen[rank] < 10;
            if (!late)
                continue;
            MPI_Recv(bytes, 32, MPI_CHAR, rank, 100, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_CHAR, &count);
            seen[rank] += count == 0 ? 10 : 1000;
            MPI_Recv(bytes, 32, MPI_CHAR, rank, 200, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            MPI_Get_elements(&status, MPI_CHAR, &elements);
            seen[rank] += (count == MPI_UNDEFINED && elements == 7) ? 0 : 1000;
        }
        say_numbers("seen", seen, parity_size);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* A message on another communicator, or with another tag, does not match. */
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (parity_rank == 1) {
        int values[3] = {1, 2, 3};
        MPI_Send(&values[0], 1, MPI_INT, 0, 1, other);
        MPI_Send(&values[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Send(&values[2], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (parity_rank == 0) {
        int values[3];
        MPI_Recv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&values[2], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &status);
        say_numbers("chosen by tag and communicator", values, 3);
    }
    MPI_Barrier(other); /* what ranks say at the end must not match the wildcards above */
    MPI_Comm_free(&other);
    MPI_Status_set_elements(&status, MPI_DOUBLE, 5);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Test_cancelled(&status, &elements);
    say("set by hand: count %d, cancelled %d", count, elements);
    parity_end();
    return 0;
}
