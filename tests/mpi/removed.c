/* ranks: 1 2 */
/* Functions that MPI-2 replaced and MPI-3 removed: old programs still have them. */
#include "parity.h"

static int heard;

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    MPI_Error_class(*code, &heard);
}

static void tell(const char *name, MPI_Datatype *type)
{
    MPI_Aint extent, lower, upper;
    MPI_Type_extent(*type, &extent);
    MPI_Type_lb(*type, &lower);
    MPI_Type_ub(*type, &upper);
    say("%s: %d, from %d to %d", name, (int)extent, (int)lower, (int)upper);
    MPI_Type_free(type);
}

int main(int argc, char **argv)
{
    int numbers[8], lengths[2] = {1, 2};
    MPI_Aint first, second, places[2] = {4, 12};
    MPI_Datatype type, types[2] = {MPI_CHAR, MPI_INT};
    MPI_Errhandler handler;
    parity_begin(&argc, &argv);
    MPI_Address(&numbers[1], &first);
    MPI_Address(&numbers[4], &second);
    say("apart: %d", (int)(second - first));
    MPI_Type_hvector(3, 1, 10, MPI_SHORT, &type);
    tell("hvector", &type);
    MPI_Type_hindexed(2, lengths, places, MPI_INT, &type);
    tell("hindexed", &type);
    MPI_Type_struct(2, lengths, places, types, &type);
    tell("struct", &type);
    MPI_Errhandler_create(hear, &handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_get(MPI_COMM_WORLD, &handler);
    say("set: %d", handler != MPI_ERRORS_ARE_FATAL);
    MPI_Send(numbers, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
    say("heard: %d", heard == MPI_ERR_RANK);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    parity_end();
    return 0;
}
