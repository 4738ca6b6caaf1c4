//! Clocks show simulated time.

use std::ffi::{c_int, c_void};

use libc::{clock_t, clockid_t, time_t, timespec, timeval, tms};

use super::{Entry, table};
use crate::context;
use crate::surroundings;

pub(super) fn table() -> Vec<Entry> {
    table![gettimeofday, clock_gettime, timespec_get, time, clock, times]
}

/// Which of the simulated clocks a program reads.
#[derive(Debug, Clone, Copy)]
enum Reading {
    /// Seconds since 1970.
    Date,
    /// Seconds since the start.
    Elapsed,
    /// Seconds that the rank has computed.
    Computed,
}

/// Reads a simulated clock; none where no rank runs.
fn read(reading: Reading) -> Option<f64> {
    let rank = context::current().or_else(context::made_by)?;
    surroundings::ask("a clock", |around| {
        let now = around.now();
        match reading {
            Reading::Date => around.start_date() + now,
            Reading::Elapsed => now,
            Reading::Computed => around.computed(rank),
        }
    })
}

/// Simulated time of one of the system's clocks; none for clocks that are left alone.
pub(super) fn read_clock(clock: clockid_t) -> Option<f64> {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => read(Reading::Date),
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_BOOTTIME => read(Reading::Elapsed),
        libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => read(Reading::Computed),
        _ => None,
    }
}

/// Whole seconds and the rest in nanoseconds, never a full second.
fn split(seconds: f64) -> (i64, i64) {
    let whole = seconds.floor();
    let nanoseconds = ((seconds - whole) * 1e9).round() as i64;
    if nanoseconds >= 1_000_000_000 { (whole as i64 + 1, 0) } else { (whole as i64, nanoseconds) }
}

unsafe extern "C" fn gettimeofday(at: *mut timeval, zone: *mut c_void) -> c_int {
    let Some(date) = read(Reading::Date) else {
        // SAFETY: passed on as it came.
        return unsafe { libc::gettimeofday(at, zone.cast()) };
    };
    let (seconds, nanoseconds) = split(date);
    if !at.is_null() {
        // SAFETY: the program gives a place for the result, or null.
        unsafe { at.write(timeval { tv_sec: seconds, tv_usec: nanoseconds / 1000 }) };
    }
    0
}

unsafe extern "C" fn clock_gettime(clock: clockid_t, at: *mut timespec) -> c_int {
    let Some(date) = read_clock(clock) else {
        // SAFETY: passed on as it came.
        return unsafe { libc::clock_gettime(clock, at) };
    };
    let (tv_sec, tv_nsec) = split(date);
    // SAFETY: the program gives a place for the result.
    unsafe { at.write(timespec { tv_sec, tv_nsec }) };
    0
}

unsafe extern "C" fn timespec_get(at: *mut timespec, base: c_int) -> c_int {
    const TIME_UTC: c_int = 1;
    if base != TIME_UTC {
        return 0;
    }
    // SAFETY: the program gives a place for the result.
    unsafe { clock_gettime(libc::CLOCK_REALTIME, at) };
    base
}

unsafe extern "C" fn time(at: *mut time_t) -> time_t {
    let Some(date) = read(Reading::Date) else {
        // SAFETY: passed on as it came.
        return unsafe { libc::time(at) };
    };
    let seconds = date.floor() as time_t;
    if !at.is_null() {
        // SAFETY: the program gives a place for the result, or null.
        unsafe { at.write(seconds) };
    }
    seconds
}

extern "C" fn clock() -> clock_t {
    match read(Reading::Computed) {
        Some(seconds) => (seconds * 1e6) as clock_t,
        // SAFETY: only reads a clock.
        None => unsafe { libc_clock() },
    }
}

unsafe extern "C" fn times(at: *mut tms) -> clock_t {
    let (Some(elapsed), Some(computed)) = (read(Reading::Elapsed), read(Reading::Computed)) else {
        // SAFETY: passed on as it came.
        return unsafe { libc::times(at) };
    };
    // SAFETY: only asks for a constant of the system.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as f64;
    if !at.is_null() {
        let user = (computed * ticks) as clock_t;
        // SAFETY: the program gives a place for the result, or null.
        unsafe { at.write(tms { tms_utime: user, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 }) };
    }
    (elapsed * ticks) as clock_t
}

unsafe extern "C" {
    #[link_name = "clock"]
    fn libc_clock() -> clock_t;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_stay_below_a_second() {
        assert_eq!(split(1.5), (1, 500_000_000));
        assert_eq!(split(0.999_999_999_9), (1, 0));
        assert_eq!(split(0.0), (0, 0));
    }
}
