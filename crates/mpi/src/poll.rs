//! Polling: `MPI_Test` and `MPI_Iprobe` cost time, and a loop of them costs few events.
//!
//! A rank that polls in vain again and again is put to sleep for longer and longer, but is woken
//! as soon as anything happens to it, at the next multiple of the step. What it sees, and when,
//! is thus as if it had polled at every step.

use std::rc::Rc;

use foretell_kernel::Then;

use crate::request::RequestState;
use crate::wait::done;
use crate::world::{PollPause, REQUEST, State, World};

/// Longest sleep of a polling rank, in steps: bounds what a rank that polls and computes in turns
/// can miss of its own computing.
const LONGEST: u32 = 1000;

/// Lets the rank spend the time of one poll, or of many if it has polled in vain before.
pub(crate) async fn pause(world: &Rc<World>, rank: u32, step: f64) {
    if step <= 0.0 {
        // Time must pass all the same, or a polling program would never end.
        return done_pause(world, rank, 1e-9, 1).await;
    }
    let steps = if world.settings().grow_polls {
        1 + world.state.borrow().ranks[rank as usize].failed_polls.min(LONGEST)
    } else {
        1
    };
    done_pause(world, rank, step, steps).await;
}

async fn done_pause(world: &Rc<World>, rank: u32, step: f64, steps: u32) {
    let request = {
        let state = &mut *world.state.borrow_mut();
        let request = state.requests.insert(RequestState::timer(rank));
        let end = step * f64::from(steps);
        let timer = state.kernel.wait(end, Then::Notify(REQUEST + request));
        let since = state.kernel.now();
        state.ranks[rank as usize].poll = Some(PollPause { timer, request, since, step });
        request
    };
    done(world, request).await;
    let state = &mut *world.state.borrow_mut();
    state.ranks[rank as usize].poll = None;
    state.forget(request);
}

impl State {
    /// Something has happened to a rank: if it sleeps between polls, it wakes at its next step.
    pub(crate) fn interrupt_poll(&mut self, rank: u32) {
        let Some(PollPause { timer, request, since, step }) = self.ranks[rank as usize].poll else {
            return;
        };
        if self.requests[request].is_done {
            return;
        }
        let passed = ((self.kernel.now() - since) / step).ceil().max(1.0);
        self.kernel.cancel(timer);
        let left = since + passed * step - self.kernel.now();
        let timer = self.kernel.wait(left, Then::Notify(REQUEST + request));
        self.ranks[rank as usize].poll = Some(PollPause { timer, request, since, step });
    }

    /// Remembers whether a poll found something, for the length of the next pause.
    pub(crate) fn note_poll(&mut self, rank: u32, found: bool) {
        let failed = &mut self.ranks[rank as usize].failed_polls;
        *failed = if found { 0 } else { failed.saturating_add(1) };
    }
}
