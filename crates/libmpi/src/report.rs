//! What the library itself says, on standard error.

use std::ffi::c_int;
use std::io::Write;

use crate::rank::RankContext;

/// The exit code of a run whose program did something MPI does not allow.
pub(crate) const FAILED: c_int = 1;

/// Says what went wrong and ends the process: for errors that no rank can be told of.
pub(crate) fn fatal(text: &str) -> ! {
    say("error", text);
    leave(FAILED)
}

/// Prints one message, after what the program has printed itself.
pub(crate) fn say(kind: &str, text: &str) {
    // SAFETY: flushes the C library's streams, on the thread that ranks run on.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut out = std::io::stderr().lock();
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(out, "{kind}: {text}");
}

/// Ends the process at once: exit handlers of the program belong to its ranks, not to us.
pub(crate) fn leave(code: c_int) -> ! {
    // SAFETY: flushes the C library's streams, then ends; nothing runs afterwards.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(code)
    }
}

/// The rank that runs, for the beginning of a sentence.
pub(crate) fn who() -> String {
    match RankContext::peek() {
        Some(here) => format!("rank {} at {:.9} s", here.number(), here.comm.now()),
        None => "outside of every rank".into(),
    }
}
