//! Reduce up any tree, in segments: the next one is awaited while one is combined.
//!
//! Open MPI's generic reduce.

use crate::collective::Channel;
use crate::collective::segments::{segments, whole_elements};
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Up the tree, to whoever has no parent. A child's operand is put before those that came ahead
/// of it. A segment of 0 bytes is the whole.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    tree: Tree,
    segment: u64,
) -> Result<Option<Payload>> {
    let Tree { parent, children } = tree;
    let bytes = data.len();
    let segment = if segment == 0 { bytes } else { whole_elements(segment, op.element()) };
    let ranges = segments(bytes, segment);
    if children.is_empty() {
        let Some(parent) = parent else { return Ok(Some(data)) };
        for range in ranges {
            channel.send(data.slice(range.start, range.end), parent).await?;
        }
        return Ok(None);
    }
    let mut result = parent.is_none().then(|| data.clone());
    let total = ranges.len() * children.len();
    let mut posted = 1;
    let mut ahead = channel.irecv(children[0])?;
    for range in ranges {
        let mut combined = data.slice(range.start, range.end);
        for child in &children {
            let next = match posted < total {
                true => channel.irecv(children[posted % children.len()])?,
                false => crate::request::Request::NULL,
            };
            posted += 1;
            let part = channel.wait(ahead).await?;
            channel.check_size(&part, combined.len(), *child)?;
            op.apply(&part, &mut combined);
            ahead = next;
        }
        match (&mut result, parent) {
            (Some(result), _) => result.write(range.start, &combined),
            (None, Some(parent)) => channel.send(combined, parent).await?,
            (None, None) => {}
        }
    }
    Ok(result)
}

/// Up a tree that keeps the order of operands, whose root is the last rank.
pub(crate) async fn in_order(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: u32,
    segment: u64,
) -> Result<Option<Payload>> {
    let (rank, last) = (channel.rank(), channel.size() - 1);
    let result = reduce(channel, data, op, Tree::in_order(channel), segment).await?;
    if root == last {
        return Ok(result);
    }
    match result {
        Some(result) => {
            channel.send(result, root).await?;
            Ok(None)
        }
        None if rank == root => channel.recv(last).await.map(Some),
        None => Ok(None),
    }
}

/// The segment Open MPI takes for its pipeline.
pub(crate) fn pipeline_segment(ranks: u32, bytes: u64) -> u64 {
    let (ranks, kilobytes) = (f64::from(ranks), bytes as f64 / 1024.0);
    if ranks > 0.0410 * kilobytes + 9.7128 {
        1 << 10
    } else if ranks > 0.0033 * kilobytes + 1.6761 {
        32 << 10
    } else {
        64 << 10
    }
}

/// The segment Open MPI takes for its binomial tree; 0 is the whole.
pub(crate) fn binomial_segment(ranks: u32, bytes: u64, element: u64) -> u64 {
    let is_short = (ranks < 8 && bytes < 20_480) || bytes < 2048 || bytes <= element;
    let kilobytes = bytes as f64 / 1024.0;
    if !is_short && f64::from(ranks) > 0.6016 * kilobytes + 1.3496 { 1 << 10 } else { 0 }
}
