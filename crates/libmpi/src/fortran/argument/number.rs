//! Numbers, truth values, indices and functions.

use std::ffi::c_int;

use super::Argument;
use crate::abi::*;

/// A number that C takes by value. A truth value is one too: gfortran has 1 and 0, as C does.
pub(crate) struct Value<T>(T);

impl<T: Copy> Argument for Value<T> {
    type Raw = *const T;
    type C = T;

    fn take(raw: *const T, _with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self(unsafe { raw.read() })
    }

    fn c(&mut self) -> T {
        self.0
    }
}

/// Something that C takes by address as well.
pub(crate) struct Place<T>(*mut T);

impl<T> Argument for Place<T> {
    type Raw = *mut T;
    type C = *mut T;

    fn take(raw: *mut T, _with: usize) -> Self {
        Self(raw)
    }

    fn c(&mut self) -> *mut T {
        self.0
    }
}

/// A function of the program that C code can call: what is passed to it looks the same in both
/// languages, because the low half of a handle is its integer.
pub(crate) struct Function(usize);

impl Argument for Function {
    type Raw = usize;
    type C = usize;

    fn take(raw: usize, _with: usize) -> Self {
        Self(raw)
    }

    fn c(&mut self) -> usize {
        self.0
    }
}

/// The index of a request, which Fortran counts from 1.
pub(crate) struct Index {
    place: *mut c_int,
    index: c_int,
}

impl Argument for Index {
    type Raw = *mut c_int;
    type C = *mut c_int;

    fn take(place: *mut c_int, _with: usize) -> Self {
        Self { place, index: MPI_UNDEFINED }
    }

    fn c(&mut self) -> *mut c_int {
        &mut self.index
    }

    fn give_back(self, _code: c_int) {
        let index = if self.index == MPI_UNDEFINED { self.index } else { self.index + 1 };
        // SAFETY: the caller's promise, see `argument.rs`.
        unsafe { self.place.write(index) };
    }
}

/// Indices of requests; `with` is the address of the argument that tells how many there are.
pub(crate) struct Indices {
    first: *mut c_int,
    count: *const c_int,
}

impl Argument for Indices {
    type Raw = *mut c_int;
    type C = *mut c_int;

    fn take(first: *mut c_int, with: usize) -> Self {
        Self { first, count: with as *const c_int }
    }

    fn c(&mut self) -> *mut c_int {
        self.first
    }

    fn give_back(self, _code: c_int) {
        // SAFETY: the caller's promise: the C function has written so many indices.
        unsafe {
            // There are none if no request is active, which is told by a negative number.
            for at in 0..(*self.count).max(0) as usize {
                *self.first.add(at) += 1;
            }
        }
    }
}

/// An address that the functions of MPI-1 have as an `INTEGER`.
pub(crate) struct Narrow(MPI_Aint);

impl Argument for Narrow {
    type Raw = *const c_int;
    type C = MPI_Aint;

    fn take(raw: *const c_int, _with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self(unsafe { raw.read() } as MPI_Aint)
    }

    fn c(&mut self) -> MPI_Aint {
        self.0
    }
}

/// A place for such an address, of which the low half is given.
pub(crate) struct NarrowPlace {
    place: *mut c_int,
    value: MPI_Aint,
}

impl Argument for NarrowPlace {
    type Raw = *mut c_int;
    type C = *mut MPI_Aint;

    fn take(place: *mut c_int, _with: usize) -> Self {
        Self { place, value: 0 }
    }

    fn c(&mut self) -> *mut MPI_Aint {
        &mut self.value
    }

    fn give_back(self, code: c_int) {
        if code == MPI_SUCCESS {
            // SAFETY: the caller's promise, see `argument.rs`.
            unsafe { self.place.write(self.value as c_int) };
        }
    }
}

/// An array of such addresses; `with` is its length.
pub(crate) struct NarrowArray(Vec<MPI_Aint>);

impl Argument for NarrowArray {
    type Raw = *const c_int;
    type C = *const MPI_Aint;

    fn take(raw: *const c_int, with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self((0..with).map(|at| unsafe { *raw.add(at) } as MPI_Aint).collect())
    }

    fn c(&mut self) -> *const MPI_Aint {
        self.0.as_ptr()
    }
}

/// The length that another argument tells; none if it is negative, which C will find out.
pub(crate) fn at<T: Copy + TryInto<usize>>(count: *const T) -> usize {
    // SAFETY: the caller's promise, see `argument.rs`.
    unsafe { count.read() }.try_into().unwrap_or(0)
}
