/* Signatures of the functions a program hands over.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_CALLBACKS_H
#define FORETELL_MPI_CALLBACKS_H

/* Callbacks of the program. These are function types: parameters are pointers to them. */

typedef void MPI_User_function(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);
typedef void MPI_User_function_c(void *invec, void *inoutvec, MPI_Count *len,
    MPI_Datatype *datatype);

typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void *extra_state,
    void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *attribute_val,
    void *extra_state);
typedef int MPI_Type_copy_attr_function(MPI_Datatype datatype, int keyval, void *extra_state,
    void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype datatype, int keyval, void *attribute_val,
    void *extra_state);
typedef int MPI_Win_copy_attr_function(MPI_Win win, int keyval, void *extra_state,
    void *attribute_val_in, void *attribute_val_out, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int keyval, void *attribute_val,
    void *extra_state);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;

typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *error_code, ...);
typedef void MPI_File_errhandler_function(MPI_File *file, int *error_code, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *win, int *error_code, ...);
typedef void MPI_Session_errhandler_function(MPI_Session *session, int *error_code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_Session_errhandler_function MPI_Session_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;

typedef int MPI_Grequest_query_function(void *extra_state, MPI_Status *status);
typedef int MPI_Grequest_free_function(void *extra_state);
typedef int MPI_Grequest_cancel_function(void *extra_state, int complete);

typedef int MPI_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint *extent,
    void *extra_state);
typedef int MPI_Datarep_conversion_function(void *userbuf, MPI_Datatype datatype, int count,
    void *filebuf, MPI_Offset position, void *extra_state);
typedef int MPI_Datarep_conversion_function_c(void *userbuf, MPI_Datatype datatype,
    MPI_Count count, void *filebuf, MPI_Offset position, void *extra_state);

/* Callbacks that always exist. The library knows them by their number; they cannot be called. */

#define MPI_NULL_COPY_FN               ((MPI_Copy_function *)0)
#define MPI_DUP_FN                     ((MPI_Copy_function *)1)
#define MPI_NULL_DELETE_FN             ((MPI_Delete_function *)0)
#define MPI_COMM_NULL_COPY_FN          ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN                ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN        ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN          ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_DUP_FN                ((MPI_Type_copy_attr_function *)1)
#define MPI_TYPE_NULL_DELETE_FN        ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN           ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_DUP_FN                 ((MPI_Win_copy_attr_function *)1)
#define MPI_WIN_NULL_DELETE_FN         ((MPI_Win_delete_attr_function *)0)
#define MPI_CONVERSION_FN_NULL         ((MPI_Datarep_conversion_function *)0)
#define MPI_CONVERSION_FN_NULL_C       ((MPI_Datarep_conversion_function_c *)0)

#endif
