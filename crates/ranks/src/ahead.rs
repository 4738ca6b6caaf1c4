//! Ranks that compute ahead of simulated time, on other cores of this computer.
//!
//! A rank that waits for something whose outcome is known already, and only its date is not due,
//! may go on computing: until it next wants something that is not its own. What it wants then waits
//! for the rank's turn, so that all that ranks share is touched by one thread, in the same order as
//! if there were no other. The book's page on several cores says why that is sound.
//!
//! Each rank has a [`Seat`], which outlives it. The simulator's thread puts ranks in a queue
//! ([`launch`]); workers take them out, and run each to the next gate ([`gate`]). When the turn of a
//! rank comes it is taken back, wherever it is ([`Seat::take_back`]).

mod crashed;
mod futex;
mod gate;
mod harmless;
mod queue;
mod seat;
mod workers;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use crashed::note as note_crash;
pub(crate) use gate::way_out;
pub use gate::{PutOff, Registers, gate, is_ahead, put_off_with, settle_with};
pub(crate) use seat::Seat;

use queue::Queue;

/// What all that take part share.
pub(crate) struct Shared {
    seats: Box<[Seat]>,
    queue: Queue,
}

static SHARED: OnceLock<Shared> = OnceLock::new();

/// Whether any rank has ever gone ahead: before, gates stand open.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

/// How many workers there shall be once the first rank goes ahead.
static WORKERS: OnceLock<usize> = OnceLock::new();

/// Lets ranks with numbers below `count` go ahead on so many cores, that of the simulator included.
/// To be called before any of them begins; with one core, nothing changes.
pub fn prepare(count: u32, cores: usize) {
    if cores > 1 {
        let seats = (0..count).map(|_| Seat::default()).collect();
        WORKERS.get_or_init(|| cores - 1);
        SHARED.get_or_init(|| Shared { seats, queue: Queue::new(count as usize) });
    }
}

/// Whether ranks may go ahead at all.
pub(crate) fn is_prepared() -> bool {
    SHARED.get().is_some()
}

/// The seat of a rank, if ranks may go ahead.
pub(crate) fn seat(number: u32) -> Option<&'static Seat> {
    SHARED.get()?.seats.get(number as usize)
}

/// Whether a rank that has suspended itself may go ahead.
pub fn may_launch(number: u32) -> bool {
    seat(number).is_some_and(Seat::is_free)
}

/// Lets a rank that has suspended itself go on as soon as a worker is free, up to the next gate.
/// It then finds that [`is_ahead`].
///
/// Called by the thread of the simulator. A rank that may not go ahead stays where it is.
pub fn launch(number: u32) {
    let Some(shared) = SHARED.get() else { return };
    let Some(seat) = shared.seats.get(number as usize).filter(|seat| seat.is_free()) else {
        return;
    };
    if !IS_ACTIVE.load(Ordering::Relaxed) {
        IS_ACTIVE.store(true, Ordering::Relaxed);
        workers::begin(shared, WORKERS.get().copied().unwrap_or(0));
    }
    seat.queue();
    if !shared.queue.push(number) {
        seat.unqueue();
    }
}

/// Whether a worker has the rank, or has had it when it was dropped.
pub fn is_away(number: u32) -> bool {
    seat(number).is_some_and(Seat::is_away)
}

/// How long a rank last ran ahead, in ticks of the processor's clock; zero if it did not since this
/// was last asked.
pub fn last_stretch(number: u32) -> u64 {
    seat(number).map_or(0, Seat::last_stretch)
}

/// The processor's clock. It only ever decides where something runs.
#[inline]
pub fn ticks() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}
