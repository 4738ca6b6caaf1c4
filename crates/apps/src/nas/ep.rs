//! EP, embarrassingly parallel: pairs of random numbers, then a few sums.

use clap::Args;
use foretell_mpi::{Comm, Error, KernelId, Op, Payload, Result};

use super::{Class, Nas};
use crate::Section;

/// Logarithm (base 2) of the pairs that a rank draws at once.
const LOG_BATCH: u32 = 16;

/// Parameters of EP.
#[derive(Debug, Clone, Args)]
pub struct NasEp {
    #[command(flatten)]
    nas: Nas,
}

impl NasEp {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        let batches = self.batches(world.rank(), world.size());
        if batches == 0 {
            return Err(Error::BadArgument(format!(
                "EP of class {:?} has work for {} ranks, not for {}",
                self.nas.class,
                self.all_batches(),
                world.size()
            )));
        }
        world.bcast(Payload::Size(4), 0).await?;
        world.barrier().await?;
        section.begin(&world).await;
        // A pair is two random numbers, which are what EP counts.
        let numbers = 2.0 * f64::from(1 << LOG_BATCH) * batches as f64;
        self.nas.compute(&world, KernelId::NAS_EP, numbers).await;
        for doubles in [1, 1, 10] {
            world.allreduce(Payload::Size(8 * doubles), &Op::sized()).await?;
        }
        section.end(&world).await;
        world.allreduce(Payload::Size(8), &Op::sized()).await?;
        world.barrier().await
    }

    /// Batches of one rank: as even as they can be.
    fn batches(&self, rank: u32, ranks: u32) -> u64 {
        let (all, ranks) = (self.all_batches(), u64::from(ranks));
        all / ranks + u64::from(u64::from(rank) < all % ranks)
    }

    fn all_batches(&self) -> u64 {
        let log_pairs = match self.nas.class {
            Class::S => 24,
            Class::W => 25,
            Class::A => 28,
            Class::B => 30,
            Class::C => 32,
            Class::D => 36,
        };
        1 << (log_pairs - LOG_BATCH)
    }
}
