//! Signatures of the functions a program hands over.
//!
//! `None` is the null pointer. Predefined callbacks arrive as the small numbers of
//! `PREDEFINED_CALLBACKS`: a function that can receive one takes it as `usize` and compares first.

use std::ffi::{c_int, c_void};

use super::{
    MPI_Aint, MPI_Comm, MPI_Count, MPI_Datatype, MPI_File, MPI_Offset, MPI_Session, MPI_Status,
    MPI_T_cb_safety, MPI_T_event_instance, MPI_T_event_registration, MPI_Win,
};

/// A reduction operation of the program.
pub type MPI_User_function =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype)>;
/// A reduction operation of the program for large counts.
pub type MPI_User_function_c =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Count, *mut MPI_Datatype)>;
/// Copies an attribute of a communicator: object, key, extra state, old value, where the new one goes, and a
/// flag that says whether there is one.
pub type MPI_Comm_copy_attr_function = Option<
    unsafe extern "C" fn(
        MPI_Comm,
        c_int,
        *mut c_void,
        *mut c_void,
        *mut c_void,
        *mut c_int,
    ) -> c_int,
>;
/// Deletes an attribute of a communicator: object, key, value, extra state.
pub type MPI_Comm_delete_attr_function =
    Option<unsafe extern "C" fn(MPI_Comm, c_int, *mut c_void, *mut c_void) -> c_int>;
/// Copies an attribute of a datatype: object, key, extra state, old value, where the new one goes, and a
/// flag that says whether there is one.
pub type MPI_Type_copy_attr_function = Option<
    unsafe extern "C" fn(
        MPI_Datatype,
        c_int,
        *mut c_void,
        *mut c_void,
        *mut c_void,
        *mut c_int,
    ) -> c_int,
>;
/// Deletes an attribute of a datatype: object, key, value, extra state.
pub type MPI_Type_delete_attr_function =
    Option<unsafe extern "C" fn(MPI_Datatype, c_int, *mut c_void, *mut c_void) -> c_int>;
/// Copies an attribute of a window: object, key, extra state, old value, where the new one goes, and a
/// flag that says whether there is one.
pub type MPI_Win_copy_attr_function = Option<
    unsafe extern "C" fn(
        MPI_Win,
        c_int,
        *mut c_void,
        *mut c_void,
        *mut c_void,
        *mut c_int,
    ) -> c_int,
>;
/// Deletes an attribute of a window: object, key, value, extra state.
pub type MPI_Win_delete_attr_function =
    Option<unsafe extern "C" fn(MPI_Win, c_int, *mut c_void, *mut c_void) -> c_int>;
/// The old name of the copy callback of communicators.
pub type MPI_Copy_function = MPI_Comm_copy_attr_function;
/// The old name of the delete callback of communicators.
pub type MPI_Delete_function = MPI_Comm_delete_attr_function;
/// Handles an error of a communicator.
pub type MPI_Comm_errhandler_function =
    Option<unsafe extern "C" fn(*mut MPI_Comm, *mut c_int, ...)>;
/// Handles an error of a file.
pub type MPI_File_errhandler_function =
    Option<unsafe extern "C" fn(*mut MPI_File, *mut c_int, ...)>;
/// Handles an error of a window.
pub type MPI_Win_errhandler_function = Option<unsafe extern "C" fn(*mut MPI_Win, *mut c_int, ...)>;
/// Handles an error of a session.
pub type MPI_Session_errhandler_function =
    Option<unsafe extern "C" fn(*mut MPI_Session, *mut c_int, ...)>;
/// The old name of the error handler of communicators.
pub type MPI_Handler_function = MPI_Comm_errhandler_function;
/// Fills the status of a generalized request.
pub type MPI_Grequest_query_function =
    Option<unsafe extern "C" fn(*mut c_void, *mut MPI_Status) -> c_int>;
/// Frees a generalized request.
pub type MPI_Grequest_free_function = Option<unsafe extern "C" fn(*mut c_void) -> c_int>;
/// Cancels a generalized request.
pub type MPI_Grequest_cancel_function = Option<unsafe extern "C" fn(*mut c_void, c_int) -> c_int>;
/// Tells the extent of a datatype in a data representation of the program.
pub type MPI_Datarep_extent_function =
    Option<unsafe extern "C" fn(MPI_Datatype, *mut MPI_Aint, *mut c_void) -> c_int>;
/// Converts between memory and a data representation of the program.
pub type MPI_Datarep_conversion_function = Option<
    unsafe extern "C" fn(
        *mut c_void,
        MPI_Datatype,
        c_int,
        *mut c_void,
        MPI_Offset,
        *mut c_void,
    ) -> c_int,
>;
/// Converts large counts between memory and a data representation of the program.
pub type MPI_Datarep_conversion_function_c = Option<
    unsafe extern "C" fn(
        *mut c_void,
        MPI_Datatype,
        MPI_Count,
        *mut c_void,
        MPI_Offset,
        *mut c_void,
    ) -> c_int,
>;
/// Receives an event of the tool interface.
pub type MPI_T_event_cb_function = Option<
    unsafe extern "C" fn(
        MPI_T_event_instance,
        MPI_T_event_registration,
        MPI_T_cb_safety,
        *mut c_void,
    ),
>;
/// Told when a registration for events is gone.
pub type MPI_T_event_free_cb_function =
    Option<unsafe extern "C" fn(MPI_T_event_registration, MPI_T_cb_safety, *mut c_void)>;
/// Told when events were lost.
pub type MPI_T_event_dropped_cb_function = Option<
    unsafe extern "C" fn(MPI_Count, MPI_T_event_registration, c_int, MPI_T_cb_safety, *mut c_void),
>;
