//! What functions of the C library and crash reports hear from the simulation.

use std::rc::Rc;

use foretell_ranks::{Surroundings, block_on, surround};

use crate::rank::RankContext;
use crate::timed_trace;

/// The simulated world around the rank that runs.
struct World {
    /// Seconds since 1970 when the run began.
    start: f64,
}

/// Tells the ranks what surrounds them.
pub(crate) fn set_up() {
    // SAFETY: reads the clock; the date is only what programs print, no result depends on it.
    let start = unsafe { libc::time(std::ptr::null_mut()) };
    surround(Rc::new(World { start: start as f64 }));
}

impl Surroundings for World {
    fn date(&self) -> f64 {
        RankContext::peek().map_or(0.0, |here| here.comm.date_after_crash().unwrap_or(f64::NAN))
    }

    fn now(&self) -> f64 {
        crate::environment::wtime("a clock")
    }

    fn start_date(&self) -> f64 {
        self.start
    }

    fn sleep(&self, seconds: f64) {
        if let Some(here) = RankContext::peek() {
            here.enter("sleep", 0);
            block_on(here.comm.sleep(seconds));
            here.leave();
        }
    }

    fn crashed(&self, _: Option<u32>, _: i32) {
        timed_trace::rescue();
    }

    fn last_call(&self, _: u32) -> String {
        RankContext::peek().map_or_else(String::new, |here| here.call.get().into())
    }
}
