//! `MPI_SIZEOF`: the compiler tells the size of a variable with its descriptor.

use std::ffi::c_int;

use super::call::tell;
use super::descriptor::Descriptor;
use crate::abi::*;

/// `MPI_SIZEOF` of the module `mpi`.
#[unsafe(no_mangle)]
extern "C" fn foretell_sizeof(x: *const Descriptor, size: *mut c_int, ierror: *mut c_int) {
    // SAFETY: the compiler passes a descriptor and a place for the size.
    unsafe { size.write((*x).element as c_int) };
    tell(ierror, MPI_SUCCESS);
}

/// `MPI_Sizeof` of the module `mpi_f08`.
#[unsafe(no_mangle)]
extern "C" fn foretell_sizeof_f08(x: *const Descriptor, size: *mut c_int, ierror: *mut c_int) {
    foretell_sizeof(x, size, ierror);
}
