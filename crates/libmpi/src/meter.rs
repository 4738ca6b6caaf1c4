//! Measured computation: what the program does between two MPI calls takes simulated time.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

use foretell_ranks::{Clock, block_on};

use crate::lines;
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
/// What is to be done when a call begins or ends, one bit each; usually nothing.
static TASKS: AtomicU8 = AtomicU8::new(0);
/// Computation takes time.
const MEASURE: u8 = 1;
/// The simulation is told the names of calls.
const NAME: u8 = 2;
/// And where in the source they stand.
const PLACE: u8 = 4;

/// Lets computation take time from now on.
pub(crate) fn switch_on(scale: Scale, clock: Clock, threshold: f64) {
    METER.0.set(Some(Meter { scale, clock, threshold }));
    TASKS.fetch_or(MEASURE, Ordering::Relaxed);
}

/// Whether computation is measured.
#[inline]
pub(crate) fn is_on() -> bool {
    TASKS.load(Ordering::Relaxed) & MEASURE != 0
}

/// Tells the simulation the names of calls from now on, for its meters of energy.
pub(crate) fn name_calls() {
    TASKS.fetch_or(NAME, Ordering::Relaxed);
}

/// Tells it, too, where in the source they stand.
pub(crate) fn place_calls() {
    TASKS.fetch_or(NAME | PLACE, Ordering::Relaxed);
}

/// A call begins: one branch, as long as neither time nor energy is looked at.
#[inline]
pub(crate) fn begin_call(here: &RankContext, call: &'static str, caller: impl FnOnce() -> usize) {
    let tasks = TASKS.load(Ordering::Relaxed);
    if tasks != 0 {
        begin_tasks(here, call, caller(), tasks);
    }
}

#[cold]
fn begin_tasks(here: &RankContext, call: &'static str, caller: usize, tasks: u8) {
    if tasks & MEASURE != 0 {
        account(here);
    }
    if tasks & PLACE != 0 {
        here.comm.call_from(lines::place(here, caller));
    }
    if tasks & NAME != 0 {
        here.comm.name_call(call);
    }
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
        // What is measured here lasts as long there in the pstate that the node begins with.
        Scale::Ratio(ratio) => seconds * ratio * here.comm.core_speed() * here.comm.slowdown(),
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
