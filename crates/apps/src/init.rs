//! Starts, meets at a barrier, ends: what a rank costs.

use clap::Args;
use foretell_mpi::{Comm, Result};

use crate::Section;

/// No parameters.
#[derive(Debug, Clone, Args)]
pub struct Init {}

impl Init {
    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        // Asking the time costs a call; only rank 0 needs to know.
        let times = world.rank() == 0;
        if times {
            section.begin(&world).await;
        }
        world.barrier().await?;
        if times {
            section.end(&world).await;
        }
        Ok(())
    }
}
