/* ranks: 1 */
/* Handles and statuses as other languages have them, there and back. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int mistakes;

/* By way of Fortran's integers and of those of the ABI. */
#define SAME(type, handle, c2f, f2c, toint, fromint) \
    do { \
        type given = (handle); \
        if (f2c(c2f(given)) != given || fromint(toint(given)) != given) { \
            fprintf(stderr, #type " changes on the way\n"); \
            mistakes++; \
        } \
    } while (0)

static void statuses(void)
{
    MPI_Status status, back;
    MPI_Fint words[MPI_F_STATUS_SIZE];
    MPI_F08_status f08, again;
    int count = 0;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 3;
    status.MPI_TAG = 4;
    MPI_Status_set_elements(&status, MPI_INT, 5);
    MPI_Status_c2f(&status, words);
    MPI_Status_f2c(words, &back);
    MPI_Get_elements(&back, MPI_INT, &count);
    mistakes += back.MPI_SOURCE != 3 || back.MPI_TAG != 4 || count != 5;
    MPI_Status_c2f08(&status, &f08);
    MPI_Status_f082f(&f08, words);
    MPI_Status_f2f08(words, &again);
    MPI_Status_f082c(&again, &back);
    MPI_Get_elements(&back, MPI_INT, &count);
    mistakes += back.MPI_SOURCE != 3 || back.MPI_TAG != 4 || count != 5;
}

int main(int argc, char **argv)
{
    int memory[1];
    MPI_Group group;
    MPI_Request request;
    MPI_Info info;
    MPI_Win win;
    MPI_File file;
    MPI_Session session;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Irecv(memory, 0, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    MPI_Info_create(&info);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_File_open(MPI_COMM_SELF, "integers.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR |
                  MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    SAME(MPI_Comm, MPI_COMM_WORLD, MPI_Comm_c2f, MPI_Comm_f2c, MPI_Comm_toint, MPI_Comm_fromint);
    SAME(MPI_Group, group, MPI_Group_c2f, MPI_Group_f2c, MPI_Group_toint, MPI_Group_fromint);
    SAME(MPI_Request, request, MPI_Request_c2f, MPI_Request_f2c, MPI_Request_toint,
         MPI_Request_fromint);
    SAME(MPI_Info, info, MPI_Info_c2f, MPI_Info_f2c, MPI_Info_toint, MPI_Info_fromint);
    SAME(MPI_Win, win, MPI_Win_c2f, MPI_Win_f2c, MPI_Win_toint, MPI_Win_fromint);
    SAME(MPI_File, file, MPI_File_c2f, MPI_File_f2c, MPI_File_toint, MPI_File_fromint);
    SAME(MPI_Session, session, MPI_Session_c2f, MPI_Session_f2c, MPI_Session_toint,
         MPI_Session_fromint);
    SAME(MPI_Message, message, MPI_Message_c2f, MPI_Message_f2c, MPI_Message_toint,
         MPI_Message_fromint);
    SAME(MPI_Op, MPI_SUM, MPI_Op_c2f, MPI_Op_f2c, MPI_Op_toint, MPI_Op_fromint);
    SAME(MPI_Datatype, MPI_INT, MPI_Type_c2f, MPI_Type_f2c, MPI_Type_toint, MPI_Type_fromint);
    SAME(MPI_Errhandler, MPI_ERRORS_RETURN, MPI_Errhandler_c2f, MPI_Errhandler_f2c,
         MPI_Errhandler_toint, MPI_Errhandler_fromint);
    statuses();
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Session_finalize(&session);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Info_free(&info);
    MPI_Group_free(&group);
    MPI_Finalize();
    return mistakes != 0;
}
