//! Independent computation, then three allreduces: the structure of the NAS EP kernel.

use clap::Args;
use foretell_mpi::{Comm, Op, Payload, Result};

use crate::{Section, limits};

/// Operations that one random pair costs: two draws, a test, and for three quarters of the pairs
/// a logarithm, a root and a few products. Counted by hand in the C twin.
const FLOPS_PER_PAIR: f64 = 60.0;

/// Parameters of the EP pattern.
#[derive(Debug, Clone, Args)]
pub struct Ep {
    /// Logarithm (base 2) of the random pairs of each rank
    #[arg(default_value_t = 10, value_parser = limits::logarithm())]
    pub log2_pairs: u32,
}

impl Ep {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        world.barrier().await?;
        section.begin(&world).await;
        world.compute(FLOPS_PER_PAIR * f64::from(self.log2_pairs).exp2()).await;
        for doubles in [1, 1, 10] {
            world.allreduce(Payload::Size(8 * doubles), &Op::sized()).await?;
        }
        section.end(&world).await;
        Ok(())
    }
}
