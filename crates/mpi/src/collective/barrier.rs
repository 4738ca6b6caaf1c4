//! `MPI_Barrier`. MPI 4.1 section 6.3.

mod basic_linear;
mod bruck;
mod recursive_doubling;
mod tree;

use super::{Channel, Fixed, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;

impl Comm {
    /// `MPI_Barrier`: returns when every rank has called it; on an inter-communicator, when
    /// every rank of the remote group has.
    pub async fn barrier(&self) -> Result<()> {
        self.collective(Operation::Barrier, async |channel| barrier(channel).await).await
    }

    /// The end of `MPI_Finalize`: every rank comes here before any leaves, as in real libraries.
    pub async fn finalize(&self) -> Result<()> {
        self.collective(Fixed::Finalize, async |channel| barrier(channel).await).await
    }

    /// `MPI_Ibarrier`.
    pub fn ibarrier(&self) -> Pending<()> {
        let run = async |channel: &Channel<'_>| barrier(channel).await;
        self.collective_later(Operation::Barrier, run)
    }
}

pub(super) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    if channel.is_inter() {
        // Boxed here and elsewhere, or every rank would have room for it in its future.
        return Box::pin(inter::barrier(channel)).await;
    }
    match channel.algorithm(Operation::Barrier) {
        // Past this size the sheer number of messages outweighs the shorter way.
        "default" if channel.size() > 65_536 => tree::barrier(channel).await,
        "ompi_tree" => tree::barrier(channel).await,
        "ompi_bruck" => bruck::barrier(channel).await,
        "ompi_basic_linear" => basic_linear::barrier(channel).await,
        _ => recursive_doubling::barrier(channel).await,
    }
}
