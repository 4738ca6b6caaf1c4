//! Tells gdb of the images of ranks, whose symbols it cannot find by itself.
//!
//! gdb is told to stop in [`foretell_image_mapped`] and to run the command that is left in
//! [`foretell_gdb_command`]. So breakpoints that the user sets hold in every rank.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use foretell_images::Image;

/// Set where gdb has been told what to do.
const VARIABLE: &str = "FORETELL_GDB";

/// The command for gdb, while [`foretell_image_mapped`] is called.
#[allow(non_upper_case_globals, reason = "a name for gdb, which knows no Rust")]
#[unsafe(no_mangle)]
pub(crate) static foretell_gdb_command: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

/// Where gdb stops; it does nothing.
#[unsafe(no_mangle)]
#[inline(never)]
pub(crate) extern "C" fn foretell_image_mapped() {
    // Keeps the call: the compiler must not see that nothing happens here.
    std::hint::black_box(&foretell_gdb_command);
}

/// Tells gdb, if it listens, where a new image is.
pub(crate) fn tell_of(image: &Image) {
    static LISTENS: OnceLock<bool> = OnceLock::new();
    if !LISTENS.get_or_init(|| std::env::var_os(VARIABLE).is_some()) {
        return;
    }
    for line in image.gdb_commands().lines() {
        let Ok(command) = CString::new(line) else { continue };
        foretell_gdb_command.store(command.as_ptr().cast_mut(), Ordering::SeqCst);
        foretell_image_mapped();
        foretell_gdb_command.store(ptr::null_mut(), Ordering::SeqCst);
    }
}
