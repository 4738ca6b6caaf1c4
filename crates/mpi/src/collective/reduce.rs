//! `MPI_Reduce`. MPI 4.1 section 6.9.1.

mod arrival;
pub(crate) mod binomial;
pub(super) mod flat_tree;
mod han;
mod knomial;
mod line;
pub(super) mod rabenseifner;
pub(super) mod release_gather;
mod scatter_gather;
mod tree;
mod two_level;
mod two_trees;

pub(super) use two_trees::interleaved;

use super::tree::Tree;
use super::{Call, Channel, Choice, Nested, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Reduce`: the root gets the combination of all payloads; the others get nothing.
    ///
    /// On an inter-communicator, it is the remote group's payloads that the root gets; by its own
    /// it says how many bytes it expects.
    pub async fn reduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let (bytes, element) = (payload.len(), op.element());
        let run = async |channel: &Channel<'_>| reduce(channel, payload, op, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Reduce.at(root), run).await;
        self.end_heard(is_told, Collective::Reduce { bytes, element, root });
        outcome
    }

    /// `MPI_Ireduce`.
    pub fn ireduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, op, root) = (payload.into(), op.clone(), root.into());
        let (bytes, element) = (payload.len(), op.element());
        let told = Collective::Reduce { bytes, element, root };
        let run = async move |channel: &Channel<'_>| reduce(channel, payload, &op, root).await;
        self.collective_later(Operation::Reduce.at(root), Some(told), run)
    }
}

async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: Root,
) -> Result<Option<Payload>> {
    if channel.is_inter() {
        return Box::pin(inter::reduce(channel, data, op, root)).await;
    }
    let root = channel.root(root)?;
    let choice = channel.choose(Call::with(Operation::Reduce, data.len(), op));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    by(channel, &choice, data, op, root).await
}

/// By a certain algorithm. Those that change the order of operands give way to a binomial tree
/// where that matters.
pub(super) async fn by(
    channel: &Channel<'_>,
    choice: &Choice,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let keeps_order = ["flat_tree", "ompi_basic_linear", "ompi_in_order_binary", "default_linear"];
    match choice.algorithm {
        "binomial" => binomial::reduce(channel, data, op, root).await,
        name if !op.is_commutative() && !keeps_order.contains(&name) => {
            binomial::reduce(channel, data, op, root).await
        }
        _ if data.is_empty() => Ok((channel.rank() == root).then_some(data)),
        _ if channel.size() == 1 => Ok(Some(data)),
        _ => Box::pin(further(channel, *choice, data, op, root)).await,
    }
}

async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let (size, bytes) = (channel.size(), data.len());
    let shape = match choice.algorithm {
        "flat_tree" | "ompi_basic_linear" => {
            return flat_tree::reduce(channel, data, op, root).await;
        }
        "default_linear" => return flat_tree::at_once(channel, data, op, root).await,
        "NTSL" => return line::reduce(channel, data, op, root, choice.segment(8192)).await,
        "arrival_pattern_aware" => {
            return arrival::reduce(channel, data, op, root, choice.whole_segment(8192)).await;
        }
        "scatter_gather" => return scatter_gather::reduce(channel, data, op, root).await,
        "rab" => return rabenseifner::reduce(channel, data, op, root).await,
        "mvapich2_knomial" => {
            return knomial::reduce(channel, data, op, root, choice.radix(4)).await;
        }
        "mvapich2_two_level" | "two_level" => {
            return two_level::reduce(channel, choice, data, op, root).await;
        }
        "han" => return han::reduce(channel, choice, data, op, root).await,
        "release_gather" => return release_gather::reduce(channel, choice, data, op, root).await,
        "two_tree" => return two_trees::reduce(channel, data, op, root, choice).await,
        "ompi_in_order_binary" => {
            return tree::in_order(channel, data, op, root, choice.segment(0)).await;
        }
        "ompi_chain" => (Tree::chains(channel, choice.radix.unwrap_or(size / 2), root), 64 << 10),
        "ompi_pipeline" => (Tree::chains(channel, 1, root), tree::pipeline_segment(size, bytes)),
        "ompi_binary" => (Tree::wide(channel, 2, root), 32 << 10),
        "ompi_binomial" => {
            let segment = tree::binomial_segment(size, bytes, op.element());
            (Tree::binomial(channel, root), segment)
        }
        "knomial_tree" => (Tree::knomial(channel, choice.radix(4), root), 0),
        "kary_tree" => (Tree::kary(channel, choice.radix(2), root), 0),
        _ => return binomial::reduce(channel, data, op, root).await,
    };
    let (tree, usual) = shape;
    tree::reduce(channel, data, op, tree, choice.segment(usual)).await
}

/// A reduce within another collective, by the algorithm chosen for reduces.
pub(super) fn nested<'a>(
    channel: &'a Channel<'_>,
    data: Payload,
    op: &'a Op,
    root: u32,
) -> Nested<'a, Option<Payload>> {
    Box::pin(reduce(channel, data, op, Root::Rank(root)))
}

/// A reduce within another collective, by a certain algorithm.
pub(super) fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &'a Op,
    root: u32,
) -> Nested<'a, Option<Payload>> {
    Box::pin(async move { by(channel, &choice, data, op, root).await })
}
