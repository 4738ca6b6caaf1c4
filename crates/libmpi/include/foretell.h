/* What a program can tell foretell about its computation and its memory.
 *
 * The functions may be called between MPI_Init and MPI_Finalize. A program that runs on its own,
 * as one rank, computes everything and spends no simulated time. */
#ifndef FORETELL_H_INCLUDED
#define FORETELL_H_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the simulated time of so many floating-point operations on one core of the rank's node. */
void foretell_compute_flops(double flops);

/* Takes the simulated time of what lasts so many seconds on the computer that simulates. */
void foretell_compute_seconds(double seconds);

/* Takes the time of a call of a compute kernel, as the models given to --kernels say:
 * foretell_kernel("dgemm", m, n, k). Dimensions are numbers of any type, in the order in which the
 * model has them. It is an error if there is no such kernel, or it has other dimensions. */
void foretell_kernel_call(const char *name, int count, const double *sizes);

#ifdef __cplusplus
}
template <class... Sizes> inline void foretell_kernel(const char *name, Sizes... sizes)
{
  const double list[] = {static_cast<double>(sizes)...};
  foretell_kernel_call(name, static_cast<int>(sizeof...(sizes)), list);
}
extern "C" {
#else
#define foretell_kernel(name, ...)                                                                \
  foretell_kernel_call((name), (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)),           \
                       (double[]){__VA_ARGS__})
#endif

/* Puts the node of the rank into one of its pstates, from 0 to foretell_pstate_count() - 1: speed
 * and power of all ranks on the node change at once, also of what is under way. The change itself
 * takes no time. */
void foretell_set_pstate(int pstate);
int foretell_pstate(void);
int foretell_pstate_count(void);

/* Whether the program is simulated, that is, foretell run runs it. */
int foretell_is_simulated(void);

/* What the rank has computed since its last call of MPI or of this header takes no time. */
void foretell_discard_time(void);

/* Lets simulated time pass. */
void foretell_sleep(double seconds);

/* For traces (--trace): marks this date, and the beginning and end of a part of the program. Parts
 * may lie in each other; the one that began last ends first. */
void foretell_mark(const char *name);
void foretell_region_begin(const char *name);
void foretell_region_end(const char *name);

/* A region of the program that is run and measured until its mean is known, and skipped from then
 * on, its mean being charged: true if it is to be run this time. It ends with foretell_sample_end.
 * Measuring stops after so many iterations, or when the standard error of the mean is below
 * `precision` times the mean (0: never before). A global region is measured by all ranks
 * together, another by each rank for itself. Regions are told apart by file, line and tag. */
int foretell_sample_begin(int global, const char *file, int line, const char *tag, int iterations,
                          double precision);
void foretell_sample_end(int global, const char *file, int line, const char *tag);

/* A loop whose body is sampled: FORETELL_SAMPLE(int i = 0, i < n, i++, 0, "", 10, 0.05) { ... }
 * Iterations that are skipped still evaluate the condition and the step. */
#define FORETELL_SAMPLE(first, condition, step, global, tag, iterations, precision)               \
  for (first; __extension__({                                                                     \
         int foretell_runs = 0;                                                                   \
         while (!foretell_runs && (condition)) {                                                  \
           foretell_runs = foretell_sample_begin((global), __FILE__, __LINE__, (tag),             \
                                                 (iterations), (precision));                      \
           if (!foretell_runs) {                                                                  \
             step;                                                                                \
           }                                                                                      \
         }                                                                                        \
         foretell_runs;                                                                           \
       });                                                                                        \
       foretell_sample_end((global), __FILE__, __LINE__, (tag)), step)

/* Memory whose content does not matter. All ranks that allocate as much at one place share one
 * block; of a partial block only the given parts (pairs of offsets: start, end) are folded, onto
 * one small piece of memory. Messages from and to folded memory take their time and copy
 * nothing. */
void *foretell_shared_malloc(size_t size, const char *file, int line);
void *foretell_partial_shared_malloc(size_t size, const size_t *offsets, int parts);
void foretell_shared_free(void *address);

#define FORETELL_SHARED_MALLOC(size) foretell_shared_malloc((size), __FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif
