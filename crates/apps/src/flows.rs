//! Many flows at once, each of its own size: nearly every end of a flow has a date of its own and
//! changes the share of others.

use clap::Args;
use foretell_mpi::{Comm, Payload, Request, Result};

use crate::{Section, limits};

/// Parameters of the flows.
#[derive(Debug, Clone, Args)]
pub struct Flows {
    /// How often all flows are sent
    #[arg(default_value_t = 1)]
    pub rounds: u64,
    /// Flows that leave each rank
    #[arg(default_value_t = 4)]
    pub flows: u32,
    /// Bytes of the largest flow; the smallest has half of it
    #[arg(default_value_t = 131_072, value_parser = limits::bytes())]
    pub max_bytes: u64,
}

impl Flows {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let (rank, size) = (u64::from(world.rank()), u64::from(world.size()));
        let shift = |i: u64| if size > 1 { 1 + mix(77 + i) % (size - 1) } else { 0 };
        let count = u64::from(self.flows);
        world.barrier().await?;
        section.begin(&world).await;
        let mut requests: Vec<Request> = Vec::with_capacity(2 * self.flows as usize);
        for round in 0..self.rounds {
            requests.clear();
            for i in 0..count {
                let from = (rank + size - shift(i)) % size;
                requests.push(world.irecv(from as i32, i as i32)?);
            }
            for i in 0..count {
                let to = (rank + shift(i)) % size;
                let bytes = Payload::Size(self.length(rank, i, round));
                requests.push(world.isend(bytes, to as i32, i as i32).await?);
            }
            world.wait_all(&mut requests).await?;
            world.barrier().await?;
        }
        section.end(&world).await;
        Ok(())
    }

    fn length(&self, from: u64, i: u64, round: u64) -> u64 {
        let seed = from
            .wrapping_mul(1_315_423_911)
            .wrapping_add(i.wrapping_mul(2_654_435_761))
            .wrapping_add(round + 12345);
        self.max_bytes - mix(seed) % (self.max_bytes / 2 + 1)
    }
}

/// The C twin's mixing of a number's bits.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}
