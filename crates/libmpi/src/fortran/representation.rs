//! Data representations of programs in Fortran. MPI 4.1 section 14.5.3.

use std::ffi::{CStr, c_char, c_int};

use super::argument::{Argument, TextIn};
use super::call::{names, tell};
use crate::abi::*;
use crate::call::local;
use crate::failure::OnError;
use crate::file::representation::{
    Conversion, Extent, FortranConversion, FortranExtent, Registered, register,
};

/// `MPI_CONVERSION_FN_NULL`, of which only the address matters.
extern "C" fn no_conversion() {}
names! { no_conversion mpi_conversion_fn_null ["_"] }

unsafe extern "C" {
    fn mpi_conversion_fn_null_();
}

/// A conversion, unless it is the one that stands for none.
fn given<T>(address: usize, conversion: fn(FortranConversion<T>) -> Conversion) -> Conversion {
    let is_null = address == mpi_conversion_fn_null_ as *const () as usize;
    if is_null {
        return conversion(None);
    }
    // SAFETY: the program gives a subroutine of this type; a null one is none.
    conversion(unsafe { std::mem::transmute::<usize, FortranConversion<T>>(address) })
}

/// Keeps a representation whose conversions count in `T`.
fn keep<T>(
    (call, conversion): (&'static str, fn(FortranConversion<T>) -> Conversion),
    (name, length): (*const c_char, usize),
    (read, write): (usize, usize),
    (extent, extra_state): (FortranExtent, *const MPI_Aint),
    ierror: *mut c_int,
) {
    let mut name = TextIn::take(name, length);
    // SAFETY: a text that ends with a zero, as long as it is kept.
    let name = unsafe { CStr::from_ptr(name.c()) }.to_string_lossy().into_owned();
    let code = local(call, OnError::File(MPI_FILE_NULL), |here| {
        let registered = Registered {
            read: given(read, conversion),
            write: given(write, conversion),
            extent: Extent::Fortran(extent),
            // SAFETY: the caller's promise.
            state: unsafe { extra_state.read() } as usize,
        };
        register(here, &name, registered)
    });
    tell(ierror, code);
}

/// `MPI_REGISTER_DATAREP`.
extern "C" fn register_datarep(
    name: *const c_char,
    read: usize,
    write: usize,
    extent: FortranExtent,
    extra_state: *const MPI_Aint,
    ierror: *mut c_int,
    length: usize,
) {
    let how = ("MPI_Register_datarep", Conversion::Fortran as fn(_) -> _);
    keep(how, (name, length), (read, write), (extent, extra_state), ierror);
}
names! { register_datarep mpi_register_datarep ["_" "_f08_"] }

/// `MPI_REGISTER_DATAREP_C`.
extern "C" fn register_datarep_c(
    name: *const c_char,
    read: usize,
    write: usize,
    extent: FortranExtent,
    extra_state: *const MPI_Aint,
    ierror: *mut c_int,
    length: usize,
) {
    let how = ("MPI_Register_datarep_c", Conversion::LargeFortran as fn(_) -> _);
    keep(how, (name, length), (read, write), (extent, extra_state), ierror);
}
names! { register_datarep_c mpi_register_datarep_c ["_f08_"] }
