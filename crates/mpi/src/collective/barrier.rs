//! `MPI_Barrier`. MPI 4.1 section 6.3.

mod basic_linear;
mod bruck;
mod double_ring;
mod han;
mod k_dissemination;
mod recursive_doubling;
mod recursive_exchange;
mod tree;
mod two_level;
mod two_ranks;

use super::{Call, Channel, Choice, Fixed, Nested, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;

impl Comm {
    /// `MPI_Barrier`: returns when every rank has called it; on an inter-communicator, when
    /// every rank of the remote group has.
    pub fn barrier(&self) -> impl Future<Output = Result<()>> {
        async move {
            let is_told = self.begin_heard();
            let outcome = self.collective(Operation::Barrier, barrier).await;
            self.end_heard(is_told, Collective::Barrier);
            outcome
        }
    }

    /// The end of `MPI_Finalize`: every rank comes here before any leaves, as in real libraries.
    pub async fn finalize(&self) -> Result<()> {
        self.collective(Fixed::Finalize, barrier).await
    }

    /// `MPI_Ibarrier`.
    pub fn ibarrier(&self) -> Pending<()> {
        let run = async |channel: &Channel<'_>| barrier(channel).await;
        self.collective_later(Operation::Barrier, Some(Collective::Barrier), run)
    }
}

pub(super) fn barrier(channel: &Channel<'_>) -> impl Future<Output = Result<()>> {
    by(channel, |channel| channel.choose(Call::new(Operation::Barrier, 0)))
}

/// By an algorithm that is decided on in here: a rank that waits need not remember the decision.
fn by(
    channel: &Channel<'_>,
    decide: impl FnOnce(&Channel<'_>) -> Choice,
) -> impl Future<Output = Result<()>> {
    async move {
        if channel.is_inter() {
            // Boxed here and elsewhere, or every rank would have room for it in its future.
            return Box::pin(inter::barrier(channel)).await;
        }
        let choice = channel.met_for(decide(channel)).await?;
        let name = choice.algorithm;
        match name {
            // Past this size the sheer number of messages outweighs the shorter way.
            "default" if channel.size() > 65_536 => tree::barrier(channel).await,
            "default" | "ompi_recursivedoubling" => recursive_doubling::barrier(channel).await,
            "ompi_tree" => tree::barrier(channel).await,
            "ompi_bruck" => bruck::barrier(channel).await,
            "ompi_basic_linear" => Box::pin(basic_linear::barrier(channel)).await,
            _ => Box::pin(further(channel, choice)).await,
        }
    }
}

async fn further(channel: &Channel<'_>, choice: Choice) -> Result<()> {
    match choice.algorithm {
        "ompi_doublering" => double_ring::barrier(channel).await,
        "ompi_two_procs" => two_ranks::barrier(channel).await,
        "mpich_smp" => two_level::barrier(channel).await,
        "k_dissemination" => k_dissemination::barrier(channel, choice.radix(4)).await,
        "recursive_exchange" => recursive_exchange::barrier(channel, choice.radix(2)).await,
        "han" => han::barrier(channel, choice).await,
        // `mvapich2_pair` is the same by another name.
        _ => recursive_doubling::barrier(channel).await,
    }
}

/// A barrier within another collective.
pub(super) fn nested<'a>(channel: &'a Channel<'_>) -> Nested<'a, ()> {
    Box::pin(barrier(channel))
}

/// A barrier within another collective, by a certain algorithm.
fn nested_by<'a>(channel: &'a Channel<'_>, choice: Choice) -> Nested<'a, ()> {
    Box::pin(by(channel, move |_| Choice { meet: false, ..choice }))
}
