//! Collective operations whose time a formula tells: all wait for the last, and then so long.

use foretell_kernel::Then;
use foretell_models::Gathering;
use foretell_platform::HostId;

use super::{Operation, Root, Signature};
use crate::comm::Comm;
use crate::error::Result;
use crate::request::RequestState;
use crate::wait::done;
use crate::world::{REQUEST, State};

/// Ranks of a communicator that wait for the others.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    requests: Vec<u32>,
    /// What the root sends and receives, once it is there; else the one that came last.
    volume: (u64, u64),
    root_is_there: bool,
}

impl Comm {
    /// Takes part in a collective operation that moves no data, if the network has a formula for
    /// its time. If not, or if somebody hears what ranks do, nothing happens, and that is told.
    ///
    /// # Errors
    ///
    /// If another rank takes part in another operation.
    pub async fn by_formula(
        &self,
        operation: Operation,
        root: Option<u32>,
        (sent, received): (u64, u64),
    ) -> Result<bool> {
        if self.is_inter() || self.is_heard() || !self.has_formula(operation) {
            return Ok(false);
        }
        let signature = match root {
            Some(rank) => operation.at(Root::Rank(rank)),
            None => Signature::from(operation),
        };
        let is_root = root == Some(self.rank());
        self.collective(signature, async |_| {
            let request = self.come_to(operation, root, is_root, (sent, received));
            done(&self.world, request).await;
            self.world.state.borrow_mut().forget(request);
            Ok(())
        })
        .await?;
        Ok(true)
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
    fn come_to(
        &self,
        operation: Operation,
        root: Option<u32>,
        is_root: bool,
        volume: (u64, u64),
    ) -> u32 {
        let state = &mut *self.world.state.borrow_mut();
        let request = state.requests.insert(RequestState::task(self.me));
        let meeting = state.meetings.entry(self.shared.context).or_default();
        meeting.requests.push(request);
        if is_root || !meeting.root_is_there {
            meeting.volume = volume;
        }
        meeting.root_is_there |= is_root;
        if meeting.requests.len() == self.size() as usize {
            let meeting = state.meetings.remove(&self.shared.context).unwrap_or_default();
            self.end_meeting(state, operation, root, meeting);
        }
        request
    }

    fn end_meeting(
        &self,
        state: &mut State,
        operation: Operation,
        root: Option<u32>,
        meeting: Meeting,
    ) {
        let group = self.group();
        let host = |rank: u32| state.hosts[group.world_rank(rank) as usize];
        let mut hosts: Vec<HostId> = (0..group.size()).map(host).collect();
        hosts.sort_unstable();
        let (sent, received) = meeting.volume;
        let (operation, root) = (operation.name(), host(root.unwrap_or(0)));
        let gathering = Gathering { operation, root, hosts: &hosts, sent, received };
        let seconds = state.network.collective_time(&gathering).unwrap_or(0.0);
        for request in meeting.requests {
            state.kernel.wait(seconds, Then::Notify(REQUEST + request));
        }
    }
}
