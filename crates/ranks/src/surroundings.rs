//! What the world around the ranks answers: simulated time, sleeping, the last MPI call.

use std::cell::RefCell;
use std::rc::Rc;

use crate::context;
use crate::threads;

/// The simulated world as seen by the C library functions that ranks call, and by crash reports.
pub trait Surroundings {
    /// Simulated seconds since the start of the run, only read: for crash reports. No number if the
    /// simulation is in the midst of something.
    fn date(&self) -> f64;

    /// Simulated seconds since the start of the run, as the current rank sees them.
    ///
    /// Called on the rank's stack whenever the program reads a clock. It may suspend the rank:
    /// measured computation can be accounted for first, and a loop that waits for a date must see
    /// time pass.
    fn now(&self) -> f64 {
        self.date()
    }

    /// Seconds since 1970 at the simulated start of the run: what `time` counts from.
    fn start_date(&self) -> f64 {
        0.0
    }

    /// Simulated seconds that a rank has computed, for processor clocks.
    fn computed(&self, rank: u32) -> f64 {
        let _ = rank;
        self.now()
    }

    /// Lets simulated time pass for the current rank; called on its stack and may suspend it.
    fn sleep(&self, seconds: f64);

    /// The MPI call that a rank is in or made last, for crash reports; empty if none.
    ///
    /// Called from a signal handler that never returns: it must not wait for anything.
    fn last_call(&self, rank: u32) -> String;

    /// The process is about to end because a rank crashed, or something outside ranks did: the
    /// last chance to leave word of it. Under the same restriction as [`Self::last_call`], but for
    /// what an alarm may cut short.
    fn crashed(&self, rank: Option<u32>, signal: i32) {
        let _ = (rank, signal);
    }
}

thread_local! {
    static AROUND: RefCell<Option<Rc<dyn Surroundings>>> = const { RefCell::new(None) };
}

/// Tells the ranks of this thread what surrounds them.
pub fn surround(surroundings: Rc<dyn Surroundings>) {
    AROUND.set(Some(surroundings));
}

/// Asks what surrounds the rank that runs; a thread of a rank has it asked by the scheduler. None
/// where no rank runs.
pub(crate) fn ask<R>(name: &'static str, f: impl FnOnce(&dyn Surroundings) -> R) -> Option<R> {
    if context::is_own_thread() {
        context::current()?;
        return around().map(|around| f(&*around));
    }
    let (mut f, mut answer) = (Some(f), None);
    threads::carry_out(name, &mut || {
        answer = f.take().zip(around()).map(|(f, around)| f(&*around));
    });
    answer
}

/// What surrounds the ranks of this thread, if anything does.
pub(crate) fn around() -> Option<Rc<dyn Surroundings>> {
    // Reached on threads that are ending and from signal handlers: none is better than a panic.
    AROUND.try_with(|around| around.try_borrow().ok()?.clone()).ok().flatten()
}
