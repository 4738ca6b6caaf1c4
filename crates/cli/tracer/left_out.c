/* What such traces have no words for. */
#include "tracer.h"

#define LEFT_OUT(function, parameters, arguments, what)                                            \
    int MPI_##function parameters {                                                                \
        enter();                                                                                   \
        leave_out(what);                                                                           \
        return leave(PMPI_##function arguments);                                                   \
    }

LEFT_OUT(Grequest_start,
         (MPI_Grequest_query_function * query, MPI_Grequest_free_function *release,
          MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request),
         (query, release, cancel, state, request), "requests that the program completes itself")
#if MPI_VERSION >= 4
static const char PARTS[] = "messages in parts";

LEFT_OUT(Psend_init,
         (const void *buffer, int parts, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Info info, MPI_Request *request),
         (buffer, parts, count, type, to, tag, comm, info, request), PARTS)
LEFT_OUT(Precv_init,
         (void *buffer, int parts, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Info info, MPI_Request *request),
         (buffer, parts, count, type, from, tag, comm, info, request), PARTS)

/* A session has no world, whose ranks the trace tells of. */
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
    enter();
    leave_out("sessions");
    if (!trace) fprintf(stderr, "foretell: what a program does without MPI_Init is not traced\n");
    return leave(PMPI_Session_init(info, handler, session));
}
#endif
