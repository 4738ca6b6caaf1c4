//! Buffers of any type, statuses and weights: where an address may mean something else.

use std::ffi::c_int;

use super::Argument;
use super::handle::{Datatype, Sort};
use crate::abi::*;
use crate::fortran::descriptor::{self, Descriptor};
use crate::fortran::sentinel;

/// An argument that has the address of a buffer in it.
pub(crate) trait Address: Copy {
    /// The address as C knows it.
    fn address(self) -> usize;
}

impl Address for usize {
    fn address(self) -> usize {
        sentinel::buffer(self)
    }
}

impl Address for *const Descriptor {
    fn address(self) -> usize {
        // SAFETY: the compiler passes a descriptor for each buffer of `mpi_f08`.
        sentinel::buffer(unsafe { (*self).base })
    }
}

/// A buffer by its address.
pub(crate) struct Choice(usize);

impl Argument for Choice {
    type Raw = usize;
    type C = usize;

    fn take(raw: usize, _with: usize) -> Self {
        Self(raw.address())
    }

    fn c(&mut self) -> usize {
        self.0
    }
}

/// A buffer by its descriptor, of which only the address matters.
pub(crate) struct Placed(usize);

impl Argument for Placed {
    type Raw = *const Descriptor;
    type C = usize;

    fn take(raw: *const Descriptor, _with: usize) -> Self {
        Self(raw.address())
    }

    fn c(&mut self) -> usize {
        self.0
    }
}

/// A buffer that a datatype describes if its elements lie apart.
pub(crate) type Described = Placed;

/// A buffer that is read during the call: elements that lie apart are gathered.
pub(crate) struct Gathered {
    address: usize,
    gathered: Option<Vec<u8>>,
}

impl Argument for Gathered {
    type Raw = *const Descriptor;
    type C = usize;

    fn take(raw: *const Descriptor, _with: usize) -> Self {
        // SAFETY: as in `Address`.
        let descriptor = unsafe { &*raw };
        let gathered = (!descriptor.is_dense()).then(|| descriptor.gather());
        Self { address: raw.address(), gathered }
    }

    fn c(&mut self) -> usize {
        self.gathered.as_ref().map_or(self.address, |bytes| bytes.as_ptr() as usize)
    }
}

/// A buffer that is read and written during the call: elements that lie apart are gathered, and
/// scattered afterwards.
pub(crate) struct Copied {
    raw: *const Descriptor,
    inner: Gathered,
}

impl Argument for Copied {
    type Raw = *const Descriptor;
    type C = usize;

    fn take(raw: *const Descriptor, with: usize) -> Self {
        Self { raw, inner: Gathered::take(raw, with) }
    }

    fn c(&mut self) -> usize {
        self.inner.c()
    }

    fn give_back(self, _code: c_int) {
        if let Some(gathered) = &self.inner.gathered {
            // SAFETY: as in `Address`.
            unsafe { &*self.raw }.scatter(gathered);
        }
    }
}

/// A buffer that is used after the call, in a way that no datatype can describe.
pub(crate) struct Dense {
    address: usize,
    is_dense: bool,
}

impl Argument for Dense {
    type Raw = *const Descriptor;
    type C = usize;

    fn take(raw: *const Descriptor, _with: usize) -> Self {
        // SAFETY: as in `Address`.
        Self { address: raw.address(), is_dense: unsafe { &*raw }.is_dense() }
    }

    fn is_refused(&self) -> bool {
        !self.is_dense
    }

    fn c(&mut self) -> usize {
        self.address
    }
}

/// Whether the elements of a buffer lie apart.
pub(crate) fn is_sparse(buffer: *const Descriptor) -> usize {
    // SAFETY: as in `Address`.
    usize::from(!unsafe { &*buffer }.is_dense())
}

/// A new datatype for `count` elements of a buffer that lie apart; 0 if they do not, and
/// [`descriptor::NONE`] if there is no such datatype.
pub(crate) fn section(buffer: *const Descriptor, count: usize, datatype: *const c_int) -> Handle {
    // SAFETY: as in `Address`.
    let descriptor = unsafe { &*buffer };
    if descriptor.is_dense() {
        return 0;
    }
    // SAFETY: the caller's promise, see `argument.rs`.
    descriptor::datatype(descriptor, count, Datatype::handle(unsafe { datatype.read() }))
}

/// The count of a buffer: 1 if a datatype describes all of it, which `with` tells.
pub(crate) struct CountOf<T>(T);

impl<T: Copy + From<bool>> Argument for CountOf<T> {
    type Raw = *const T;
    type C = T;

    fn take(raw: *const T, with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self(if with == 0 { unsafe { raw.read() } } else { T::from(true) })
    }

    fn c(&mut self) -> T {
        self.0
    }
}

/// The datatype of a buffer: a new one that describes all of it, which `with` is, or that of the
/// program.
pub(crate) struct TypeOf {
    handle: MPI_Datatype,
    is_ours: bool,
}

impl Argument for TypeOf {
    type Raw = *const c_int;
    type C = MPI_Datatype;

    fn take(raw: *const c_int, with: usize) -> Self {
        match with {
            // SAFETY: the caller's promise, see `argument.rs`.
            0 => Self { handle: Datatype::handle(unsafe { raw.read() }), is_ours: false },
            handle => Self { handle, is_ours: true },
        }
    }

    fn is_refused(&self) -> bool {
        self.handle == descriptor::NONE
    }

    fn c(&mut self) -> MPI_Datatype {
        self.handle
    }

    fn give_back(self, _code: c_int) {
        if self.is_ours && !self.is_refused() {
            // What is under way keeps what it needs of it.
            descriptor::release(self.handle);
        }
    }
}

/// A status, or none if the program does not want it.
pub(crate) struct Status(*mut MPI_Status);

/// Statuses, or none if the program does not want them.
pub(crate) type Statuses = Status;

impl Argument for Status {
    type Raw = *mut MPI_Status;
    type C = *mut MPI_Status;

    fn take(raw: *mut MPI_Status, _with: usize) -> Self {
        Self(if sentinel::is_ignored(raw as usize) { std::ptr::null_mut() } else { raw })
    }

    fn c(&mut self) -> *mut MPI_Status {
        self.0
    }
}

/// Weights of edges.
pub(crate) struct Weights(usize);

impl Argument for Weights {
    type Raw = usize;
    type C = usize;

    fn take(raw: usize, _with: usize) -> Self {
        Self(sentinel::weights(raw))
    }

    fn c(&mut self) -> usize {
        self.0
    }
}
