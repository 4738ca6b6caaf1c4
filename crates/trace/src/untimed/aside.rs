//! Calls that are no collective operations themselves, in which all ranks of a communicator meet.
//!
//! What they send is what our own simulations send in them.

use super::collective::within;
use super::{Heard, party};
use crate::action::{Action, Amount};
use crate::timed::{Assembly, Collective};

/// Bytes of what a rank tells when communicators are made: its color and its key.
const CLAIM: u64 = 8;

impl Heard {
    /// A rank meets the others of a communicator in the call that it leaves.
    pub(super) fn meet(&mut self, rank: u32, state: u32, args: Option<Collective<'_>>) {
        match (Assembly::of(&self.states[state as usize].name), args) {
            (Some(Assembly::Wait), args) => self.join_as(rank, state, "MPI_Barrier", args),
            (Some(Assembly::Claims), Some(args)) => self.claim(rank, args.comm),
            _ => {}
        }
    }

    fn claim(&mut self, rank: u32, comm: u32) {
        let party = party(&self.comms, comm);
        let size = party.map_or(self.ranks.len(), |party| party.members.len()) as u64;
        if let Some(party) = party {
            if !party.members.contains(&rank) {
                return;
            }
            self.ranks[rank as usize].define(&mut self.spool, rank, comm, party);
        }
        let block = Amount::of_bytes(CLAIM);
        let passes = Action::Passes { sent: CLAIM, received: CLAIM * size, is_other: true };
        let gathering = Action::Allgather { sent: block, received: block };
        for action in within(comm).into_iter().chain([passes, gathering]) {
            self.spool.add(rank, &action);
        }
    }
}
