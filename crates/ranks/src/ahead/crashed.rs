//! A rank that crashes ahead of its turn: the report waits for it. Others may end the run before.

use std::ffi::{c_int, c_void};

use libc::siginfo_t;

use super::seat;
use crate::context;
use crate::crash;

/// What the handler of a crash was told. It stays where it is: the handler never returns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crash {
    signal: c_int,
    info: *mut siginfo_t,
    machine: *mut c_void,
}

impl Crash {
    /// Reports it as if it happened now, and ends the process.
    pub(super) fn report(self) -> ! {
        crash::report(self.signal, self.info, self.machine)
    }
}

/// Called by the handler of crashes: keeps a crash for the turn of its rank and never returns, if
/// the rank is ahead.
pub(crate) fn note(signal: c_int, info: *mut siginfo_t, machine: *mut c_void) {
    if !context::with(|context| context.is_ahead.get()) {
        return;
    }
    let Some(seat) = context::current().and_then(seat) else { return };
    seat.note_crash(Crash { signal, info, machine });
    loop {
        // SAFETY: sleeps until the process ends.
        unsafe { libc::pause() };
    }
}
