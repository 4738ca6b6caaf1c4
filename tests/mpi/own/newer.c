/* ranks: 1 2 */
/* What came with MPI 4.1 and 5.0, and what MPICH 4.0 does otherwise. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mistakes, rank, size, left, right;

#define CHECK(holds) check(holds, #holds, __LINE__)

static void check(int holds, const char *what, int line)
{
    if (!holds) {
        fprintf(stderr, "rank %d, line %d: %s\n", rank, line, what);
        mistakes++;
    }
}

static void requests(void)
{
    int in[2] = {-1, -1}, out = rank, flag, index, count, indices[2];
    MPI_Request all[2];
    MPI_Status statuses[2], status;
    MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, left, 2, MPI_COMM_WORLD, &all[1]);
    MPI_Request_get_status_all(2, all, &flag, statuses);
    CHECK(!flag);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
    do
        MPI_Request_get_status_any(2, all, &index, &flag, &status);
    while (!flag);
    CHECK(index == 1 && status.MPI_TAG == 2);
    MPI_Request_get_status_some(2, all, &count, indices, statuses);
    CHECK(count == 1 && indices[0] == 1 && statuses[0].MPI_SOURCE == left);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    do
        MPI_Request_get_status_all(2, all, &flag, statuses);
    while (!flag);
    MPI_Waitall(2, all, statuses);
    CHECK(in[0] == left && in[1] == left);
}

static void statuses(void)
{
    MPI_Status status;
    MPI_Count count;
    int value;
    memset(&status, 0, sizeof status);
    MPI_Status_set_source(&status, 5);
    MPI_Status_set_tag(&status, 6);
    MPI_Status_set_error(&status, MPI_ERR_TAG);
    MPI_Status_set_elements_c(&status, MPI_INT, 3);
    MPI_Get_elements_c(&status, MPI_INT, &count);
    CHECK(count == 3);
    MPI_Status_get_source(&status, &value);
    CHECK(value == 5);
    MPI_Status_get_tag(&status, &value);
    CHECK(value == 6);
    MPI_Status_get_error(&status, &value);
    CHECK(value == MPI_ERR_TAG);
}

/* A buffered send to oneself over a communicator, flushed. */
static void over(MPI_Comm comm)
{
    int out = 9, in = 0;
    MPI_Request receive;
    MPI_Irecv(&in, 1, MPI_INT, 0, 3, comm, &receive);
    MPI_Bsend(&out, 1, MPI_INT, 0, 3, comm);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK(in == 9);
}

static void buffers(void)
{
    static char room[4096];
    void *given = NULL;
    int bytes = 0;
    MPI_Count bytes_c = 0;
    MPI_Request request;
    MPI_Session session;
    MPI_Buffer_attach(room, sizeof room);
    over(MPI_COMM_SELF);
    MPI_Buffer_flush();
    MPI_Buffer_iflush(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&given, &bytes);
    CHECK(given == room && bytes == sizeof room);
    MPI_Comm_attach_buffer(MPI_COMM_SELF, room, sizeof room);
    over(MPI_COMM_SELF);
    MPI_Comm_flush_buffer(MPI_COMM_SELF);
    MPI_Comm_iflush_buffer(MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_detach_buffer(MPI_COMM_SELF, &given, &bytes);
    CHECK(given == room && bytes == sizeof room);
    MPI_Comm_attach_buffer_c(MPI_COMM_SELF, room, sizeof room);
    MPI_Comm_detach_buffer_c(MPI_COMM_SELF, &given, &bytes_c);
    CHECK(given == room && bytes_c == sizeof room);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_attach_buffer(session, room, sizeof room);
    MPI_Session_flush_buffer(session);
    MPI_Session_iflush_buffer(session, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Session_detach_buffer(session, &given, &bytes);
    CHECK(given == room && bytes == sizeof room);
    MPI_Session_attach_buffer_c(session, room, sizeof room);
    MPI_Session_detach_buffer_c(session, &given, &bytes_c);
    CHECK(given == room && bytes_c == sizeof room);
    MPI_Session_finalize(&session);
}

static void partitions(void)
{
    int out[4], in[4] = {0}, arrived;
    MPI_Request send, receive;
    for (int i = 0; i < 4; i++)
        out[i] = 10 * rank + i;
    MPI_Psend_init_c(out, 2, 2, MPI_INT, right, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Precv_init_c(in, 2, 2, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Start(&receive);
    MPI_Start(&send);
    MPI_Pready_range(0, 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Parrived(receive, 1, &arrived);
    CHECK(arrived && in[3] == 10 * left + 3);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
}

static void errors(void)
{
    int class, code, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "too blue");
    MPI_Error_string(code, text, &length);
    CHECK(strcmp(text, "too blue") == 0);
    CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(class) == MPI_SUCCESS);
    CHECK(MPI_Remove_error_class(MPI_ERR_TAG) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* What cannot be had is refused with its class. */
static void refused(void)
{
    char *command = "./child", *commands[1] = {"./child"}, one = 1;
    int class, codes[1], counts[1] = {1}, code;
    MPI_Info infos[1] = {MPI_INFO_NULL};
    MPI_Comm made;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Comm_spawn(command, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, codes);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_SPAWN && made == MPI_COMM_NULL);
    code = MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_SELF,
                                   &made, codes);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_SPAWN);
    MPI_Error_class(MPI_Comm_join(0, &made), &class);
    CHECK(class == MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_Error_class(MPI_Abi_set_fortran_booleans(1, &one, &one), &class);
    CHECK(class == MPI_ERR_ABI);
    MPI_Error_class(MPI_Abi_set_fortran_info(MPI_INFO_NULL), &class);
    CHECK(class == MPI_ERR_ABI);
}

static void questions(void)
{
    MPI_Info info;
    MPI_Datatype pair;
    int major, minor, found, length, yes = 0, no = 1;
    char value[32];
    MPI_Abi_get_version(&major, &minor);
    CHECK(major == 1 && minor >= 0);
    MPI_Abi_get_info(&info);
    length = sizeof value;
    MPI_Info_get_string(info, "mpi_aint_size", &length, value, &found);
    CHECK(found && atoi(value) == sizeof(MPI_Aint));
    MPI_Info_free(&info);
    MPI_Abi_get_fortran_info(&info);
    length = sizeof value;
    MPI_Info_get_string(info, "mpi_integer_size", &length, value, &found);
    CHECK(found && atoi(value) == 4);
    length = sizeof value;
    MPI_Info_get_string(info, "mpi_real8_supported", &length, value, &found);
    CHECK(found && strcmp(value, "true") == 0);
    MPI_Info_free(&info);
    MPI_Abi_get_fortran_booleans(sizeof yes, &yes, &no, &found);
    CHECK(found && yes == 1 && no == 0);
    MPI_Get_hw_resource_info(&info);
    CHECK(info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    CHECK(pair == MPI_DOUBLE_INT);
}

static void names(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 0) {
        CHECK(MPI_Publish_name("here", MPI_INFO_NULL, "a port") == MPI_SUCCESS);
        CHECK(MPI_Lookup_name("here", MPI_INFO_NULL, port) == MPI_SUCCESS);
        CHECK(strcmp(port, "a port") == 0);
        CHECK(MPI_Unpublish_name("here", MPI_INFO_NULL, "a port") == MPI_SUCCESS);
        CHECK(MPI_Lookup_name("here", MPI_INFO_NULL, port) != MPI_SUCCESS);
    }
}

/* The two halves of the world, joined without a communicator of both. */
static void groups(void)
{
    MPI_Group all, low, high;
    MPI_Comm joint;
    int range[1][3], theirs;
    if (size < 2)
        return;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    range[0][0] = 0, range[0][1] = size / 2 - 1, range[0][2] = 1;
    MPI_Group_range_incl(all, 1, range, &low);
    MPI_Group_range_excl(all, 1, range, &high);
    MPI_Intercomm_create_from_groups(rank < size / 2 ? low : high, 0, rank < size / 2 ? high : low,
                                     0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &joint);
    MPI_Comm_remote_size(joint, &theirs);
    CHECK(theirs == (rank < size / 2 ? size - size / 2 : size / 2));
    MPI_Comm_free(&joint);
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    MPI_Group_free(&all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    if (size > 1)
        requests();
    statuses();
    buffers();
    partitions();
    errors();
    questions();
    names();
    groups();
    refused();
    MPI_Finalize();
    return mistakes != 0;
}
