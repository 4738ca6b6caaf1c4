//! Bcast in segments along a line or a binary tree of ranks, wherever these are.
//!
//! The "non-topology-specific" pipelines of STAR-MPI (Faraj and Yuan 2006). Segments are all
//! awaited at once and passed on as they come.

use super::nested;
use crate::collective::Channel;
use crate::collective::segments::segments;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// From each rank to the next.
pub(crate) async fn line(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let children: Vec<u32> = (rank + 1 < size).then_some(rank + 1).into_iter().collect();
    pass(channel, data, root, rank.saturating_sub(1), &children, segment).await
}

/// From rank `r` to `2r + 1` and `2r + 2`.
pub(crate) async fn binary(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let children = [2 * rank + 1, 2 * rank + 2].into_iter().filter(|child| *child < size);
    let parent = rank.saturating_sub(1) / 2;
    pass(channel, data, root, parent, &children.collect::<Vec<u32>>(), segment).await
}

/// The tree's root is rank 0, which gets the payload from the true one. What is no whole segment
/// is left to an ordinary bcast.
async fn pass(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    parent: u32,
    children: &[u32],
    segment: u64,
) -> Result<Payload> {
    let mut data = to_first(channel, data, root).await?;
    let bytes = data.len();
    if bytes <= segment {
        if channel.rank() > 0 {
            let received = channel.recv(parent).await?;
            channel.store_range(&mut data, 0..bytes, parent, &received)?;
        }
        for child in children {
            channel.send(data.clone(), *child).await?;
        }
        return Ok(data);
    }
    let whole = bytes / segment * segment;
    let ranges = segments(whole, segment);
    let count = if channel.rank() > 0 { ranges.len() } else { 0 };
    let receives: Result<Vec<Request>> = (0..count).map(|_| channel.irecv(parent)).collect();
    let mut receives = receives?.into_iter();
    let mut sends = Vec::with_capacity(ranges.len() * children.len());
    for range in ranges {
        if let Some(receive) = receives.next() {
            let part = channel.wait(receive).await?;
            channel.store_range(&mut data, range.clone(), parent, &part)?;
        }
        for child in children {
            sends.push(channel.isend(data.slice(range.start, range.end), *child).await?);
        }
    }
    channel.finish(sends).await?;
    if whole < bytes {
        let rest = nested(channel, data.slice(whole, bytes), root).await?;
        crate::collective::channel::put(&mut data, whole, &rest);
    }
    Ok(data)
}

/// Brings the payload from the root to rank 0.
pub(super) async fn to_first(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let rank = channel.rank();
    if root != 0 && rank == root {
        channel.send(data.clone(), 0).await?;
    }
    if root != 0 && rank == 0 {
        let received = channel.recv(root).await?;
        return channel.check_size(&received, data.len(), root).map(|()| received);
    }
    Ok(data)
}
