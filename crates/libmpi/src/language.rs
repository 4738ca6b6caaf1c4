//! Handles and statuses of other languages. MPI 4.1 section 19.3 and the ABI of MPI 5.0.
//!
//! The integer of a handle is its low half: the number of a predefined object, or the slot of one
//! that the program made. The way back finds what is in the slot now.

use std::ffi::c_int;

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Outcome, bad};
use crate::objects::objects;
use crate::pointer::{In, Out};

/// Numbers below are those of predefined objects.
const FIRST_MADE: u32 = 0x1000;

/// The integer of a handle.
fn to_integer(handle: Handle) -> c_int {
    handle as u32 as c_int
}

/// The handle of an integer; `null` for one that names nothing.
fn from_integer(integer: c_int, null: Handle, find: impl FnOnce(u32) -> Option<Handle>) -> Handle {
    match integer as u32 {
        number @ 0..FIRST_MADE => number as Handle,
        slot => find(slot).unwrap_or(null),
    }
}

/// Defines the conversions of one kind of handle, both under the names for Fortran and under those
/// of the ABI.
macro_rules! conversions {
    ($(
        $kind:ident, $table:ident, $null:ident:
        $c2f:ident $p_c2f:ident $f2c:ident $p_f2c:ident
        $to:ident $p_to:ident $from:ident $p_from:ident;
    )*) => {$(
        conversions!(@to $kind: $c2f $p_c2f $to $p_to);
        conversions!(@from $kind, $table, $null: $f2c $p_f2c $from $p_from);
    )*};
    (@to $kind:ident: $($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(handle: $kind) -> c_int {
            to_integer(handle)
        }
    )*};
    (@from $kind:ident, $table:ident, $null:ident: $($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name(integer: c_int) -> $kind {
            from_integer(integer, $null, |slot| objects().$table.borrow().current(slot))
        }
    )*};
}

conversions! {
    MPI_Comm, comms, MPI_COMM_NULL:
        MPI_Comm_c2f PMPI_Comm_c2f MPI_Comm_f2c PMPI_Comm_f2c
        MPI_Comm_toint PMPI_Comm_toint MPI_Comm_fromint PMPI_Comm_fromint;
    MPI_Group, groups, MPI_GROUP_NULL:
        MPI_Group_c2f PMPI_Group_c2f MPI_Group_f2c PMPI_Group_f2c
        MPI_Group_toint PMPI_Group_toint MPI_Group_fromint PMPI_Group_fromint;
    MPI_Datatype, types, MPI_DATATYPE_NULL:
        MPI_Type_c2f PMPI_Type_c2f MPI_Type_f2c PMPI_Type_f2c
        MPI_Type_toint PMPI_Type_toint MPI_Type_fromint PMPI_Type_fromint;
    MPI_Op, ops, MPI_OP_NULL:
        MPI_Op_c2f PMPI_Op_c2f MPI_Op_f2c PMPI_Op_f2c
        MPI_Op_toint PMPI_Op_toint MPI_Op_fromint PMPI_Op_fromint;
    MPI_Request, requests, MPI_REQUEST_NULL:
        MPI_Request_c2f PMPI_Request_c2f MPI_Request_f2c PMPI_Request_f2c
        MPI_Request_toint PMPI_Request_toint MPI_Request_fromint PMPI_Request_fromint;
    MPI_Message, messages, MPI_MESSAGE_NULL:
        MPI_Message_c2f PMPI_Message_c2f MPI_Message_f2c PMPI_Message_f2c
        MPI_Message_toint PMPI_Message_toint MPI_Message_fromint PMPI_Message_fromint;
    MPI_Info, infos, MPI_INFO_NULL:
        MPI_Info_c2f PMPI_Info_c2f MPI_Info_f2c PMPI_Info_f2c
        MPI_Info_toint PMPI_Info_toint MPI_Info_fromint PMPI_Info_fromint;
    MPI_Errhandler, errhandlers, MPI_ERRHANDLER_NULL:
        MPI_Errhandler_c2f PMPI_Errhandler_c2f MPI_Errhandler_f2c PMPI_Errhandler_f2c
        MPI_Errhandler_toint PMPI_Errhandler_toint MPI_Errhandler_fromint PMPI_Errhandler_fromint;
    MPI_Win, wins, MPI_WIN_NULL:
        MPI_Win_c2f PMPI_Win_c2f MPI_Win_f2c PMPI_Win_f2c
        MPI_Win_toint PMPI_Win_toint MPI_Win_fromint PMPI_Win_fromint;
    MPI_Session, sessions, MPI_SESSION_NULL:
        MPI_Session_c2f PMPI_Session_c2f MPI_Session_f2c PMPI_Session_f2c
        MPI_Session_toint PMPI_Session_toint MPI_Session_fromint PMPI_Session_fromint;
    MPI_File, files, MPI_FILE_NULL:
        MPI_File_c2f PMPI_File_c2f MPI_File_f2c PMPI_File_f2c
        MPI_File_toint PMPI_File_toint MPI_File_fromint PMPI_File_fromint;
}

/// Copies a status from one language to another: it is laid out alike in all of them.
fn convert(from: In<MPI_Status>, to: Out<MPI_Status>) -> Outcome {
    if from.is_null() {
        return bad(MPI_ERR_ARG, "the status is one that is to be ignored");
    }
    to.given("status")?.set(from.get());
    Ok(())
}

mpi! {
    /// `MPI_Status_c2f`.
    early fn MPI_Status_c2f(c_status: In<MPI_Status>, f_status: Out<MPI_Status>) -> c_int, |here| {
        let _ = here;
        convert(c_status, f_status)
    }

    /// `MPI_Status_f2c`.
    early fn MPI_Status_f2c(f_status: In<MPI_Status>, c_status: Out<MPI_Status>) -> c_int, |here| {
        let _ = here;
        convert(f_status, c_status)
    }

    /// `MPI_Status_f082c`.
    early fn MPI_Status_f082c(f08_status: In<MPI_F08_status>, c_status: Out<MPI_Status>) -> c_int,
        |here| {
        let _ = here;
        convert(f08_status, c_status)
    }

    /// `MPI_Status_c2f08`.
    early fn MPI_Status_c2f08(c_status: In<MPI_Status>, f08_status: Out<MPI_F08_status>) -> c_int,
        |here| {
        let _ = here;
        convert(c_status, f08_status)
    }

    /// `MPI_Status_f082f`.
    early fn MPI_Status_f082f(f08_status: In<MPI_F08_status>, f_status: Out<MPI_Status>) -> c_int,
        |here| {
        let _ = here;
        convert(f08_status, f_status)
    }

    /// `MPI_Status_f2f08`.
    early fn MPI_Status_f2f08(f_status: In<MPI_Status>, f08_status: Out<MPI_F08_status>) -> c_int,
        |here| {
        let _ = here;
        convert(f_status, f08_status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Table;

    #[test]
    fn integers_name_the_same_objects_as_handles() {
        let mut table = Table::new();
        table.insert('a');
        let gone = table.insert('b');
        table.remove(gone);
        let handle = table.insert('c');
        let integer = to_integer(handle);
        assert!(integer > 0);
        assert_eq!(from_integer(integer, 0, |slot| table.current(slot)), handle);
        assert_eq!(from_integer(integer + 1, MPI_COMM_NULL, |slot| table.current(slot)), 0x100);
        assert_eq!(from_integer(to_integer(MPI_INT), 0, |_| None), MPI_INT);
    }
}
