/* The annotation of Dimemas online: a stretch of computation, in seconds. */
#ifndef FORETELL_DIMEMAS_H_INCLUDED
#define FORETELL_DIMEMAS_H_INCLUDED

#include "foretell.h"

#define SKELETON_Compute(seconds) foretell_compute_seconds(seconds)

#endif
