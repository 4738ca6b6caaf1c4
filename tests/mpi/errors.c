/* ranks: 2 */
/* check: leak */
/* Mistakes under MPI_ERRORS_RETURN: their classes; handlers of our own; classes of our own. */
#include "parity.h"

static int called;

static void handler(MPI_Comm *comm, int *error, ...)
{
    called++;
    say("handler: %s on %s", error_name(*error), *comm == MPI_COMM_SELF ? "self" : "another");
}

static void classes(void)
{
    int value = 1, many[4] = {1, 2, 3, 4};
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype fresh;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Group group;
    MPI_Status status;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    say("rank: %s", error_name(MPI_Send(&value, 1, MPI_INT, 99, 0, world)));
    say("negative rank: %s", error_name(MPI_Send(&value, 1, MPI_INT, -77, 0, world)));
    say("tag: %s", error_name(MPI_Send(&value, 1, MPI_INT, 0, -5, world)));
    say("count: %s", error_name(MPI_Send(&value, -1, MPI_INT, 0, 0, world)));
    say("type: %s", error_name(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, world)));
    say("communicator: %s", error_name(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL)));
    say("root: %s", error_name(MPI_Bcast(&value, 1, MPI_INT, 55, world)));
    say("op: %s", error_name(MPI_Allreduce(&value, many, 1, MPI_INT, MPI_OP_NULL, world)));
    MPI_Type_contiguous(2, MPI_INT, &fresh);
    say("uncommitted: %s", error_name(MPI_Send(many, 1, fresh, 0, 0, world)));
    MPI_Type_free(&fresh);
    say("start of nothing: %s", error_name(MPI_Start(&request)));
    say("dims: %s", error_name(MPI_Dims_create(7, 1, (int[]){2})));
    say("topology: %s", error_name(MPI_Cartdim_get(world, &value)));
    MPI_Comm_group(world, &group);
    say("rank of group: %s", error_name(MPI_Group_incl(group, 1, (int[]){12}, &group)));
    say("group: %s", error_name(MPI_Group_size(MPI_GROUP_NULL, &value)));
    say("free world: %s", error_name(MPI_Comm_free(&world)));
    world = MPI_COMM_WORLD;
    say("argument: %s", error_name(MPI_Comm_rank(world, NULL)));
    if (parity_rank == 0) {
        MPI_Send(many, 4, MPI_INT, 1, 3, world);
    } else {
        value = MPI_Recv(many, 2, MPI_INT, 0, 3, world, &status);
        say("truncated: %s", error_name(value));
    }
    MPI_Barrier(world);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL);
}

static void own_handlers(void)
{
    MPI_Errhandler mine, got;
    int value = 0;
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, mine);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
    say("the same: %d", got == mine);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&mine);
    say("freed: %d", mine == MPI_ERRHANDLER_NULL);
    MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_SELF);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy); /* inherits the handler */
    MPI_Recv(&value, 1, MPI_INT, 3, 0, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    say("called %d times", called);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void own_classes(void)
{
    int class_number, code, found, length, *last, flag;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Add_error_class(&class_number);
    MPI_Add_error_code(class_number, &code);
    MPI_Add_error_string(code, "my own mistake");
    MPI_Error_class(code, &found);
    MPI_Error_string(code, text, &length);
    say("own class: %d, '%s' %d", found == class_number, text, length);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    say("last code: %d %d", flag, *last >= class_number);
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    say("a string for MPI_ERR_RANK: %d", length > 0 && (int)strlen(text) == length);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    classes();
    own_handlers();
    own_classes();
    parity_end();
    return 0;
}
