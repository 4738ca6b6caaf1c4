//! `strtok` goes on where this rank left off.

use std::ffi::c_char;
use std::ptr;

use super::{Entry, table};
use crate::context;

pub(super) fn table() -> Vec<Entry> {
    table![strtok]
}

unsafe extern "C" fn strtok(text: *mut c_char, separators: *const c_char) -> *mut c_char {
    let place = context::with_body(|body| body.life.strtok.as_ptr());
    match place {
        // SAFETY: the rank's own place; the strings are the program's.
        Some(place) => unsafe { libc::strtok_r(text, separators, place) },
        None => THREAD.with(|place| {
            // SAFETY: as above, with a place of this thread.
            unsafe { libc::strtok_r(text, separators, place.as_ptr()) }
        }),
    }
}

thread_local! {
    /// Where a thread of the program goes on.
    static THREAD: std::cell::Cell<*mut c_char> = const { std::cell::Cell::new(ptr::null_mut()) };
}
