//! Sleeping until a word of memory changes.

use std::ptr;
use std::sync::atomic::AtomicU32;

/// Sleeps while the word has this value; may return early.
pub(super) fn wait(word: &AtomicU32, value: u32) {
    call(word, libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG, value);
}

/// Wakes up to `count` that sleep on the word.
pub(super) fn wake(word: &AtomicU32, count: u32) {
    call(word, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, count);
}

fn call(word: &AtomicU32, operation: libc::c_int, value: u32) {
    // SAFETY: the word lives for the length of the call; without a time limit.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            operation,
            value,
            ptr::null::<libc::timespec>(),
        );
    }
}
