//! Ranks that call MPI from several threads: each thread is an actor beside its rank.
//!
//! Nothing here knows what a thread is. Whoever drives compiled programs spawns an actor for each,
//! wakes it when the thread has called, and says which call it is in, for reports.

use std::future::Future;

use foretell_kernel::ActorId;

use crate::comm::Comm;
use crate::listener::Event;

/// An actor that somebody outside of the simulation may wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor(ActorId);

/// What is known of a thread, for reports.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadState {
    pub(crate) rank: u32,
    /// 0 is the rank's main thread.
    pub(crate) number: u32,
    /// The call it is in; empty while it runs its own code.
    pub(crate) call: &'static str,
}

impl Comm {
    /// Runs a future as an actor beside the rank: it goes on when [`Comm::wake`] says so, or when
    /// what it waits for has come.
    pub fn spawn_beside(&self, future: impl Future<Output = ()> + 'static) {
        self.world.spawn(future);
    }

    /// The actor that is being polled.
    pub fn actor(&self) -> Actor {
        Actor(self.world.state.borrow().kernel.current())
    }

    /// Lets an actor go on.
    pub fn wake(&self, actor: Actor) {
        self.world.state.borrow_mut().kernel.wake(actor.0);
    }

    /// The actor being polled is thread `number` of this rank, and in `call`; an empty name says
    /// that it runs its own code.
    pub fn note_thread(&self, number: u32, call: &'static str) {
        let state = &mut *self.world.state.borrow_mut();
        let actor = state.kernel.current().0;
        state.tell(self.me, Event::Untold("calls of threads"));
        state.threads.insert(actor, ThreadState { rank: self.me, number, call });
    }

    /// The thread of the actor being polled has ended.
    pub fn forget_thread(&self) {
        let state = &mut *self.world.state.borrow_mut();
        let actor = state.kernel.current().0;
        state.threads.remove(&actor);
    }
}
