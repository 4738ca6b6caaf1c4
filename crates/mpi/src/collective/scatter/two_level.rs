//! Scatter of two levels: from leader to leader, then on every node.
//!
//! MVAPICH2's `two_level`; which algorithms the levels use is a parameter. Only the root knows the
//! size of a block, the others learn it from what they get.

use super::{basic_linear, linear, nested_by};
use crate::collective::{Call, Channel, Choice, Counts, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn scatter(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    let (rank, size, given) = (channel.rank(), channel.size(), data.len());
    let layout = channel.meet().await?;
    if layout.nodes().len() == 1 {
        return basic_linear::scatter(channel, data, blocks, root).await;
    }
    // From the order of ranks to that of nodes.
    let mut by_nodes = Payload::Size(0);
    if rank == root {
        let order = layout.nodes().iter().flatten();
        let parts: Vec<Payload> = order.map(|owner| blocks.part(&data, *owner)).collect();
        by_nodes = Payload::concat(&parts);
    }
    let first = layout.leader_of(root);
    if first != root && rank == root {
        channel.send(by_nodes.clone(), first).await?;
    }
    if first != root && rank == first {
        by_nodes = channel.recv(root).await?;
    }
    let local = channel.on_node(&layout);
    let mut of_node = Payload::Size(0);
    if let Some(leaders) = channel.leaders(&layout) {
        let block = by_nodes.len() / u64::from(size);
        let top = layout.node_of(root);
        let sizes = || layout.nodes().iter().map(|node| node.len() as u64 * block);
        of_node = match layout.per_node() {
            Some(count) => {
                let even = Counts::even(leaders.size(), u64::from(count) * block);
                let outer = choice.outer(|| Choice::named("ompi_binomial"));
                nested_by(&leaders, outer, by_nodes, &even, top).await?
            }
            None => linear::scatter(&leaders, by_nodes, &Counts::each(sizes()), top).await?,
        };
    }
    let call = Call::new(Operation::Scatter, given / u64::from(size));
    let inner = choice.inner(|| local.choose_as(Library::SimgridMpich, call));
    let count = u64::from(local.size());
    let even = Counts::even(local.size(), of_node.len() / count);
    nested_by(&local, inner, of_node, &even, 0).await
}
