//! What unwinders and debuggers ask the dynamic loader, answered for private images too.
//!
//! The library comes before the C library, so that libgcc and others find these functions.

use std::ffi::{c_int, c_void};

use foretell_images::unwind::{self, FoundObject, PhdrCallback};
use foretell_ranks::announce_image;

/// See [`unwind::dl_find_object`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
unsafe extern "C" fn _dl_find_object(pc: *mut c_void, result: *mut FoundObject) -> c_int {
    // SAFETY: by the caller.
    unsafe { unwind::dl_find_object(pc, result) }
}

/// See [`unwind::dl_iterate_phdr`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
unsafe extern "C" fn dl_iterate_phdr(callback: Option<PhdrCallback>, data: *mut c_void) -> c_int {
    announce_image();
    // SAFETY: by the caller.
    unsafe { unwind::dl_iterate_phdr(callback, data) }
}

/// See [`unwind::dladdr`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
unsafe extern "C" fn dladdr(address: *const c_void, info: *mut libc::Dl_info) -> c_int {
    // SAFETY: by the caller.
    unsafe { unwind::dladdr(address, info) }
}
