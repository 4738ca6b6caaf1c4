//! Fortran entry points: attributes. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Comm_free_keyval mpi_comm_free_keyval(comm_keyval: Place<c_int>);
    MPI_Type_free_keyval mpi_type_free_keyval(type_keyval: Place<c_int>);
    MPI_Win_free_keyval mpi_win_free_keyval(win_keyval: Place<c_int>);
    MPI_Comm_delete_attr mpi_comm_delete_attr(comm: Given<Comm>, comm_keyval: Value<c_int>);
    MPI_Type_delete_attr mpi_type_delete_attr(datatype: Given<Datatype>, type_keyval: Value<c_int>);
    MPI_Win_delete_attr mpi_win_delete_attr(win: Given<Win>, win_keyval: Value<c_int>);
    MPI_Comm_call_errhandler mpi_comm_call_errhandler(comm: Given<Comm>, errorcode: Value<c_int>);
    MPI_Comm_create_errhandler mpi_comm_create_errhandler(comm_errhandler_fn: Function,
        errhandler: Made<Errhandler>);
    MPI_Comm_get_errhandler mpi_comm_get_errhandler(comm: Given<Comm>,
        errhandler: Made<Errhandler>);
    MPI_Comm_set_errhandler mpi_comm_set_errhandler(comm: Given<Comm>,
        errhandler: Given<Errhandler>);
    MPI_File_call_errhandler mpi_file_call_errhandler(fh: Given<File>, errorcode: Value<c_int>);
    MPI_File_create_errhandler mpi_file_create_errhandler(file_errhandler_fn: Function,
        errhandler: Made<Errhandler>);
    MPI_File_get_errhandler mpi_file_get_errhandler(file: Given<File>,
        errhandler: Made<Errhandler>);
    MPI_File_set_errhandler mpi_file_set_errhandler(file: Given<File>,
        errhandler: Given<Errhandler>);
    MPI_Session_call_errhandler mpi_session_call_errhandler(session: Given<Session>,
        errorcode: Value<c_int>);
    MPI_Session_create_errhandler mpi_session_create_errhandler(session_errhandler_fn: Function,
        errhandler: Made<Errhandler>);
    MPI_Session_get_errhandler mpi_session_get_errhandler(session: Given<Session>,
        errhandler: Made<Errhandler>);
    MPI_Session_set_errhandler mpi_session_set_errhandler(session: Given<Session>,
        errhandler: Given<Errhandler>);
    MPI_Win_call_errhandler mpi_win_call_errhandler(win: Given<Win>, errorcode: Value<c_int>);
    MPI_Win_create_errhandler mpi_win_create_errhandler(win_errhandler_fn: Function,
        errhandler: Made<Errhandler>);
    MPI_Win_get_errhandler mpi_win_get_errhandler(win: Given<Win>, errhandler: Made<Errhandler>);
    MPI_Win_set_errhandler mpi_win_set_errhandler(win: Given<Win>, errhandler: Given<Errhandler>);
    MPI_Errhandler_free mpi_errhandler_free(errhandler: Changed<Errhandler>);
    MPI_Error_class mpi_error_class(errorcode: Value<c_int>, errorclass: Place<c_int>);
    MPI_Error_string mpi_error_string(errorcode: Value<c_int>, string: TextOut[string_len],
        resultlen: Place<c_int>; string_len);
    MPI_Add_error_class mpi_add_error_class(errorclass: Place<c_int>);
    MPI_Add_error_code mpi_add_error_code(errorclass: Value<c_int>, errorcode: Place<c_int>);
    MPI_Add_error_string mpi_add_error_string(errorcode: Value<c_int>, string: TextIn[string_len];
        string_len);
    MPI_Remove_error_class mpi_remove_error_class(errorclass: Value<c_int>);
    MPI_Remove_error_code mpi_remove_error_code(errorcode: Value<c_int>);
    MPI_Remove_error_string mpi_remove_error_string(errorcode: Value<c_int>);
}
