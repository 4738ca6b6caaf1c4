//! Waiting for conditions that other actors bring about.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use foretell_kernel::ActorId;

use crate::world::{State, World};

/// Tells the actors that wait for a condition to look again.
#[derive(Debug, Default)]
pub(super) struct Signal {
    waiting: RefCell<Vec<ActorId>>,
}

impl Signal {
    /// Something has changed.
    pub(super) fn raise(&self, state: &mut State) {
        for actor in self.waiting.take() {
            state.kernel.wake(actor);
        }
    }

    /// Suspends the actor, which works for a rank of the world, until a condition holds.
    pub(super) async fn until(&self, world: &Rc<World>, rank: u32, holds: impl Fn() -> bool) {
        let mut since = None;
        poll_fn(|_| {
            let state = &mut *world.state.borrow_mut();
            let now = state.kernel.now();
            if holds() {
                if let (Some(since), true) = (since, state.is_rank_itself(rank)) {
                    state.ranks[rank as usize].times.waiting += now - since;
                }
                return Poll::Ready(());
            }
            since.get_or_insert(now);
            let (actor, mut waiting) = (state.kernel.current(), self.waiting.borrow_mut());
            if !waiting.contains(&actor) {
                waiting.push(actor);
            }
            Poll::Pending
        })
        .await;
    }
}

/// Opens once, for all who wait.
#[derive(Debug, Default)]
pub(super) struct Gate {
    is_open: Cell<bool>,
    signal: Signal,
}

impl Gate {
    /// Lets everybody pass from now on.
    pub(super) fn open(&self, state: &mut State) {
        self.is_open.set(true);
        self.signal.raise(state);
    }

    /// Suspends the actor until the gate is open.
    pub(super) async fn pass(&self, world: &Rc<World>, rank: u32) {
        self.signal.until(world, rank, || self.is_open.get()).await;
    }
}
