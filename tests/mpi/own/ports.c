/* ranks: 2 5 */
/* Two halves of the world meet at a port, twice, and exchange over what joins them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm half, joint, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int is_server = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_server, rank, &half);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        for (int to = size / 2; to < size; to++)
            MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, to, 1, MPI_COMM_WORLD);
    } else if (!is_server) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int round = 0; round < 2; round++) {
        int own, other, value, sum;
        if (is_server)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &joint);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &joint);
        MPI_Comm_size(joint, &own);
        MPI_Comm_remote_size(joint, &other);
        value = rank + round;
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, joint);
        MPI_Intercomm_merge(joint, !is_server, &all);
        int place, low = is_server ? size / 2 : 0, high = is_server ? size : size / 2, theirs = 0;
        MPI_Comm_rank(all, &place);
        for (int peer = low; peer < high; peer++)
            theirs += peer + round;
        if (own != size - (high - low) || other != high - low || sum != theirs || place != rank) {
            fprintf(stderr, "rank %d: %d here, %d there, their sum %d, place %d\n", rank, own, other,
                    sum, place);
            exit(1);
        }
        MPI_Comm_free(&all);
        MPI_Comm_disconnect(&joint);
    }
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Barrier(MPI_COMM_WORLD);
    int code, class;
    code = MPI_Comm_connect("no such port", MPI_INFO_NULL, 0, half, &joint);
    MPI_Error_class(code, &class);
    if (class != MPI_ERR_PORT || joint != MPI_COMM_NULL) {
        fprintf(stderr, "rank %d: a port that is not there gave error class %d\n", rank, class);
        exit(1);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
