/* Deprecated and removed functions that programs still call, with their old signatures.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_REMOVED_H
#define FORETELL_MPI_REMOVED_H

/* Attributes of communicators; today MPI_Comm_create_keyval and its family. */

FORETELL_MPI(int, Keyval_create, (MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn,
    int *keyval, void *extra_state))
FORETELL_MPI(int, Keyval_free, (int *keyval))
FORETELL_MPI(int, Attr_put, (MPI_Comm comm, int keyval, void *attribute_val))
FORETELL_MPI(int, Attr_get, (MPI_Comm comm, int keyval, void *attribute_val, int *flag))
FORETELL_MPI(int, Attr_delete, (MPI_Comm comm, int keyval))

/* Error handlers; today MPI_Comm_create_errhandler and its family. */

FORETELL_MPI(int, Errhandler_create, (MPI_Handler_function *function, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler))

/* Datatypes; today MPI_Get_address, MPI_Type_create_* and MPI_Type_get_extent. */

FORETELL_MPI(int, Address, (const void *location, MPI_Aint *address))
FORETELL_MPI(int, Type_hvector, (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
    MPI_Datatype *newtype))
FORETELL_MPI(int, Type_hindexed, (int count, const int blocklengths[],
    const MPI_Aint displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
FORETELL_MPI(int, Type_struct, (int count, const int blocklengths[], const MPI_Aint displacements[],
    const MPI_Datatype types[], MPI_Datatype *newtype))
FORETELL_MPI(int, Type_extent, (MPI_Datatype datatype, MPI_Aint *extent))
FORETELL_MPI(int, Type_lb, (MPI_Datatype datatype, MPI_Aint *displacement))
FORETELL_MPI(int, Type_ub, (MPI_Datatype datatype, MPI_Aint *displacement))

/* Large counts before the functions that end in _c. */

FORETELL_MPI(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype datatype,
    MPI_Count *count))
FORETELL_MPI(int, Status_set_elements_x, (MPI_Status *status, MPI_Datatype datatype,
    MPI_Count count))
FORETELL_MPI(int, Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
FORETELL_MPI(int, Type_get_true_extent_x, (MPI_Datatype datatype, MPI_Count *true_lb,
    MPI_Count *true_extent))
FORETELL_MPI(int, Type_size_x, (MPI_Datatype datatype, MPI_Count *size))

/* Info values; today MPI_Info_get_string. */

FORETELL_MPI(int, Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag))
FORETELL_MPI(int, Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag))

#endif
