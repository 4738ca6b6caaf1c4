//! Allgather of two levels: a gather on every node, an allgather among the leaders, a bcast on every
//! node.
//!
//! Open MPI's HAN (Luo et al. 2020); which algorithm leaders use is a parameter.

use super::nested_by;
use crate::collective::{Call, Channel, Choice, Counts, Library, Operation, bcast, gather};
use crate::error::Result;
use crate::payload::Payload;

/// Nodes need as many ranks each, otherwise as Open MPI does without HAN.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let tuned = |channel: &Channel<'_>, operation: Operation, bytes: u64| {
        channel.choose_as(Library::OpenMpi4, Call::new(operation, bytes))
    };
    let bytes = data.len();
    if layout.per_node().is_none() {
        let choice = tuned(channel, Operation::Allgather, bytes);
        return nested_by(channel, choice, data).await;
    }
    let blocks = Counts::even(channel.size(), bytes);
    let local = channel.on_node(&layout);
    let inner = tuned(&local, Operation::Gather, bytes);
    let gathered = gather::nested_by(&local, inner, data, 0).await?;
    let mut whole = Payload::Size(blocks.total());
    if let (Some(leaders), Some(gathered)) = (channel.leaders(&layout), gathered) {
        let outer = choice.outer(|| tuned(&leaders, Operation::Allgather, gathered.len()));
        let by_nodes = nested_by(&leaders, outer, gathered).await?;
        // From the order of nodes to that of ranks.
        whole = by_nodes.blank(blocks.total());
        for (place, owner) in (0..).zip(layout.nodes().iter().flatten()) {
            whole.write(blocks.start(*owner), &blocks.part(&by_nodes, place));
        }
    }
    let inner = tuned(&local, Operation::Bcast, blocks.total());
    bcast::nested_by(&local, inner, whole, 0).await
}
