//! Bcast of two levels: among the leaders of the nodes, then on every node.
//!
//! As MVAPICH2 and Open MPI's HAN do it; which algorithms the levels use is a parameter.

use super::{binomial_tree, nested_by, scatter_ring_allgather, tree};
use crate::collective::layout::Layout;
use crate::collective::segments::segments;
use crate::collective::tree::Tree;
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;
use crate::payload::Payload;

/// Brings the payload to the leaders, then to all if `to_all`.
pub(crate) async fn between_nodes(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
    to_all: bool,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let data = to_leaders(channel, &layout, choice, data, root).await?;
    if !to_all || layout.local(channel.rank()).len() == 1 {
        return Ok(data);
    }
    let local = channel.on_node(&layout);
    let inner = inner(&local, choice, data.len());
    nested_by(&local, inner, data, 0).await
}

async fn to_leaders(
    channel: &Channel<'_>,
    layout: &Layout,
    choice: Choice,
    mut data: Payload,
    root: u32,
) -> Result<Payload> {
    let (rank, first) = (channel.rank(), layout.leader_of(root));
    if first != root && rank == root {
        channel.send(data.clone(), first).await?;
    }
    if first != root && rank == first {
        let received = channel.recv(root).await?;
        channel.store_range(&mut data, 0..received.len(), root, &received)?;
    }
    match channel.leaders(layout) {
        Some(leaders) => {
            let call = Call::new(Operation::Bcast, data.len());
            let outer = choice.outer(|| leaders.choose_as(Library::SimgridMpich, call));
            nested_by(&leaders, outer, data, layout.node_of(root)).await
        }
        None => Ok(data),
    }
}

fn inner(local: &Channel<'_>, choice: Choice, bytes: u64) -> Choice {
    let call = Call::new(Operation::Bcast, bytes);
    choice.inner(|| local.choose_as(Library::SimgridMpich, call))
}

/// MVAPICH2's choice between one level and two: up to 64 ranks, only sizes in between take two.
pub(crate) async fn tuned(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    root: u32,
) -> Result<Payload> {
    let bytes = data.len();
    if bytes == 0 {
        return Ok(data);
    }
    let layout = channel.meet().await?;
    let (short, long) = (16 << 10, 512 << 10);
    if channel.size() <= 64 && (bytes <= short || bytes >= long) {
        return match bytes <= short {
            true => binomial_tree::bcast(channel, data, root).await,
            false => scatter_ring_allgather::bcast(channel, data, root).await,
        };
    }
    let data = to_leaders(channel, &layout, choice, data, root).await?;
    let local = channel.on_node(&layout);
    match bytes <= 128 << 10 {
        true => nested_by(&local, inner(&local, choice, bytes), data, 0).await,
        false => knomial(&local, data, 0, choice.radix(4)).await,
    }
}

/// Down a k-nomial tree, the whole at once.
pub(crate) async fn knomial(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    radix: u32,
) -> Result<Payload> {
    let Tree { parent, children } = Tree::knomial(channel, radix, root);
    let mut data = data;
    if let Some(parent) = parent {
        let received = channel.recv(parent).await?;
        channel.check_size(&received, data.len(), parent)?;
        data = received;
    }
    // Children at one distance are served at once, one distance after the other.
    let mut rest = children.as_slice();
    while !rest.is_empty() {
        let count = siblings(channel, rest, radix, root);
        let mut sends = Vec::with_capacity(count);
        for child in &rest[..count] {
            sends.push(channel.isend(data.clone(), *child).await?);
        }
        channel.finish(sends).await?;
        rest = &rest[count..];
    }
    Ok(data)
}

/// How many of the first children are at one distance.
fn siblings(channel: &Channel<'_>, children: &[u32], radix: u32, root: u32) -> usize {
    let size = channel.size();
    let own = channel.place(root);
    let distance = |child: u32| (child + size - root) % size - own;
    let step = distance(children[0]);
    children
        .iter()
        .take_while(|child| distance(**child) < step * radix && distance(**child) >= step)
        .count()
        .max(1)
}

/// Segment by segment: leaders pass one on while their nodes get the one before.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    choice: Choice,
    mut data: Payload,
    root: u32,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let bytes = data.len();
    let (rank, first) = (channel.rank(), layout.leader_of(root));
    if first != root && rank == root {
        channel.send(data.clone(), first).await?;
    }
    if first != root && rank == first {
        let received = channel.recv(root).await?;
        channel.store_range(&mut data, 0..bytes, root, &received)?;
    }
    let local = channel.on_node(&layout);
    let leaders = channel.leaders(&layout);
    for range in segments(bytes, choice.segment(64 << 10)) {
        let mut part = data.slice(range.start, range.end);
        if let Some(leaders) = &leaders {
            let tree = Tree::binomial_by_highest(leaders, layout.node_of(root));
            part = tree::bcast(leaders, part, tree, 0).await?;
        }
        part = tree::bcast(&local, part, Tree::kary(&local, choice.radix(2), 0), 0).await?;
        crate::collective::channel::put(&mut data, range.start, &part);
    }
    Ok(data)
}
