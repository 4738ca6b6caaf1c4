//! Units of input and output, which Fortran's run-time library writes when a program ends.

use std::ffi::c_int;

/// Writes what the rank has printed in Fortran: it will not come to the end of its program.
pub(crate) fn flush() {
    let Some(address) = foretell_ranks::symbol(c"_gfortran_flush_i4") else { return };
    // SAFETY: gfortran's subroutine FLUSH, which takes the address of a unit's number.
    let flush: unsafe extern "C" fn(*const c_int) = unsafe { std::mem::transmute(address) };
    // SAFETY: without a number it flushes all units; the rank is in an MPI call, not in one of
    // the library's own.
    unsafe { flush(std::ptr::null()) };
}
