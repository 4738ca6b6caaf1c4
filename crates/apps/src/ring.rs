//! Every rank exchanges with both neighbours of a ring, again and again.
//!
//! The whole of a skeleton: parameters that the command line fills, and the life of one rank.

use clap::Args;
use foretell_mpi::{Comm, Payload, Request, Result};

use crate::{Section, limits};

/// Parameters of the ring.
#[derive(Debug, Clone, Args)]
pub struct Ring {
    /// Exchanges of each rank
    #[arg(default_value_t = 100)]
    pub rounds: u64,
    /// Bytes of a message
    #[arg(default_value_t = 1024, value_parser = limits::bytes())]
    pub bytes: u64,
}

impl Ring {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let (rank, size) = (world.rank() as i32, world.size() as i32);
        let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
        world.barrier().await?;
        section.begin(&world).await;
        let mut requests = [Request::NULL, Request::NULL, Request::NULL, Request::NULL];
        for _ in 0..self.rounds {
            requests[0] = world.irecv(left, 1)?;
            requests[1] = world.irecv(right, 2)?;
            requests[2] = world.isend(Payload::Size(self.bytes), right, 1).await?;
            requests[3] = world.isend(Payload::Size(self.bytes), left, 2).await?;
            world.wait_all(&mut requests).await?;
        }
        section.end(&world).await;
        world.barrier().await
    }
}
