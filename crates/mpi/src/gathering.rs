//! What a model computes for several ranks at once: they gather at no cost, and each goes on at a
//! date of its own.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;

use foretell_kernel::ActorId;
use foretell_models::{Mode, SendKind};

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;

/// A number of ranks that wait for each other; used once.
#[derive(Debug)]
pub struct Gathering {
    missing: Cell<u32>,
    waiting: RefCell<Vec<ActorId>>,
}

/// What a message takes that meets no other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoneMessage {
    /// Seconds of the sender, before the message leaves.
    pub send_overhead: f64,
    /// Seconds on the way.
    pub transfer: f64,
    /// Seconds of the receiver, once it is there.
    pub receive_overhead: f64,
    /// How sender and receiver meet.
    pub mode: Mode,
}

impl Gathering {
    /// For so many ranks.
    pub fn new(ranks: u32) -> Self {
        Self { missing: Cell::new(ranks), waiting: RefCell::default() }
    }

    /// Whether one rank is missing: the next to come is the last.
    pub fn lacks_one(&self) -> bool {
        self.missing.get() == 1
    }
}

impl Comm {
    /// Waits until all ranks of a gathering have come.
    pub async fn meet_at(&self, gathering: &Gathering) {
        self.tell(Event::Untold("what a model computes for several ranks"));
        let missing = gathering.missing.get().saturating_sub(1);
        gathering.missing.set(missing);
        let since = self.now();
        if missing == 0 {
            let kernel = &mut self.world.state.borrow_mut().kernel;
            gathering.waiting.borrow_mut().drain(..).for_each(|actor| kernel.wake(actor));
            return;
        }
        let mut has_waited = false;
        poll_fn(|_| {
            if gathering.missing.get() == 0 {
                return Poll::Ready(());
            }
            if !std::mem::replace(&mut has_waited, true) {
                let actor = self.world.state.borrow().kernel.current();
                gathering.waiting.borrow_mut().push(actor);
            }
            Poll::Pending
        })
        .await;
        let waited = self.now() - since;
        self.world.state.borrow_mut().ranks[self.me as usize].times.waiting += waited;
    }

    /// What a message from one rank to another takes that meets none but its like in the opposite
    /// direction. Only the hybrid network model tells.
    pub fn lone_message(&self, from: i32, to: i32, bytes: u64) -> Result<LoneMessage> {
        let (from, to) = (self.world_rank(from)?, self.world_rank(to)?);
        let state = &mut *self.world.state.borrow_mut();
        let message = state.network_message(from, to, bytes);
        let transfer = state.network.lone_transfer(message, &mut state.kernel);
        let transfer = transfer.map_err(|no_route| Error::NoRoute(no_route.to_string()))?;
        let transfer = transfer.ok_or_else(|| {
            Error::BadArgument(
                "this network model does not tell the time of single messages".into(),
            )
        })?;
        let mode = state.network.mode(message);
        let send_overhead = match mode {
            Mode::Rendezvous => 0.0,
            _ => state.network.send_overhead(message, SendKind::Blocking),
        };
        let receive_overhead = match mode {
            Mode::Rendezvous => 0.0,
            _ => state.network.receive_overhead(message),
        };
        Ok(LoneMessage { send_overhead, transfer, receive_overhead, mode })
    }
}
