//! Measured computation: what the program does between two MPI calls takes simulated time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use foretell_ranks::{Clock, block_on};

use crate::rank::RankContext;
use crate::regions;

/// How measured seconds become simulated ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scale {
    /// So many simulated seconds for each, whatever the host.
    Ratio(f64),
    /// This computer does so many flops a second; a host takes as long as its speed says.
    HostSpeed(f64),
}

/// What is measured and how.
#[derive(Debug, Clone, Copy)]
struct Meter {
    scale: Scale,
    clock: Clock,
    /// Shorter stretches are put aside until they add up to this.
    threshold: f64,
}

/// Settings that are set once, before any rank runs.
struct Once(Cell<Option<Meter>>);

// SAFETY: written before ranks run, read by ranks, which run on one thread.
unsafe impl Sync for Once {}

static METER: Once = Once(Cell::new(None));
static ON: AtomicBool = AtomicBool::new(false);

/// Lets computation take time from now on.
pub(crate) fn switch_on(scale: Scale, clock: Clock, threshold: f64) {
    METER.0.set(Some(Meter { scale, clock, threshold }));
    ON.store(true, Ordering::Relaxed);
}

/// Whether computation is measured.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Lets what the rank has computed since its last call take its time.
pub(crate) fn account(here: &RankContext) {
    let Some(meter) = METER.0.get() else { return };
    let measured = meter.clock.read() - here.since.get();
    let to = regions::here();
    let factor = regions::factor(here.site.replace(to), to);
    let seconds = here.owed.get() + measured.max(0.0) / factor;
    if seconds < meter.threshold {
        here.owed.set(seconds);
        return;
    }
    here.owed.set(0.0);
    compute(here, seconds, meter.scale);
}

/// The program's own code goes on: time is measured from here.
pub(crate) fn restart(here: &RankContext) {
    if let Some(meter) = METER.0.get() {
        here.since.set(meter.clock.read());
    }
}

/// A thread of the rank calls that has computed for `elapsed` seconds.
pub(crate) fn resume_after(here: &RankContext, elapsed: f64) {
    if let Some(meter) = METER.0.get() {
        here.since.set(meter.clock.read() - elapsed);
    }
}

/// Lets a rank compute for so many seconds as measured on this computer.
pub(crate) fn compute_measured(here: &RankContext, seconds: f64) {
    let scale = METER.0.get().map_or(Scale::Ratio(1.0), |meter| meter.scale);
    compute(here, seconds, scale);
}

fn compute(here: &RankContext, seconds: f64, scale: Scale) {
    let flops = match scale {
        Scale::Ratio(ratio) => seconds * ratio * here.comm.core_speed(),
        Scale::HostSpeed(speed) => seconds * speed,
    };
    block_on(here.comm.compute(flops));
}

/// Does what the launch says about computation.
pub(crate) fn set_up(launch: &foretell_launch::Launch) {
    use foretell_launch as asked;
    let asked::Computation::Measured(scale) = launch.computation else { return };
    let scale = match scale {
        asked::Scale::Ratio(ratio) => Scale::Ratio(ratio),
        asked::Scale::HostSpeed(speed) => Scale::HostSpeed(speed),
    };
    let clock = match launch.clock {
        asked::Clock::Monotonic => Clock::Wall,
        asked::Clock::ThreadCpu => Clock::ThreadCpu,
    };
    foretell_ranks::measure_threads_by(Some(clock));
    switch_on(scale, clock, launch.threshold.unwrap_or(1e-6));
    if let Some(path) = &launch.region_factors
        && let Err(text) = regions::set_up(path)
    {
        crate::report::fatal(&text);
    }
}
