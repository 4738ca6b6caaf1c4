//! Scans of two levels: on every node, among the nodes, and what comes before a node to its ranks.
//!
//! MPICH's `smp`. The ranks of each node are consecutive, otherwise by recursive doubling.

use super::recursive_doubling;
use crate::collective::Channel;
use crate::collective::bcast::binomial_tree;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The combination of what all ranks before this one hold, in rank order; none for rank 0.
pub(crate) async fn before(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
) -> Result<Option<Payload>> {
    let layout = channel.meet().await?;
    if !layout.is_blocked() {
        return recursive_doubling::before(channel, data, op).await;
    }
    let (local, bytes) = (channel.on_node(&layout), data.len());
    let before_here = recursive_doubling::before(&local, data.clone(), op).await?;
    // The last rank of a node knows what all of the node hold, and tells the leader.
    let mut of_node = data;
    if let Some(before) = &before_here {
        op.apply(before, &mut of_node);
    }
    let last = local.size() - 1;
    if last > 0 && local.rank() == last {
        local.send(of_node, 0).await?;
        of_node = Payload::Size(bytes);
    } else if last > 0 && local.rank() == 0 {
        of_node = local.recv(last).await?;
        local.check_size(&of_node, bytes, last)?;
    }
    let mut before_node = None;
    if let Some(leaders) = channel.leaders(&layout) {
        before_node = recursive_doubling::before(&leaders, of_node, op).await?;
    }
    if layout.node_of(channel.rank()) == 0 {
        return Ok(before_here);
    }
    let expected = before_node.unwrap_or(Payload::Size(bytes));
    let before_node = binomial_tree::bcast(&local, expected, 0).await?;
    Ok(Some(match before_here {
        Some(mut before) => {
            op.apply(&before_node, &mut before);
            before
        }
        None => before_node,
    }))
}
