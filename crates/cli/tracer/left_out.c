/* What such traces have no words for. */
#include "tracer.h"

#define LEFT_OUT(function, parameters, arguments, what)                                            \
    int MPI_##function parameters {                                                                \
        enter();                                                                                   \
        leave_out(what);                                                                           \
        return leave(PMPI_##function arguments);                                                   \
    }

LEFT_OUT(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
         (comm, name, mode, info, file), "files")
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
#endif
