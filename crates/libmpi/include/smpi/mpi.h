/* Where SimGrid keeps its mpi.h. */
#include "smpi.h"
