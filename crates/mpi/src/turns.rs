//! Ranks that take turns: where a node has fewer processors than ranks, and lets each of them run
//! until it waits.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use foretell_kernel::ActorId;

use crate::comm::Comm;

/// So many turns at a time; who comes first has one first.
#[derive(Debug)]
pub struct Turns {
    free: Cell<u32>,
    waiting: RefCell<VecDeque<Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    actor: ActorId,
    has_turn: Rc<Cell<bool>>,
}

/// Where one who waits stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Before all others.
    First,
    /// Behind them.
    Last,
}

impl Turns {
    /// So many at a time.
    pub fn new(count: u32) -> Self {
        Self { free: Cell::new(count), waiting: RefCell::default() }
    }
}

impl Comm {
    /// Waits for a turn.
    pub async fn take_turn(&self, turns: &Turns, turn: Turn) {
        if turns.free.get() > 0 {
            turns.free.set(turns.free.get() - 1);
            return;
        }
        let has_turn = Rc::new(Cell::new(false));
        let actor = self.world.state.borrow().kernel.current();
        let waiting = Waiting { actor, has_turn: has_turn.clone() };
        match turn {
            Turn::First => turns.waiting.borrow_mut().push_front(waiting),
            Turn::Last => turns.waiting.borrow_mut().push_back(waiting),
        }
        poll_fn(|_| if has_turn.get() { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Lets the next have its turn.
    pub fn end_turn(&self, turns: &Turns) {
        match turns.waiting.borrow_mut().pop_front() {
            None => turns.free.set(turns.free.get() + 1),
            Some(Waiting { actor, has_turn }) => {
                has_turn.set(true);
                self.world.state.borrow_mut().kernel.wake(actor);
            }
        }
    }

    /// Processors of the nodes on which the network's model lets ranks take turns, by the host: those
    /// that have more ranks than processors.
    pub fn crowded_nodes(&self) -> BTreeMap<u32, u32> {
        let state = self.world.state.borrow();
        let mut crowded = BTreeMap::new();
        if !state.network.lets_ranks_take_turns() {
            return crowded;
        }
        for host in &state.hosts {
            *crowded.entry(host.0).or_insert(0) += 1;
        }
        let platform = state.network.platform();
        crowded.retain(|host, ranks| {
            let cores = platform.host(foretell_platform::HostId(*host)).cores;
            let is_crowded = *ranks > cores;
            *ranks = cores;
            is_crowded
        });
        crowded
    }
}
