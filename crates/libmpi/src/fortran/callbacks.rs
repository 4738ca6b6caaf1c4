//! Callbacks that the library has, and those of generalized requests.

use std::cell::Cell;
use std::ffi::c_int;

use super::argument::{Argument, Made, Request};
use super::call::{names, tell};
use crate::abi::*;
use crate::call::local;
use crate::failure::OnError;
use crate::grequest::{self, Functions, Grequest};

/// Copies nothing.
extern "C" fn null_copy(
    _object: *const c_int,
    _keyval: *const c_int,
    _extra_state: usize,
    _value_in: usize,
    _value_out: usize,
    flag: *mut c_int,
    ierror: *mut c_int,
) {
    tell(flag, 0);
    tell(ierror, MPI_SUCCESS);
}

/// Deletes nothing.
extern "C" fn null_delete(
    _object: *const c_int,
    _keyval: *const c_int,
    _value: usize,
    _extra_state: usize,
    ierror: *mut c_int,
) {
    tell(ierror, MPI_SUCCESS);
}

/// Copies a value.
extern "C" fn duplicate(
    _object: *const c_int,
    _keyval: *const c_int,
    _extra_state: usize,
    value_in: *const MPI_Aint,
    value_out: *mut MPI_Aint,
    flag: *mut c_int,
    ierror: *mut c_int,
) {
    // SAFETY: the caller's promise.
    unsafe { value_out.write(value_in.read()) };
    tell(flag, 1);
    tell(ierror, MPI_SUCCESS);
}

/// Copies a value of MPI-1, which is an `INTEGER`.
extern "C" fn duplicate_narrow(
    _object: *const c_int,
    _keyval: *const c_int,
    _extra_state: usize,
    value_in: *const c_int,
    value_out: *mut c_int,
    flag: *mut c_int,
    ierror: *mut c_int,
) {
    // SAFETY: the caller's promise.
    unsafe { value_out.write(value_in.read()) };
    tell(flag, 1);
    tell(ierror, MPI_SUCCESS);
}

names! { null_copy mpi_null_copy_fn ["_"] }
names! { null_copy mpi_comm_null_copy_fn ["_"] }
names! { null_copy mpi_type_null_copy_fn ["_"] }
names! { null_copy mpi_win_null_copy_fn ["_"] }
names! { null_delete mpi_null_delete_fn ["_"] }
names! { null_delete mpi_comm_null_delete_fn ["_"] }
names! { null_delete mpi_type_null_delete_fn ["_"] }
names! { null_delete mpi_win_null_delete_fn ["_"] }
names! { duplicate_narrow mpi_dup_fn ["_"] }
names! { duplicate mpi_comm_dup_fn ["_"] }
names! { duplicate mpi_type_dup_fn ["_"] }
names! { duplicate mpi_win_dup_fn ["_"] }

/// `MPI_GREQUEST_START`.
extern "C" fn grequest_start(
    query: unsafe extern "C" fn(*mut MPI_Aint, *mut MPI_Status, *mut c_int),
    free: unsafe extern "C" fn(*mut MPI_Aint, *mut c_int),
    cancel: unsafe extern "C" fn(*mut MPI_Aint, *mut c_int, *mut c_int),
    extra_state: *mut MPI_Aint,
    request: *mut c_int,
    ierror: *mut c_int,
) {
    // SAFETY: the caller's promise.
    let state = Cell::new(unsafe { extra_state.read() } as usize);
    let mut request = Made::<Request>::take(request, 0);
    let place = request.c();
    let code = local("MPI_Grequest_start", OnError::Process, |here| {
        let functions = Functions::Fortran { place: extra_state, query, free, cancel };
        // SAFETY: our own place for the handle.
        unsafe { place.write(grequest::start(here, Grequest { functions, state })) };
        Ok(())
    });
    request.give_back(code);
    tell(ierror, code);
}
names! { grequest_start mpi_grequest_start ["_" "_f08_"] }
