/* SimGrid's names for annotations, so that programs annotated for SMPI are simulated unchanged. */
#ifndef FORETELL_SMPI_H_INCLUDED
#define FORETELL_SMPI_H_INCLUDED

#include "../mpi.h"
#include "../foretell.h"

#define smpi_execute(seconds) foretell_compute_seconds(seconds)
#define smpi_execute_benched(seconds) foretell_compute_seconds(seconds)
#define smpi_execute_flops(flops) foretell_compute_flops(flops)
#define smpi_execute_flops_benched(flops) foretell_compute_flops(flops)

#define SMPI_SAMPLE_LOCAL(first, condition, step, iterations, precision)                          \
  FORETELL_SAMPLE(first, condition, step, 0, "", iterations, precision)
#define SMPI_SAMPLE_LOCAL_TAG(first, condition, step, iterations, precision, tag)                 \
  FORETELL_SAMPLE(first, condition, step, 0, tag, iterations, precision)
#define SMPI_SAMPLE_GLOBAL(first, condition, step, iterations, precision)                         \
  FORETELL_SAMPLE(first, condition, step, 1, "", iterations, precision)
#define SMPI_SAMPLE_GLOBAL_TAG(first, condition, step, iterations, precision, tag)                \
  FORETELL_SAMPLE(first, condition, step, 1, tag, iterations, precision)

/* The block that follows is not run; its cost is charged instead. */
#define SMPI_SAMPLE_DELAY(seconds) for (foretell_compute_seconds(seconds); 0;)
#define SMPI_SAMPLE_FLOPS(flops) for (foretell_compute_flops(flops); 0;)

#define SMPI_SHARED_MALLOC(size) foretell_shared_malloc((size), __FILE__, __LINE__)
#define SMPI_PARTIAL_SHARED_MALLOC(size, offsets, parts)                                          \
  foretell_partial_shared_malloc((size), (offsets), (parts))
#define SMPI_SHARED_FREE(address) foretell_shared_free(address)

#endif
