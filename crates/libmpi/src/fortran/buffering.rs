//! Buffers of buffered sends, given back: `mpif.h` and the module `mpi` have no type for the
//! address, so it is told to `mpi_f08` only. MPI 4.1 section 3.6.

use std::ffi::c_int;

use super::argument::{Argument, Comm, Given, Place, Session};
use super::call::{fortran, names, tell};
use crate::abi::*;

unsafe extern "C" {
    fn foretell_MPI_Buffer_detach(buffer: *mut usize, size: *mut c_int) -> c_int;
    fn foretell_MPI_Comm_detach_buffer(
        comm: MPI_Comm,
        buffer: *mut usize,
        size: *mut c_int,
    ) -> c_int;
    fn foretell_MPI_Session_detach_buffer(
        session: MPI_Session,
        buffer: *mut usize,
        size: *mut c_int,
    ) -> c_int;
}

/// `MPI_BUFFER_DETACH`.
extern "C" fn buffer_detach(_address: usize, size: *mut c_int, ierror: *mut c_int) {
    let mut address = 0;
    // SAFETY: the caller's promise.
    tell(ierror, unsafe { foretell_MPI_Buffer_detach(&mut address, size) });
}
names! { buffer_detach mpi_buffer_detach ["_"] }

/// `MPI_COMM_DETACH_BUFFER`.
extern "C" fn comm_detach_buffer(
    comm: *const c_int,
    _address: usize,
    size: *mut c_int,
    ierror: *mut c_int,
) {
    let (comm, mut address) = (Given::<Comm>::take(comm, 0).c(), 0);
    // SAFETY: the caller's promise.
    tell(ierror, unsafe { foretell_MPI_Comm_detach_buffer(comm, &mut address, size) });
}
names! { comm_detach_buffer mpi_comm_detach_buffer ["_"] }

/// `MPI_SESSION_DETACH_BUFFER`.
extern "C" fn session_detach_buffer(
    session: *const c_int,
    _address: usize,
    size: *mut c_int,
    ierror: *mut c_int,
) {
    let (session, mut address) = (Given::<Session>::take(session, 0).c(), 0);
    // SAFETY: the caller's promise.
    tell(ierror, unsafe { foretell_MPI_Session_detach_buffer(session, &mut address, size) });
}
names! { session_detach_buffer mpi_session_detach_buffer ["_"] }

fortran! { new
    MPI_Buffer_detach mpi_buffer_detach(buffer_addr: Place<usize>, size: Place<c_int>);
    MPI_Buffer_detach_c mpi_buffer_detach_c(buffer_addr: Place<usize>, size: Place<MPI_Count>);
    MPI_Comm_detach_buffer mpi_comm_detach_buffer(comm: Given<Comm>, buffer_addr: Place<usize>,
        size: Place<c_int>);
    MPI_Comm_detach_buffer_c mpi_comm_detach_buffer_c(comm: Given<Comm>,
        buffer_addr: Place<usize>, size: Place<MPI_Count>);
    MPI_Session_detach_buffer mpi_session_detach_buffer(session: Given<Session>,
        buffer_addr: Place<usize>, size: Place<c_int>);
    MPI_Session_detach_buffer_c mpi_session_detach_buffer_c(session: Given<Session>,
        buffer_addr: Place<usize>, size: Place<MPI_Count>);
}
