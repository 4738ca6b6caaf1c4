/* ranks: 2 3 */
/* Sends and receives in their other forms: large counts, buffered, combined, started again. */
#include "parity.h"

#if MPI_VERSION >= 4
static int out[4], in[4], left, right;
static MPI_Comm world;

static void fill(int value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = 100 * (parity_rank + 1) + 10 * value + i;
        in[i] = -1;
    }
}

/* A send that may come back before its message is received. */
#define SENT(form, call) \
    do { \
        MPI_Request receive; \
        fill(form); \
        MPI_Irecv(in, 4, MPI_INT, left, form, world, &receive); \
        MPI_Barrier(world); \
        call; \
        MPI_Wait(&receive, MPI_STATUS_IGNORE); \
        say_numbers(#call, in, 4); \
    } while (0)

/* The same with a request of the send. */
#define LATER(form, function) \
    do { \
        MPI_Request send; \
        SENT(form, function(out, 3, MPI_INT, right, form, world, &send)); \
        MPI_Wait(&send, MPI_STATUS_IGNORE); \
    } while (0)

/* And one that is started twice. */
#define AGAIN(form, function) \
    do { \
        MPI_Request send; \
        function(out, 2, MPI_INT, right, form, world, &send); \
        SENT(form, MPI_Start(&send)); \
        MPI_Wait(&send, MPI_STATUS_IGNORE); \
        SENT(form, MPI_Start(&send)); \
        MPI_Wait(&send, MPI_STATUS_IGNORE); \
        MPI_Request_free(&send); \
    } while (0)

#define THREE out, 3, MPI_INT, right

static void sends(void)
{
    void *room = malloc(10000), *given;
    int size;
    MPI_Count size_c;
    MPI_Buffer_attach_c(room, 10000);
    SENT(1, MPI_Send_c(THREE, 1, world));
    SENT(2, MPI_Bsend_c(THREE, 2, world));
    SENT(3, MPI_Ssend_c(THREE, 3, world));
    SENT(4, MPI_Rsend_c(THREE, 4, world));
    LATER(5, MPI_Ibsend);
    LATER(6, MPI_Ibsend_c);
    LATER(7, MPI_Issend_c);
    LATER(8, MPI_Irsend_c);
    AGAIN(9, MPI_Send_init_c);
    AGAIN(1, MPI_Bsend_init);
    AGAIN(2, MPI_Bsend_init_c);
    AGAIN(3, MPI_Ssend_init_c);
    AGAIN(4, MPI_Rsend_init);
    AGAIN(5, MPI_Rsend_init_c);
    MPI_Buffer_detach_c(&given, &size_c);
    say("given back: %d, %d bytes", given == room, (int)size_c);
    MPI_Buffer_attach(room, 5000);
    MPI_Buffer_detach(&given, &size);
    say("given back: %d, %d bytes", given == room, size);
    free(room);
}

static void receives(void)
{
    MPI_Request send, receive;
    MPI_Message message;
    MPI_Status status;
    fill(1);
    MPI_Isend(THREE, 1, world, &send);
    MPI_Recv_c(in, 4, MPI_INT, left, 1, world, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    say_numbers("MPI_Recv_c", in, 4);
    fill(2);
    MPI_Recv_init_c(in, 4, MPI_INT, left, 2, world, &receive);
    MPI_Start(&receive);
    MPI_Send(THREE, 2, world);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&receive);
    say_numbers("MPI_Recv_init_c", in, 4);
    fill(3);
    MPI_Isend(THREE, 3, world, &send);
    MPI_Mprobe(left, 3, world, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv_c(in, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    say_numbers("MPI_Mrecv_c", in, 4);
    fill(4);
    MPI_Isend(THREE, 4, world, &send);
    MPI_Mprobe(left, 4, world, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv_c(in, 4, MPI_INT, &message, &receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    say_numbers("MPI_Imrecv_c", in, 4);
}

static void both(void)
{
    MPI_Request request;
#define BOTH THREE, 1, in, 4, MPI_INT, left, 1, world
#define REPLACED in, 3, MPI_INT, right, 2, left, 2, world
    fill(1);
    MPI_Isendrecv(BOTH, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("MPI_Isendrecv", in, 4);
    fill(2);
    MPI_Isendrecv_c(BOTH, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("MPI_Isendrecv_c", in, 4);
    fill(3);
    memcpy(in, out, sizeof in);
    MPI_Sendrecv_replace_c(REPLACED, MPI_STATUS_IGNORE);
    say_numbers("MPI_Sendrecv_replace_c", in, 4);
    MPI_Isendrecv_replace(REPLACED, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("MPI_Isendrecv_replace", in, 4);
    MPI_Isendrecv_replace_c(REPLACED, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_numbers("MPI_Isendrecv_replace_c", in, 4);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    world = MPI_COMM_WORLD;
    right = (parity_rank + 1) % parity_size;
    left = (parity_rank + parity_size - 1) % parity_size;
    sends();
    receives();
    both();
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
