/* Attributes, error handlers and errors.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_ATTRIBUTES_H
#define FORETELL_MPI_ATTRIBUTES_H

/* Attributes. */

FORETELL_MPI(int, Comm_create_keyval, (MPI_Comm_copy_attr_function *comm_copy_attr_fn,
    MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state))
FORETELL_MPI(int, Comm_free_keyval, (int *comm_keyval))
FORETELL_MPI(int, Type_create_keyval, (MPI_Type_copy_attr_function *type_copy_attr_fn,
    MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state))
FORETELL_MPI(int, Type_free_keyval, (int *type_keyval))
FORETELL_MPI(int, Win_create_keyval, (MPI_Win_copy_attr_function *win_copy_attr_fn,
    MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state))
FORETELL_MPI(int, Win_free_keyval, (int *win_keyval))
FORETELL_MPI(int, Comm_delete_attr, (MPI_Comm comm, int comm_keyval))
FORETELL_MPI(int, Comm_get_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag))
FORETELL_MPI(int, Comm_set_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val))
FORETELL_MPI(int, Type_delete_attr, (MPI_Datatype datatype, int type_keyval))
FORETELL_MPI(int, Type_get_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val,
    int *flag))
FORETELL_MPI(int, Type_set_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val))
FORETELL_MPI(int, Win_delete_attr, (MPI_Win win, int win_keyval))
FORETELL_MPI(int, Win_get_attr, (MPI_Win win, int win_keyval, void *attribute_val, int *flag))
FORETELL_MPI(int, Win_set_attr, (MPI_Win win, int win_keyval, void *attribute_val))

/* Error handlers. */

FORETELL_MPI(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode))
FORETELL_MPI(int, Comm_create_errhandler, (MPI_Comm_errhandler_function *comm_errhandler_fn,
    MPI_Errhandler *errhandler))
FORETELL_MPI(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
FORETELL_MPI(int, File_call_errhandler, (MPI_File fh, int errorcode))
FORETELL_MPI(int, File_create_errhandler, (MPI_File_errhandler_function *file_errhandler_fn,
    MPI_Errhandler *errhandler))
FORETELL_MPI(int, File_get_errhandler, (MPI_File file, MPI_Errhandler *errhandler))
FORETELL_MPI(int, File_set_errhandler, (MPI_File file, MPI_Errhandler errhandler))
FORETELL_MPI(int, Session_call_errhandler, (MPI_Session session, int errorcode))
FORETELL_MPI(int, Session_create_errhandler, (
    MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Session_get_errhandler, (MPI_Session session, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Session_set_errhandler, (MPI_Session session, MPI_Errhandler errhandler))
FORETELL_MPI(int, Win_call_errhandler, (MPI_Win win, int errorcode))
FORETELL_MPI(int, Win_create_errhandler, (MPI_Win_errhandler_function *win_errhandler_fn,
    MPI_Errhandler *errhandler))
FORETELL_MPI(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
FORETELL_MPI(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))
FORETELL_MPI(int, Errhandler_free, (MPI_Errhandler *errhandler))

/* Error classes, codes and their texts. */

FORETELL_MPI(int, Error_class, (int errorcode, int *errorclass))
FORETELL_MPI(int, Error_string, (int errorcode, char *string, int *resultlen))
FORETELL_MPI(int, Add_error_class, (int *errorclass))
FORETELL_MPI(int, Add_error_code, (int errorclass, int *errorcode))
FORETELL_MPI(int, Add_error_string, (int errorcode, const char *string))
FORETELL_MPI(int, Remove_error_class, (int errorclass))
FORETELL_MPI(int, Remove_error_code, (int errorcode))
FORETELL_MPI(int, Remove_error_string, (int errorcode))

#endif
