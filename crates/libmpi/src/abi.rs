//! The MPI 5.0 standard ABI in Rust: types, constants and signatures of callbacks, the counterpart
//! of `include/mpi.h`.
//!
//! Handles are plain words: in C they are pointers to structures that do not exist, and small words
//! name predefined objects. The constants stand in groups with a table each, so that
//! `tests/header.rs` can compare all of them with the header.

#![allow(non_camel_case_types, non_upper_case_globals, non_snake_case)]
// The ABI is stated as a whole, also where the library does not use it.
#![allow(dead_code, unreachable_pub, unused_imports)]

use std::ffi::c_int;

/// What stands behind every MPI handle in C: a word that looks like a pointer.
pub type Handle = usize;
/// A communicator.
pub type MPI_Comm = Handle;
/// A datatype.
pub type MPI_Datatype = Handle;
/// An error handler.
pub type MPI_Errhandler = Handle;
/// An open file.
pub type MPI_File = Handle;
/// A group.
pub type MPI_Group = Handle;
/// A set of keys and values.
pub type MPI_Info = Handle;
/// A matched message.
pub type MPI_Message = Handle;
/// A reduction operation.
pub type MPI_Op = Handle;
/// A request.
pub type MPI_Request = Handle;
/// A session.
pub type MPI_Session = Handle;
/// A window for one-sided communication.
pub type MPI_Win = Handle;
/// An enumeration of the tool interface.
pub type MPI_T_enum = Handle;
/// A handle of a control variable of the tool interface.
pub type MPI_T_cvar_handle = Handle;
/// A handle of a performance variable of the tool interface.
pub type MPI_T_pvar_handle = Handle;
/// A session of performance variables of the tool interface.
pub type MPI_T_pvar_session = Handle;
/// A registration for events of the tool interface.
pub type MPI_T_event_registration = Handle;
/// An event of the tool interface.
pub type MPI_T_event_instance = Handle;
/// How safe a callback of the tool interface has to be (an enumeration in C).
pub type MPI_T_cb_safety = c_int;
/// Whether a source of events keeps their order (an enumeration in C).
pub type MPI_T_source_order = c_int;
/// An address or a displacement in bytes.
pub type MPI_Aint = isize;
/// A large count.
pub type MPI_Count = i64;
/// A position in a file.
pub type MPI_Offset = i64;
/// Fortran's default `INTEGER`.
pub type MPI_Fint = c_int;

/// What is known of a received message; the last five words belong to the library.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MPI_Status {
    /// The rank of the sender.
    pub MPI_SOURCE: c_int,
    /// The tag of the message.
    pub MPI_TAG: c_int,
    /// The error of this message, set by calls that complete several.
    pub MPI_ERROR: c_int,
    /// The library's own words.
    pub MPI_internal: [c_int; 5],
}

/// The status in the form of Fortran's module `mpi_f08`, laid out like the one of C.
pub type MPI_F08_status = MPI_Status;

/// Defines the constants of one group and the table of their values and names.
macro_rules! group {
    ($(#[$doc:meta])* $table:ident: $type:ty, $what:literal; $($name:ident = $value:expr,)*) => {
        $(
            #[doc = concat!($what, " `", stringify!($name), "`.")]
            pub const $name: $type = $value;
        )*
        $(#[$doc])*
        pub const $table: &[($type, &str)] = &[$(($name, stringify!($name)),)*];
    };
}

// The paths are given because `tests/header.rs` includes this file from another directory.
#[path = "abi/callbacks.rs"]
mod callbacks;
#[path = "abi/constants.rs"]
mod constants;
#[path = "abi/handles.rs"]
mod handles;

pub use callbacks::*;
pub use constants::*;
pub use handles::*;
