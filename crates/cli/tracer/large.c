/* Calls with large counts: those with small ones, compiled once more. */
#include <mpi.h>

#if MPI_VERSION >= 4
#define LARGE
#include "messages.c"

#include "collectives.c"
#undef ALL
#undef AGAIN
#include "neighbours.c"
#include "windows.c"
#undef NOW
#undef LATER
#include "files.c"
#endif
