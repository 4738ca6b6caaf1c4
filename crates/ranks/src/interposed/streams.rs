//! The standard streams are the process's: a rank that closes one is done with it, and the others
//! are not.

use std::ffi::c_int;

use super::{Entry, table};
use crate::context;

/// All of them.
pub(super) fn table() -> Vec<Entry> {
    table![fclose, close]
}

unsafe extern "C" {
    static stdin: *mut libc::FILE;
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
}

unsafe extern "C" fn fclose(stream: *mut libc::FILE) -> c_int {
    // SAFETY: reads the C library's variables.
    let (input, outputs) = unsafe { (stdin, [stdout, stderr]) };
    // SAFETY: the stream is the caller's.
    unsafe {
        match context::current() {
            Some(_) if outputs.contains(&stream) => libc::fflush(stream),
            Some(_) if stream == input => 0,
            _ => libc::fclose(stream),
        }
    }
}

unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    match (context::current(), descriptor) {
        (Some(_), libc::STDIN_FILENO..=libc::STDERR_FILENO) => 0,
        // SAFETY: the descriptor is the caller's.
        _ => unsafe { libc::close(descriptor) },
    }
}
