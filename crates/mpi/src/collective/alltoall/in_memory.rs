//! Alltoall between two places in the memory of a compiled program, without copies in between.

use super::{Blocks, alltoall};
use crate::collective::{Channel, Operation};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::payload::Payload;

/// The algorithms that send blocks as they are and store what comes. The others cut and join
/// blocks on the way, and need them as bytes.
const DIRECT: [&str; 3] = ["pair", "ring", "basic_linear"];

impl Comm {
    /// `MPI_Alltoall` of `bytes` bytes in all, from one address to another. The two places do not
    /// overlap, and the communicator has one group.
    ///
    /// Gives a [`Payload::Memory`] if the result is in its place, else the result.
    pub async fn alltoall_in_memory(&self, from: usize, to: usize, bytes: u64) -> Result<Payload> {
        let payload = Payload::Memory { address: from, bytes };
        let block = bytes / u64::from(self.peers().size());
        let run = async |channel: &Channel<'_>| alltoall(channel, payload, Some(to)).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Alltoall, run).await;
        self.end_heard(is_told, Collective::Alltoall { block });
        outcome
    }
}

impl Blocks {
    /// The same blocks as an algorithm can take them.
    pub(super) fn for_algorithm(self, channel: &Channel<'_>, algorithm: &str) -> Blocks {
        match self.data {
            Payload::Memory { .. } if !DIRECT.contains(&algorithm) => {
                Blocks { data: channel.copied(&self.data), into: None, ..self }
            }
            _ => self,
        }
    }
}
