//! Gather of two levels: on every node, then from leader to leader.
//!
//! MVAPICH2's `two_level`; which algorithms the levels use is a parameter.

use super::{linear, nested_by};
use crate::collective::{Call, Channel, Choice, Counts, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn gather(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size, bytes) = (channel.rank(), channel.size(), data.len());
    if bytes == 0 {
        return Ok((rank == root).then(|| data.blank(0)));
    }
    let layout = channel.meet().await?;
    let local = channel.on_node(&layout);
    let call = Call::new(Operation::Gather, bytes);
    let inner = choice.inner(|| local.choose_as(Library::SimgridMpich, call));
    let gathered = nested_by(&local, inner, data, 0).await?;
    let first = layout.leader_of(root);
    let mut whole = None;
    if let (Some(leaders), Some(gathered)) = (channel.leaders(&layout), gathered) {
        let top = layout.node_of(root);
        let by_nodes = match layout.per_node() {
            Some(_) => {
                let outer = choice.outer(|| Choice::named("ompi_basic_linear"));
                nested_by(&leaders, outer, gathered, top).await?
            }
            None => {
                let sizes = layout.nodes().iter().map(|node| node.len() as u64 * bytes);
                linear::gather(&leaders, gathered, &Counts::each(sizes), top).await?
            }
        };
        // From the order of nodes to that of ranks.
        whole = by_nodes.map(|by_nodes| {
            let blocks = Counts::even(size, bytes);
            let mut whole = by_nodes.blank(blocks.total());
            for (place, owner) in (0..).zip(layout.nodes().iter().flatten()) {
                whole.write(blocks.start(*owner), &blocks.part(&by_nodes, place));
            }
            whole
        });
    }
    match whole {
        Some(whole) if root != first => {
            channel.send(whole, root).await?;
            Ok(None)
        }
        None if root != first && rank == root => channel.recv(first).await.map(Some),
        whole => Ok(whole),
    }
}
