//! Lists of loaded objects, which must show the rank's own image to a private library that was
//! linked to the C library's functions, as Fortran's run-time library is for its backtraces.

use std::ffi::{c_int, c_void};

use foretell_images::unwind::{self, PhdrCallback, dl_find_object, dladdr};

use super::{Entry, table};
use crate::images::announce_image;

/// All of them.
pub(super) fn table() -> Vec<Entry> {
    table![dl_iterate_phdr, dladdr, _dl_find_object => dl_find_object]
}

unsafe extern "C" fn dl_iterate_phdr(callback: Option<PhdrCallback>, data: *mut c_void) -> c_int {
    announce_image();
    // SAFETY: by the caller.
    unsafe { unwind::dl_iterate_phdr(callback, data) }
}
