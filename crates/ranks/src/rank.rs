//! One rank, as the scheduler holds it.

use std::io;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

use crate::arena::Stack;
use crate::body::{Body, How};
use crate::context;
use crate::label::Labels;
use crate::life;
use crate::regions::Regions;
use crate::switch::{self, Fiber};
use crate::threads::Threads;

/// A compiled program that runs on a stack of its own, until it suspends.
///
/// The stack is given back when the rank ends, the program's memory when the rank is dropped:
/// others may still point into it, as `setvbuf` does.
pub struct Rank {
    /// Owned; not a `Box`, since the rank's own stack refers to it as well.
    body: NonNull<Body>,
    fiber: State,
    labels: Option<Rc<Labels>>,
}

/// What became of a rank that was resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It waits, and wants to be resumed when what it waits for has come.
    Suspended,
    /// It has ended with this exit code.
    Ended(i32, How),
}

/// The stack of a rank.
enum State {
    /// Reserved and untouched.
    Fresh(Stack),
    Begun(Fiber),
    Ended,
}

impl Rank {
    /// A rank that begins when it is first resumed.
    pub(crate) fn new(body: Body, stack: Stack, labels: Option<Rc<Labels>>) -> Self {
        let body = NonNull::from(Box::leak(Box::new(body)));
        Self { body, fiber: State::Fresh(stack), labels }
    }

    /// The number of the rank.
    pub fn number(&self) -> u32 {
        self.body().number
    }

    /// Runs the rank until it suspends or ends.
    ///
    /// # Panics
    ///
    /// Panics if the rank has ended.
    #[inline]
    pub fn resume(&mut self) -> Step {
        // SAFETY: the body lives until this rank is dropped.
        let body = unsafe { self.body.as_ref() };
        if body.is_launched.get() {
            take_back(body);
        }
        match &mut self.fiber {
            State::Begun(fiber) => switch::run(body, fiber),
            _ => self.begin(body),
        }
        if let Some(labels) = &self.labels {
            labels.drain(body.number);
        }
        if body.has_ended.get() { self.finish() } else { Step::Suspended }
    }

    /// Whether the rank has asked for a thread of its own.
    #[inline]
    pub fn wants_thread(&self) -> bool {
        self.body().wants_thread.get()
    }

    /// Whether it may ever run ahead of its turn.
    pub fn goes_ahead(&self) -> bool {
        self.body().seat.is_some()
    }

    /// Where its stack was left when it suspended itself, and how many bytes there hold what it
    /// waits with.
    #[inline]
    pub fn resting_place(&self) -> (usize, u16) {
        (self.body().resting.get(), self.body().held.get())
    }

    /// Where what a switch reads of it is.
    pub fn address(&self) -> usize {
        self.body.as_ptr().addr()
    }

    /// The threads of the rank.
    pub fn threads(&self) -> &Arc<Threads> {
        self.body().life.threads(self.body())
    }

    /// Sends the rank to a thread of its own; see [`Threads::send_away`].
    pub(crate) fn send_away(self) -> io::Result<Regions> {
        let threads = self.threads().clone();
        // SAFETY: the body lives until this rank is dropped, which its thread does at its end.
        let body = unsafe { self.body.as_ref() };
        threads.send_away(self, body)
    }

    /// Goes on in the thread that calls, to the end; returns the exit code.
    pub(crate) fn go_on_here(&mut self) -> i32 {
        // SAFETY: the body lives until this rank is dropped.
        let body = unsafe { self.body.as_ref() };
        if let State::Begun(fiber) = &mut self.fiber {
            switch::run_here(body, fiber);
        }
        body.life.ending.get().0
    }

    #[cold]
    fn begin(&mut self, body: &'static Body) {
        let State::Fresh(stack) = std::mem::replace(&mut self.fiber, State::Ended) else {
            panic!("rank {} was resumed after its end", body.number);
        };
        let mut fiber = Fiber::with_stack(stack, move |yielder, ()| {
            body.yielder.set(yielder);
            life::live(body);
        });
        switch::run(body, &mut fiber);
        self.fiber = State::Begun(fiber);
        if let (Some(seat), State::Begun(fiber)) = (body.seat, &mut self.fiber) {
            seat.open(body, fiber);
        }
    }

    #[cold]
    fn finish(&mut self) -> Step {
        if let Some(seat) = self.body().seat {
            seat.close();
        }
        self.release_stack();
        if let Some(labels) = &self.labels {
            labels.end(self.number());
        }
        let (code, how) = self.body().life.ending.get();
        Step::Ended(code, how)
    }

    /// Gives the stack back, whatever is on it.
    fn release_stack(&mut self) {
        if let State::Begun(fiber) = &mut self.fiber {
            // SAFETY: the frames are never returned to, as after `longjmp`. What they own is lost:
            // those of C have no destructors that `exit` would run, and ours keep what must be
            // freed in the body.
            unsafe { fiber.force_reset() };
        }
        self.fiber = State::Ended;
    }

    fn body(&self) -> &Body {
        // SAFETY: the body lives until this rank is dropped.
        unsafe { self.body.as_ref() }
    }
}

/// Takes a rank back that went ahead of its turn.
#[cold]
fn take_back(body: &'static Body) {
    if let Some(seat) = body.seat {
        seat.take_back(body);
    }
}

impl Drop for Rank {
    fn drop(&mut self) {
        if let Some(seat) = self.body().seat {
            seat.close();
            if self.body().is_launched.get() && seat.is_away() {
                // The run ends while a worker still runs the rank: nothing of it may go.
                std::mem::forget(std::mem::replace(&mut self.fiber, State::Ended));
                return;
            }
        }
        self.release_stack();
        context::with(|context| {
            if std::ptr::eq(context.regions_of.get(), self.body.as_ptr()) {
                context.regions_of.set(std::ptr::null());
            }
        });
        // SAFETY: made from a box in `new`, and nothing refers to it any more: the stack is gone.
        drop(unsafe { Box::from_raw(self.body.as_ptr()) });
    }
}

impl std::fmt::Debug for Rank {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rank").field("number", &self.number()).finish_non_exhaustive()
    }
}
