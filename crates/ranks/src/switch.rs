//! The two directions of a switch: into a rank, and back to who resumed it.

use std::future::Future;
use std::pin::pin;
use std::ptr;
use std::task::{Context as TaskContext, Poll, Waker};

use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::arena::Stack;
use crate::beside;
use crate::body::{Body, How};
use crate::context::{self, Context};
use crate::workbench;

/// The stack of a rank, or of the scheduler when the program has the main stack.
pub(crate) type Fiber = Coroutine<(), (), (), Stack>;

/// Runs a rank until it suspends or ends.
#[inline]
pub(crate) fn run(body: &Body, fiber: &mut Fiber) {
    context::with(|context| {
        let outer = enter(context, body);
        let result = fiber.resume(());
        if let CoroutineResult::Return(()) = result {
            body.has_ended.set(true);
        }
        leave(context, body, outer);
    });
    if body.has_canary && !body.bounds.is_intact() {
        crate::crash::report_overrun(body);
    }
}

/// Runs a rank ahead of its turn up to the next gate, on a thread that is a worker's.
///
/// Thread-locals are not exchanged: code that could find them does not run before its turn.
pub(crate) fn run_ahead(body: &Body, fiber: &mut Fiber) {
    context::with(|context| {
        context.current.set(body);
        context.is_ahead.set(true);
        context.scheduler.note_controls();
        body.c_state.load(&context.places, &context.scheduler);
        fiber.resume(());
        context.is_ahead.set(false);
        leave(context, body, ptr::null());
    });
}

/// Runs a rank to its end in a thread that is its own: nothing there is exchanged.
pub(crate) fn run_here(body: &Body, fiber: &mut Fiber) {
    context::with(|context| {
        context.current.set(body);
        context.scheduler.note_controls();
        body.c_state.load(&context.places, &context.scheduler);
    });
    if let CoroutineResult::Return(()) = fiber.resume(()) {
        body.has_ended.set(true);
    }
    context::with(|context| context.current.set(ptr::null()));
}

/// Puts the state of a rank in place; returns who ran before.
#[inline]
pub(crate) fn enter(context: &Context, body: &Body) -> *const Body {
    let outer = context.current.replace(body);
    if body.has_regions {
        exchange_regions(context, body);
    }
    context.scheduler.note_controls();
    // Last, so that nothing of ours disturbs `errno`.
    body.c_state.load(&context.places, &context.scheduler);
    outer
}

/// Takes the state of a rank away and puts back what ran before.
#[inline]
pub(crate) fn leave(context: &Context, body: &Body, outer: *const Body) {
    body.c_state.save(&context.places);
    context.scheduler.restore_controls(&body.c_state);
    context.current.set(outer);
}

/// Puts the thread-locals of a rank in place, unless they still are.
fn exchange_regions(context: &Context, body: &Body) {
    let before = context.regions_of.replace(body);
    if ptr::eq(before, body) {
        return;
    }
    if !before.is_null() {
        // SAFETY: a rank that is dropped takes itself out of `regions_of`.
        unsafe { &*before }.regions.save();
    }
    body.regions.load();
}

/// Gives control back to who resumed this rank, until it is resumed again.
///
/// On the main stack of a program that runs on its own this runs the scheduler instead.
///
/// # Panics
///
/// Panics when no rank runs on this thread.
#[inline]
pub fn suspend() {
    suspend_holding(0);
}

/// As [`suspend`], with so many bytes on the stack above that are needed when the rank goes on.
#[inline]
fn suspend_holding(bytes: usize) {
    let body = context::with(|context| context.current.get());
    assert!(!body.is_null(), "only a rank can suspend itself");
    // SAFETY: `current` points to a rank that runs, namely this one.
    let body = unsafe { &*body };
    let yielder = body.yielder.get();
    let here = 0_u8;
    body.resting.set(ptr::from_ref(&here).addr());
    body.held.set(bytes.min(usize::from(u16::MAX)) as u16);
    if yielder.is_null() {
        beside::resume_scheduler();
    } else {
        // SAFETY: the yielder lives on this stack for as long as the rank does.
        unsafe { &*yielder }.suspend(());
    }
}

/// Waits for a future on the stack of the rank, which is suspended while the future is pending.
///
/// The future must arrange by itself that the rank is resumed: its waker does nothing. It is
/// polled anew after each resumption.
///
/// # Panics
///
/// Panics when the future is pending and no rank runs on this thread.
#[inline]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut task = TaskContext::from_waker(Waker::noop());
    loop {
        match future.as_mut().poll(&mut task) {
            Poll::Ready(output) => return output,
            Poll::Pending => suspend_holding(size_of::<F>()),
        }
    }
}

/// As [`block_on`], for a future that runs no code of the program: it is polled on a stack that
/// ranks share, which spares theirs (`workbench.rs`).
#[inline]
pub fn block_on_short<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        let poll = workbench::work(|| {
            let mut task = TaskContext::from_waker(Waker::noop());
            future.as_mut().poll(&mut task)
        });
        match poll {
            Poll::Ready(output) => return output,
            Poll::Pending => suspend_holding(size_of::<F>()),
        }
    }
}

/// Ends the current rank at once, without exit handlers; on the main stack, the process.
///
/// Nothing on the rank's stack is dropped.
///
/// # Panics
///
/// Panics when no rank runs on this thread.
pub fn end(code: i32) -> ! {
    end_as(code, How::Exited)
}

/// Ends the current rank, saying how it came to that.
pub(crate) fn end_as(code: i32, how: How) -> ! {
    let yielder: Option<*const Yielder<(), ()>> = context::with_body(|body| {
        body.life.ending.set((code, how));
        body.has_ended.set(true);
        body.yielder.get()
    });
    let yielder = yielder.expect("only a rank can end itself");
    if yielder.is_null() {
        // SAFETY: ends the process, as the program on its main stack asked for.
        unsafe { libc::_exit(code) };
    }
    // SAFETY: as in `suspend`. A rank that has ended is never resumed.
    unsafe { &*yielder }.suspend(());
    unreachable!("a rank that had ended was resumed")
}
