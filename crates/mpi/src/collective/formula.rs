//! Collective operations whose time a formula tells: all wait for the last, and then so long.
//!
//! A reduction to one rank is the exception, as in Dimemas: it has a message from each other rank to
//! the root, which is all that the others wait for.

use foretell_models::Gathering;
use foretell_platform::HostId;

use super::{Channel, Operation, Pending, Root, Signature};
use crate::comm::Comm;
use crate::error::Result;
use crate::request::RequestState;
use crate::wait::{busy, done};
use crate::world::{NONE, REQUEST, State};

/// Ranks of a communicator that wait for the others.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    requests: Vec<u32>,
    /// What the root sends and receives, once it is there; else the one that came last.
    volume: (u64, u64),
    /// The root in the world, or the one that came last.
    root: u32,
    root_is_there: bool,
}

/// A reduction whose root waits for the messages of the others.
#[derive(Debug)]
pub(crate) struct Reduction {
    /// How many of the ranks are done.
    done: u32,
    /// What the root waits for, once it does.
    root: u32,
}

/// Where the ranks of a communicator are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    spans_nodes: bool,
    shares_nodes: bool,
}

/// What a rank says as it takes part in a collective operation.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// What is done.
    pub operation: Operation,
    /// For whom, if for one.
    pub root: Option<u32>,
    /// Bytes that this rank passes to send, and to receive.
    pub volume: (u64, u64),
}

impl Part {
    fn signature(self) -> Signature {
        match self.root {
            Some(rank) => self.operation.at(Root::Rank(rank)),
            None => Signature::from(self.operation),
        }
    }
}

impl Comm {
    /// Takes part in a collective operation that moves no data, if the network has a formula for
    /// its time. If not, or if somebody hears what ranks do, nothing happens, and that is told.
    ///
    /// # Errors
    ///
    /// If another rank takes part in another operation.
    pub async fn by_formula(&self, part: Part) -> Result<bool> {
        if self.is_inter() || self.is_heard() || !self.has_formula(part.operation) {
            return Ok(false);
        }
        self.collective(part.signature(), async |channel| match (part.operation, part.root) {
            (Operation::Reduce, Some(root)) => {
                self.reduce_by_messages(channel.tag, root, part.volume.0).await
            }
            _ => {
                self.meet_all(channel, part).await;
                Ok(())
            }
        })
        .await?;
        Ok(true)
    }

    /// Takes part and does not wait for the end, which [`Comm::end_by_formula`] does; nothing if there
    /// is no formula.
    pub async fn begin_by_formula(&self, part: Part) -> Option<Pending<()>> {
        if self.is_inter() || self.is_heard() || !self.has_formula(part.operation) {
            return None;
        }
        busy(&self.world, self.me, self.formula_startup()).await;
        let comm = self.clone();
        Some(self.collective_later(part.signature(), None, async move |channel| {
            comm.meet_all(channel, part).await;
            Ok(())
        }))
    }

    /// Waits for what was begun.
    ///
    /// # Errors
    ///
    /// If another rank took part in another operation.
    pub async fn end_by_formula(&self, begun: Pending<()>) -> Result<()> {
        busy(&self.world, self.me, self.formula_startup()).await;
        self.complete(begun).await
    }

    async fn meet_all(&self, channel: &Channel<'_>, part: Part) {
        let request = self.come_to(channel.tag, part);
        done(&self.world, request).await;
        self.world.state.borrow_mut().forget(request);
    }

    /// The root waits for all others, and these for their own messages to it.
    async fn reduce_by_messages(&self, tag: i32, root: u32, bytes: u64) -> Result<()> {
        busy(&self.world, self.me, self.formula_startup()).await;
        let key = (self.shared.context, tag);
        let is_root = root == self.rank();
        if !is_root {
            let to = self.world_rank(root as i32)?;
            let request =
                self.world.state.borrow_mut().start_transfer(self.me, self.me, to, bytes)?;
            done(&self.world, request).await;
            self.world.state.borrow_mut().forget(request);
        }
        let own = {
            let state = &mut *self.world.state.borrow_mut();
            let reduction =
                state.reductions.entry(key).or_insert(Reduction { done: 0, root: NONE });
            reduction.done += 1;
            let (is_over, waits) = (reduction.done == self.size(), reduction.root);
            if is_over {
                state.reductions.remove(&key);
                if waits != NONE {
                    state.complete(waits);
                }
                NONE
            } else if is_root {
                let request = state.requests.insert(RequestState::task(self.me));
                if let Some(reduction) = state.reductions.get_mut(&key) {
                    reduction.root = request;
                }
                request
            } else {
                NONE
            }
        };
        if own != NONE {
            done(&self.world, own).await;
            self.world.state.borrow_mut().forget(own);
        }
        Ok(())
    }

    /// Seconds that this rank spends before an operation of the communicator that it does not wait
    /// for.
    fn formula_startup(&self) -> f64 {
        let state = &mut *self.world.state.borrow_mut();
        let context = self.shared.context;
        let spread = match state.spreads.get(&context) {
            Some(spread) => *spread,
            None => {
                let hosts = self.sorted_hosts(state);
                let nodes = hosts.chunk_by(|one, next| one == next).count();
                let spread = Spread { spans_nodes: nodes > 1, shares_nodes: nodes < hosts.len() };
                state.spreads.insert(context, spread);
                spread
            }
        };
        let host = state.hosts[self.me as usize];
        state.network.operation_startup(host, spread.spans_nodes, spread.shares_nodes)
    }

    /// Where each rank runs, in order of the hosts.
    fn sorted_hosts(&self, state: &State) -> Vec<HostId> {
        let group = self.group();
        let host = |rank: u32| state.hosts[group.world_rank(rank) as usize];
        let mut hosts: Vec<HostId> = (0..group.size()).map(host).collect();
        hosts.sort_unstable();
        hosts
    }

    /// Whether the network has a formula for the time of an operation.
    pub fn has_formula(&self, operation: Operation) -> bool {
        let nobody = Gathering {
            operation: operation.name(),
            root: HostId(0),
            hosts: &[],
            sent: 0,
            received: 0,
        };
        self.world.state.borrow().network.collective_time(&nobody).is_some()
    }

    /// Comes to the meeting; gives the request that is done at its end. Who comes last ends it.
    fn come_to(&self, tag: i32, part: Part) -> u32 {
        let state = &mut *self.world.state.borrow_mut();
        let request = state.requests.insert(RequestState::task(self.me));
        let key = (self.shared.context, tag);
        let is_root = part.root == Some(self.rank());
        let meeting = state.meetings.entry(key).or_default();
        meeting.requests.push(request);
        if is_root || !meeting.root_is_there {
            (meeting.volume, meeting.root) = (part.volume, self.me);
        }
        meeting.root_is_there |= is_root;
        if meeting.requests.len() == self.size() as usize {
            let meeting = state.meetings.remove(&key).unwrap_or_default();
            self.end_meeting(state, part.operation, meeting);
        }
        request
    }

    fn end_meeting(&self, state: &mut State, operation: Operation, meeting: Meeting) {
        let hosts = self.sorted_hosts(state);
        let (sent, received) = meeting.volume;
        let (operation, root) = (operation.name(), state.hosts[meeting.root as usize]);
        let gathering = Gathering { operation, root, hosts: &hosts, sent, received };
        let numbers = meeting.requests.into_iter().map(|request| REQUEST + request).collect();
        state.network.operate(&gathering, numbers, &mut state.kernel);
    }
}
