//! The other way round: the program on its ordinary stack, the scheduler on a stack of its own.
//!
//! A program that was not started by `foretell run` is one rank on the main stack of its
//! process. Its MPI calls need a scheduler all the same; it runs whenever the program suspends.

use std::cell::Cell;
use std::ptr;

use corosensei::Yielder;

use crate::arena::{Arena, Bounds};
use crate::body::{Body, Entry};
use crate::context;
use crate::error::RanksError;
use crate::regions::Regions;
use crate::settings::GuardChoice;
use crate::switch::{self, Fiber};

/// Address space for the scheduler's stack; only what it touches becomes memory.
const STACK: usize = 16 << 20;

thread_local! {
    /// Never dropped: a suspended stack cannot be.
    static SCHEDULER: Cell<*mut Fiber> = const { Cell::new(ptr::null_mut()) };
    static BACK: Cell<*const Yielder<(), ()>> = const { Cell::new(ptr::null()) };
}

/// Makes this thread rank 0, and runs `scheduler` on a stack of its own until it first calls
/// [`back_to_program`]. Afterwards [`suspend`](crate::suspend) on this stack runs the scheduler.
///
/// # Errors
///
/// When there is no address space for the stack.
pub fn run_scheduler_beside(scheduler: impl FnOnce() + 'static) -> Result<(), RanksError> {
    let arena = Arena::new(1, STACK, GuardChoice::CanaryAccepted, 0)?;
    let stack = arena.take()?.ok_or(RanksError::NoStack { number: 0, count: 1 })?;
    let fiber = Fiber::with_stack(stack, move |yielder, ()| {
        BACK.set(yielder);
        scheduler();
    });
    SCHEDULER.set(Box::into_raw(Box::new(fiber)));
    context::adopt_thread();
    // One for the life of the process, like the program that it stands for.
    let body = Box::leak(Box::new(Body::new(0, Bounds::NONE, Regions::default(), Entry::Nothing)));
    context::with(|context| context.current.set(body));
    resume_scheduler();
    Ok(())
}

/// Called by the scheduler: lets the program on the main stack run until it suspends.
///
/// # Panics
///
/// Panics when the scheduler does not run beside a program.
pub fn back_to_program() {
    let back = BACK.get();
    assert!(!back.is_null(), "no program runs on the main stack");
    // SAFETY: the yielder lives at the root of the scheduler's stack, on which this runs.
    unsafe { &*back }.suspend(());
}

/// Runs the scheduler until it lets the program go on.
pub(crate) fn resume_scheduler() {
    let fiber = SCHEDULER.get();
    assert!(!fiber.is_null(), "the program waits, but has no scheduler");
    // SAFETY: made from a box that is never freed. The scheduler itself never comes here, since
    // no rank is current while it runs.
    let fiber = unsafe { &mut *fiber };
    assert!(!fiber.done(), "the program waits, but its scheduler has ended");
    context::with(|context| {
        // SAFETY: the body of the program on the main stack is never freed.
        let program = unsafe { &*context.current.get() };
        switch::leave(context, program, ptr::null());
        fiber.resume(());
        switch::enter(context, program);
    });
}
