//! Where a rank is: at rest, in the queue, with a worker, or at a gate.

use std::cell::Cell;
use std::hint;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::crashed::{self, Wreck};
use super::futex;
use super::queue::Queue;
use super::{SHARED, ticks};
use crate::body::Body;
use crate::context;
use crate::switch::{self, Fiber};

/// The simulator has it.
const AT_REST: u32 = 0;
/// Any worker may take it.
const QUEUED: u32 = 1;
/// A worker runs it.
const RUNNING: u32 = 2;
/// The same, and the simulator sleeps until it is back.
const AWAITED: u32 = 3;
/// It has come to a gate.
const AT_GATE: u32 = 4;
/// It has crashed, and is never resumed.
const CRASHED: u32 = 5;

/// How often the simulator looks for a rank before it goes to sleep: some fifty microseconds.
const LOOKS: u32 = 2_000;

/// One rank as workers see it. The fields beside the state belong to whoever the state says.
#[repr(align(64))]
pub(crate) struct Seat {
    state: AtomicU32,
    /// Whether it may go ahead: false before it begins, and after its end.
    is_open: Cell<bool>,
    body: Cell<*const Body>,
    fiber: Cell<*mut Fiber>,
    stretch: Cell<u64>,
    /// What is known of its crash; null if it has not crashed.
    wreck: Cell<*mut Wreck>,
}

// SAFETY: whoever reads or writes the fields has first found in `state` that they are its own.
unsafe impl Sync for Seat {}
// SAFETY: nothing in it is bound to a thread.
unsafe impl Send for Seat {}

impl Default for Seat {
    fn default() -> Self {
        Self {
            state: AtomicU32::new(AT_REST),
            is_open: Cell::new(false),
            body: Cell::new(ptr::null()),
            fiber: Cell::new(ptr::null_mut()),
            stretch: Cell::new(0),
            wreck: Cell::new(ptr::null_mut()),
        }
    }
}

impl Seat {
    /// Gives the seat to a rank that has begun, whose stack stays where it is.
    pub(crate) fn open(&self, body: &Body, fiber: &mut Fiber) {
        self.body.set(body);
        self.fiber.set(fiber);
        self.is_open.set(true);
    }

    /// Keeps the rank from going ahead from now on.
    pub(crate) fn close(&self) {
        self.is_open.set(false);
    }

    pub(super) fn is_free(&self) -> bool {
        self.is_open.get() && self.state.load(Ordering::Relaxed) == AT_REST
    }

    /// Lets workers take the rank.
    pub(super) fn queue(&self) {
        // SAFETY: an open seat has a rank, which is at rest.
        unsafe { &*self.body.get() }.is_launched.set(true);
        self.state.store(QUEUED, Ordering::Release);
    }

    /// Takes the rank back if no worker has it; whether it was so.
    pub(super) fn unqueue(&self) -> bool {
        let (relaxed, acquire) = (Ordering::Relaxed, Ordering::Acquire);
        let is_back = self.state.compare_exchange(QUEUED, AT_REST, relaxed, acquire).is_ok();
        if is_back {
            // SAFETY: the rank lives, since it was in the queue, and is at rest.
            unsafe { &*self.body.get() }.is_launched.set(false);
        }
        is_back
    }

    /// Runs the rank up to the next gate, if it is still in the queue.
    pub(super) fn run_ahead(&self) {
        let (relaxed, acquire) = (Ordering::Relaxed, Ordering::Acquire);
        if self.state.compare_exchange(QUEUED, RUNNING, acquire, relaxed).is_err() {
            return;
        }
        let begun = ticks();
        // SAFETY: the rank is at rest on its own stack, and nobody else touches it now.
        unsafe { switch::run_ahead(&*self.body.get(), &mut *self.fiber.get()) };
        self.stretch.set(ticks().wrapping_sub(begun).max(1));
        let state = if self.wreck.get().is_null() { AT_GATE } else { CRASHED };
        if self.state.swap(state, Ordering::AcqRel) == AWAITED {
            futex::wake(&self.state, 1);
        }
    }

    /// Notes that the rank has crashed, on the thread that runs it.
    pub(super) fn note_crash(&self, wreck: *mut Wreck) {
        self.wreck.set(wreck);
    }

    /// Its turn has come: takes the rank back, from the queue or from its worker.
    #[cold]
    pub(crate) fn take_back(&self, body: &Body) {
        if self.unqueue() {
            return;
        }
        if let Some(shared) = SHARED.get() {
            self.wait_with(&shared.queue, &shared.seats);
        }
        let (relaxed, acquire) = (Ordering::Relaxed, Ordering::Acquire);
        loop {
            match self.state.load(Ordering::Acquire) {
                RUNNING => {
                    let _ = self.state.compare_exchange(RUNNING, AWAITED, relaxed, relaxed);
                }
                AWAITED => futex::wait(&self.state, AWAITED),
                CRASHED => self.report(body),
                _ => break,
            }
        }
        body.is_launched.set(false);
        let back = self.state.compare_exchange(AT_GATE, AT_REST, acquire, relaxed);
        debug_assert!(back.is_ok(), "a rank is back at a gate or not at all");
    }

    /// Waits for a while, and runs others ahead meanwhile.
    fn wait_with(&self, queue: &Queue, seats: &[Seat]) {
        let mut looks = 0;
        while looks < LOOKS && self.state.load(Ordering::Relaxed) <= AWAITED {
            match queue.pop() {
                Some(other) => {
                    crashed::prepare();
                    seats[other as usize].run_ahead();
                    looks = 0;
                }
                None => {
                    hint::spin_loop();
                    looks += 1;
                }
            }
        }
    }

    /// Whether a worker has the rank, which then cannot be dropped.
    pub(crate) fn is_away(&self) -> bool {
        !self.unqueue() && matches!(self.state.load(Ordering::Acquire), RUNNING | AWAITED | CRASHED)
    }

    pub(super) fn last_stretch(&self) -> u64 {
        match self.state.load(Ordering::Relaxed) {
            AT_REST => self.stretch.replace(0),
            _ => 0,
        }
    }

    /// Reports the crash in the rank's turn.
    fn report(&self, body: &Body) -> ! {
        context::with(|context| context.current.set(body));
        crashed::report(self.wreck.get())
    }
}
