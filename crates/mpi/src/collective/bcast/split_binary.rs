//! Bcast of one half down each side of a binary tree; then pairs of ranks swap halves.
//!
//! Open MPI's `split_bintree`.

use std::ops::Range;

use super::node_aware;
use crate::collective::Channel;
use crate::collective::segments::segments;
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::payload::Payload;

/// The segment Open MPI takes.
pub(crate) fn usual_segment(bytes: u64) -> u64 {
    if bytes < 370_728 { 1 << 10 } else { 8 << 10 }
}

/// Halves shorter than a segment are not worth it: those go along a line.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    mut data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let (size, place, bytes) = (channel.size(), channel.place(root), data.len());
    // Elements of eight bytes stay whole, as most vectors have them.
    let middle =
        if bytes.is_multiple_of(8) { (bytes / 8).div_ceil(2) * 8 } else { bytes.div_ceil(2) };
    if segment > middle || segment > bytes - middle || middle == bytes {
        return node_aware::linear(channel, data, root, 8192).await;
    }
    let halves = [0..middle, middle..bytes];
    let tree = Tree::wide(channel, 2, root);
    let side = (place as usize + 1) % 2;
    match tree.parent {
        None => from_root(channel, &data, &halves, &tree, segment).await?,
        Some(parent) => {
            let half = halves[side].clone();
            down(channel, &mut data, half, (parent, &tree.children), segment).await?;
        }
    }
    // Odd places have the first half, even ones the second; neighbours swap.
    let (own, other) = (halves[side].clone(), halves[1 - side].clone());
    let last = (root + size - 1) % size;
    let rank = channel.rank();
    let pair = if side == 0 { (rank + 1) % size } else { (rank + size - 1) % size };
    if size.is_multiple_of(2) && rank == root {
        channel.send(data.slice(halves[1].start, halves[1].end), last).await?;
    } else if size.is_multiple_of(2) && rank == last {
        let received = channel.recv(root).await?;
        channel.store_range(&mut data, halves[1].clone(), root, &received)?;
    } else if rank != root {
        let received = channel.exchange(data.slice(own.start, own.end), pair, pair).await?;
        channel.store_range(&mut data, other, pair, &received)?;
    }
    Ok(data)
}

/// The root sends segments of both halves in turn.
async fn from_root(
    channel: &Channel<'_>,
    data: &Payload,
    halves: &[Range<u64>; 2],
    tree: &Tree,
    segment: u64,
) -> Result<()> {
    let mut streams = halves.clone().map(|half| cut(half, segment));
    let count = streams[0].len();
    for _ in 0..count {
        for (stream, child) in streams.iter_mut().zip(&tree.children) {
            if let Some(range) = stream.next() {
                channel.send(data.slice(range.start, range.end), *child).await?;
            }
        }
    }
    Ok(())
}

async fn down(
    channel: &Channel<'_>,
    data: &mut Payload,
    half: Range<u64>,
    (parent, children): (u32, &[u32]),
    segment: u64,
) -> Result<()> {
    let ranges = cut(half, segment);
    if children.is_empty() {
        for range in ranges {
            let part = channel.recv(parent).await?;
            channel.store_range(data, range, parent, &part)?;
        }
        return Ok(());
    }
    let count = ranges.len();
    let mut ahead = channel.irecv(parent)?;
    for (number, range) in (1..).zip(ranges) {
        let next =
            if number < count { channel.irecv(parent)? } else { crate::request::Request::NULL };
        let part = channel.wait(ahead).await?;
        channel.store_range(data, range, parent, &part)?;
        for child in children {
            channel.send(part.clone(), *child).await?;
        }
        ahead = next;
    }
    Ok(())
}

fn cut(half: Range<u64>, segment: u64) -> impl ExactSizeIterator<Item = Range<u64>> {
    let start = half.start;
    segments(half.end - start, segment).map(move |range| start + range.start..start + range.end)
}
