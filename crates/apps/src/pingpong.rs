//! Two ranks send a message back and forth; the others go straight to the final barrier.

use clap::Args;
use foretell_mpi::{Comm, Error, Payload, Result};

use crate::{Section, limits};

/// Parameters of the ping-pong.
#[derive(Debug, Clone, Args)]
pub struct Pingpong {
    /// Round trips
    #[arg(default_value_t = 1000)]
    pub iterations: u64,
    /// Bytes of a message
    #[arg(default_value_t = 8, value_parser = limits::bytes())]
    pub bytes: u64,
}

impl Pingpong {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        if world.size() < 2 {
            return Err(Error::BadArgument("pingpong needs 2 ranks: give -n 2".into()));
        }
        let message = || Payload::Size(self.bytes);
        world.barrier().await?;
        section.begin(&world).await;
        for _ in 0..self.iterations {
            match world.rank() {
                0 => {
                    world.send(message(), 1, 7).await?;
                    world.recv(1, 8).await?;
                }
                1 => {
                    world.recv(0, 7).await?;
                    world.send(message(), 0, 8).await?;
                }
                _ => break,
            }
        }
        section.end(&world).await;
        world.barrier().await
    }
}
