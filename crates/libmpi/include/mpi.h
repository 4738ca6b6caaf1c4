/* The MPI 5.0 interface of foretell for C and C++.

   Types, handle values, constants and signatures are those of the MPI 5.0 standard ABI,
   so a program compiled with this header also runs with any other library that implements the ABI.
   Functions that foretell does not provide yet are declared too: a program that calls one fails to
   link, with the name of the function. `foretell check` lists them for a compiled program.

   The library's own view of the same facts is src/abi.rs; tests/header.rs compares the two. */

#ifndef FORETELL_MPI_H
#define FORETELL_MPI_H

#include <stdint.h>

#define MPI_VERSION        5
#define MPI_SUBVERSION     0
#define MPI_ABI_VERSION    1
#define MPI_ABI_SUBVERSION 0

#ifdef __cplusplus
extern "C" {
#endif

/* Integers: addresses and displacements, large counts, positions in files, Fortran's INTEGER. */

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;
typedef int MPI_Fint;

/* What is known of a received message. The last field belongs to the library: ask MPI_Get_count,
   MPI_Get_elements and MPI_Test_cancelled. */

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;

typedef MPI_Status MPI_F08_status;

#include "foretell/mpi_handles.h"
#include "foretell/mpi_constants.h"
#include "foretell/mpi_callbacks.h"
#include "foretell/mpi_tool_types.h"

/* Declares MPI_name and its twin PMPI_name, which tools call when they replace the first. */
#define FORETELL_MPI(result, name, parameters) \
    result MPI_##name parameters; \
    result PMPI_##name parameters;

#include "foretell/mpi_environment.h"
#include "foretell/mpi_point_to_point.h"
#include "foretell/mpi_datatypes.h"
#include "foretell/mpi_communicators.h"
#include "foretell/mpi_collectives.h"
#include "foretell/mpi_topologies.h"
#include "foretell/mpi_attributes.h"
#include "foretell/mpi_one_sided.h"
#include "foretell/mpi_files.h"
#include "foretell/mpi_tools.h"
#include "foretell/mpi_languages.h"
#include "foretell/mpi_removed.h"

#undef FORETELL_MPI

#ifdef __cplusplus
}
#endif

#endif
