//! `MPI_Allreduce`. MPI 4.1 section 6.9.6.

mod by_allgather;
mod by_root;
mod exchanged_pieces;
mod gathered;
mod han;
mod node_aware;
mod pipeline;
pub(super) mod rabenseifner;
pub(super) mod recursive_doubling;
mod recursive_exchange;
mod reduce_bcast;
mod release_gather;
mod ring;
mod segmented_ring;
mod tree;
mod two_trees;

use super::reduce::rabenseifner as rabenseifner_first;
use super::tree::Tree;
use super::{Call, Channel, Choice, Nested, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Allreduce`: combines the payloads of all ranks; every rank gets the result.
    ///
    /// On an inter-communicator, a group gets the combination of the other's payloads.
    pub fn allreduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
    ) -> impl Future<Output = Result<Payload>> {
        let payload = payload.into();
        let (bytes, element) = (payload.len(), op.element());
        async move {
            let run = async move |channel: &Channel<'_>| allreduce(channel, payload, op).await;
            let is_told = self.begin_heard();
            let outcome = self.collective(Operation::Allreduce, run).await;
            self.end_heard(is_told, Collective::Allreduce { bytes, element });
            outcome
        }
    }

    /// `MPI_Iallreduce`.
    pub fn iallreduce(&self, payload: impl Into<Payload>, op: &Op) -> Pending<Payload> {
        let (payload, op) = (payload.into(), op.clone());
        let told = Collective::Allreduce { bytes: payload.len(), element: op.element() };
        let run = async move |channel: &Channel<'_>| allreduce(channel, payload, &op).await;
        self.collective_later(Operation::Allreduce, Some(told), run)
    }
}

fn allreduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
) -> impl Future<Output = Result<Payload>> {
    let decide = |channel: &Channel<'_>, bytes, op: &Op| {
        channel.choose(Call::with(Operation::Allreduce, bytes, op))
    };
    by(channel, decide, data, op)
}

/// By an algorithm that is decided on in here. Those that cut vectors or change the order of operands give way to
/// others where that cannot be.
fn by(
    channel: &Channel<'_>,
    decide: impl FnOnce(&Channel<'_>, u64, &Op) -> Choice,
    data: Payload,
    op: &Op,
) -> impl Future<Output = Result<Payload>> {
    async move {
        if channel.is_inter() {
            return Box::pin(inter::allreduce(channel, data, op)).await;
        }
        let choice = channel.met_for(decide(channel, data.len(), op)).await?;
        // A vector is cut between elements, and its pieces are combined in no fixed order.
        let pieces = if op.is_commutative() { data.len() / op.element() } else { 0 };
        let name = choice.algorithm;
        match name {
            "rdb" => recursive_doubling::allreduce(channel, data, op).await,
            "rab_rdb" if pieces > 0 => Box::pin(rabenseifner::allreduce(channel, data, op)).await,
            "lr" if pieces >= u64::from(channel.size()) => {
                Box::pin(ring::allreduce(channel, data, op)).await
            }
            "basic_linear" => Box::pin(by_root::allreduce(channel, data, op)).await,
            "allgather_reduce" => Box::pin(gathered::allreduce(channel, data, op)).await,
            "redbcast" | "lr" => Box::pin(reduce_bcast::allreduce(channel, data, op)).await,
            _ if pieces == 0 || channel.size() == 1 => {
                recursive_doubling::allreduce(channel, data, op).await
            }
            _ => Box::pin(further(channel, choice, data, op)).await,
        }
    }
}

/// There is at least one element, and operands may change places.
async fn further(channel: &Channel<'_>, choice: Choice, data: Payload, op: &Op) -> Result<Payload> {
    use node_aware::Middle;
    let level = match choice.algorithm {
        "rab" => return rabenseifner_first::allreduce(channel, data, op).await,
        "rab1" if channel.size().is_power_of_two() => {
            return by_allgather::halving(channel, data, op).await;
        }
        "rab2" => return by_allgather::alltoall(channel, data, op).await,
        "mvapich2_rs" => return short_or_long(channel, data, op).await,
        "ompi_ring_segmented" => {
            let segment = choice.segment_or_all(1 << 20, data.len());
            return segmented_ring::allreduce(channel, data, op, segment).await;
        }
        "nccl_ring" => {
            let segment = choice.segment(512 << 10);
            return segmented_ring::allreduce(channel, data, op, segment).await;
        }
        "recursive_exchange" => {
            return recursive_exchange::allreduce(channel, data, op, choice.radix(4)).await;
        }
        "two_tree" | "nccl_tree" => return two_trees::allreduce(channel, data, op, choice).await,
        "smp_binomial_pipeline" => {
            return pipeline::allreduce(channel, data, op, choice.segment).await;
        }
        "k_reduce_scatter_allgather" => {
            return exchanged_pieces::allreduce(channel, data, op, choice.radix(4)).await;
        }
        "knomial_tree" => {
            let shape = Tree::knomial(channel, choice.radix(4), 0);
            return tree::allreduce(channel, data, op, shape, choice.segment(0)).await;
        }
        "kary_tree" => {
            let shape = Tree::kary(channel, choice.radix(2), 0);
            return tree::allreduce(channel, data, op, shape, choice.segment(0)).await;
        }
        "release_gather" => return release_gather::allreduce(channel, choice, data, op).await,
        "han" => return han::allreduce(channel, choice, data, op).await,
        "mvapich2_two_level" | "two_level" => {
            return node_aware::two_level(channel, choice, data, op).await;
        }
        "smp_binomial" => Middle::Trees,
        "smp_rdb" => Middle::Doubling,
        "smp_rsag" | "smp_rsag_lr" => Middle::Ring,
        "smp_rsag_rab" => Middle::Halving,
        _ => return recursive_doubling::allreduce(channel, data, op).await,
    };
    node_aware::allreduce(channel, data, op, level).await
}

/// By recursive doubling if there is not an element for each rank of the power of two.
async fn short_or_long(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let core = super::channel::previous_power_of_two(channel.size());
    match data.len() / op.element() < u64::from(core) {
        true => recursive_doubling::allreduce(channel, data, op).await,
        false => rabenseifner::allreduce(channel, data, op).await,
    }
}

/// An allreduce within another collective, by the algorithm chosen for allreduces.
pub(super) fn nested<'a>(
    channel: &'a Channel<'_>,
    data: Payload,
    op: &'a Op,
) -> Nested<'a, Payload> {
    Box::pin(allreduce(channel, data, op))
}

/// An allreduce within another collective, by a certain algorithm.
pub(super) fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &'a Op,
) -> Nested<'a, Payload> {
    Box::pin(by(channel, move |_, _, _| Choice { meet: false, ..choice }, data, op))
}
