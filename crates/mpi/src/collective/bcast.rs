//! `MPI_Bcast`. MPI 4.1 section 6.4.

mod arrival;
mod arrival_scatter;
pub(super) mod binomial_tree;
pub(super) mod flat_tree;
mod han;
mod node_aware;
mod non_topology;
pub(super) mod release_gather;
mod scatter_allgather;
mod scatter_doubling_allgather;
pub(super) mod scatter_ring_allgather;
mod split_binary;
mod tree;
mod two_level;
mod two_trees;

pub(super) use arrival::Header;

use super::tree::Tree;
use super::{Call, Channel, Choice, Nested, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::payload::Payload;
use scatter_allgather::Then;

impl Comm {
    /// `MPI_Bcast`: every rank gets the root's payload. Others than the root say by theirs how
    /// many bytes they expect; its content is not looked at.
    ///
    /// On an inter-communicator, the ranks of the root's group get back what they gave.
    pub async fn bcast(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let bytes = payload.len();
        let run = async |channel: &Channel<'_>| bcast(channel, payload, root).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Bcast.at(root), run).await;
        self.end_heard(is_told, Collective::Bcast { bytes, root });
        outcome
    }

    /// `MPI_Ibcast`.
    pub fn ibcast(&self, payload: impl Into<Payload>, root: impl Into<Root>) -> Pending<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let told = Collective::Bcast { bytes: payload.len(), root };
        let run = async move |channel: &Channel<'_>| bcast(channel, payload, root).await;
        self.collective_later(Operation::Bcast.at(root), Some(told), run)
    }
}

pub(super) async fn bcast(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::bcast(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    let choice = channel.choose(Call::new(Operation::Bcast, data.len()));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    by(channel, &choice, data, root).await
}

/// By a certain algorithm.
pub(super) async fn by(
    channel: &Channel<'_>,
    choice: &Choice,
    data: Payload,
    root: u32,
) -> Result<Payload> {
    match choice.algorithm {
        "binomial_tree" => binomial_tree::bcast(channel, data, root).await,
        "scatter_LR_allgather" => scatter_ring_allgather::bcast(channel, data, root).await,
        _ if channel.size() == 1 => Ok(data),
        _ => Box::pin(further(channel, *choice, data, root)).await,
    }
}

async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Payload> {
    let piece = choice.whole_segment(8192);
    match choice.algorithm {
        "flattree" => flat_tree::bcast(channel, data, root).await,
        "flattree_pipeline" => flat_tree::pipeline(channel, data, root, piece).await,
        "NTSL" | "NTSL_Isend" => non_topology::line(channel, data, root, piece).await,
        "NTSB" => non_topology::binary(channel, data, root, piece).await,
        "arrival_pattern_aware" => arrival::bcast(channel, data, root, piece).await,
        "arrival_pattern_aware_wait" => arrival::patient(channel, data, root, piece).await,
        "arrival_scatter" => arrival_scatter::bcast(channel, data, root).await,
        "scatter_rdb_allgather" => scatter_doubling_allgather::bcast(channel, data, root).await,
        "SMP_binary" => node_aware::binary(channel, data, root, piece).await,
        "SMP_linear" => node_aware::linear(channel, data, root, piece).await,
        "SMP_binomial" => node_aware::binomial(channel, data, root).await,
        "ompi_split_bintree" => {
            let segment = choice.segment(split_binary::usual_segment(data.len()));
            split_binary::bcast(channel, data, root, segment).await
        }
        "ompi_pipeline" => {
            let segment = choice.segment(tree::usual_segment(channel.size(), data.len()));
            tree::bcast(channel, data, Tree::chains(channel, 1, root), segment).await
        }
        "ompi_chain" => {
            let chains = Tree::chains(channel, choice.radix.unwrap_or(4), root);
            tree::bcast(channel, data, chains, choice.segment(0)).await
        }
        "ompi_bintree" => {
            tree::bcast(channel, data, Tree::wide(channel, 2, root), choice.segment(0)).await
        }
        "ompi_binomial" => {
            let tree = Tree::binomial_by_highest(channel, root);
            tree::bcast(channel, data, tree, choice.segment(0)).await
        }
        "knomial_tree" => {
            let tree = Tree::knomial(channel, choice.radix(4), root);
            tree::bcast(channel, data, tree, choice.segment(0)).await
        }
        "kary_tree" => {
            let tree = Tree::kary(channel, choice.radix(2), root);
            tree::bcast(channel, data, tree, choice.segment(0)).await
        }
        "mvapich2_knomial_intra_node" => {
            let layout_is_known = channel.meet().await;
            layout_is_known?;
            two_level::knomial(channel, data, root, choice.radix(4)).await
        }
        "mvapich2_inter_node" => two_level::between_nodes(channel, choice, data, root, true).await,
        "mvapich2_intra_node" => two_level::tuned(channel, choice, data, root).await,
        "two_level" => two_level::bcast(channel, choice, data, root).await,
        "han" => han::bcast(channel, choice, data, root).await,
        "release_gather" => release_gather::bcast(channel, choice, data, root).await,
        "scatterv_ring_allgatherv" => {
            scatter_allgather::bcast(channel, data, root, choice.radix(2), Then::Ring).await
        }
        "scatterv_recexch_allgatherv" => {
            scatter_allgather::bcast(channel, data, root, choice.radix(2), Then::Exchange).await
        }
        "two_tree" => two_trees::bcast(channel, data, root, choice.segment(16_384)).await,
        _ => binomial_tree::bcast(channel, data, root).await,
    }
}

/// A bcast within another collective, by the algorithm chosen for bcasts.
pub(super) fn nested<'a>(
    channel: &'a Channel<'_>,
    data: Payload,
    root: u32,
) -> Nested<'a, Payload> {
    Box::pin(bcast(channel, data, Root::Rank(root)))
}

/// A bcast within another collective, by a certain algorithm.
pub(super) fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Nested<'a, Payload> {
    Box::pin(async move { by(channel, &choice, data, root).await })
}
