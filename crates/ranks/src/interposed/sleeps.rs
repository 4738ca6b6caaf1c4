//! Sleeping lets simulated time pass.

use std::ffi::{c_int, c_uint};

use libc::{clockid_t, timespec, useconds_t};

use super::clocks::read_clock;
use super::{Entry, table};
use crate::surroundings;

pub(super) fn table() -> Vec<Entry> {
    table![sleep, usleep, nanosleep, clock_nanosleep]
}

/// Sleeps in simulated time; none where no rank runs.
fn pass(seconds: f64) -> Option<()> {
    surroundings::ask("sleep", |around| around.sleep(seconds.max(0.0)))
}

fn length(of: &timespec) -> f64 {
    of.tv_sec as f64 + of.tv_nsec as f64 * 1e-9
}

fn is_valid(length: &timespec) -> bool {
    length.tv_sec >= 0 && (0..1_000_000_000).contains(&length.tv_nsec)
}

unsafe extern "C" fn sleep(seconds: c_uint) -> c_uint {
    match pass(f64::from(seconds)) {
        Some(()) => 0,
        // SAFETY: passed on as it came.
        None => unsafe { libc::sleep(seconds) },
    }
}

unsafe extern "C" fn usleep(microseconds: useconds_t) -> c_int {
    match pass(f64::from(microseconds) * 1e-6) {
        Some(()) => 0,
        // SAFETY: passed on as it came.
        None => unsafe { libc::usleep(microseconds) },
    }
}

unsafe extern "C" fn nanosleep(asked: *const timespec, left: *mut timespec) -> c_int {
    // SAFETY: the program gives a length to sleep; null is for the C library to refuse.
    let length = unsafe { asked.as_ref() }.filter(|asked| is_valid(asked)).map(length);
    match length.and_then(pass) {
        // Nothing interrupts a simulated sleep, so nothing is ever left.
        Some(()) => 0,
        // SAFETY: passed on as it came.
        None => unsafe { libc::nanosleep(asked, left) },
    }
}

unsafe extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    asked: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: the program gives a length or a date; null is for the C library to refuse.
    let asked_for = unsafe { asked.as_ref() }.filter(|asked| is_valid(asked)).map(length);
    let length = match (asked_for, read_clock(clock)) {
        (Some(date), Some(now)) if flags & libc::TIMER_ABSTIME != 0 => Some(date - now),
        (Some(length), Some(_)) => Some(length),
        _ => None,
    };
    match length.and_then(pass) {
        Some(()) => 0,
        // SAFETY: passed on as it came.
        None => unsafe { libc::clock_nanosleep(clock, flags, asked, left) },
    }
}
