//! Reduce in segments along a line that ends at the root.
//!
//! STAR-MPI's `NTSL` (Faraj and Yuan 2006).

use super::flat_tree;
use crate::collective::Channel;
use crate::collective::segments::{segments, whole_elements};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// From each rank to the one before; the one before the root begins. What is no whole segment
/// goes straight to the root.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    root: u32,
    segment: u64,
) -> Result<Option<Payload>> {
    let (rank, size, bytes) = (channel.rank(), channel.size(), data.len());
    let (to, from) = ((rank + size - 1) % size, (rank + 1) % size);
    let begins = rank == (root + size - 1) % size;
    let segment = whole_elements(segment, op.element());
    if bytes <= segment {
        if !begins {
            let part = channel.recv(from).await?;
            channel.check_size(&part, bytes, from)?;
            op.apply(&part, &mut data);
        }
        if rank == root {
            return Ok(Some(data));
        }
        channel.send(data, to).await?;
        return Ok(None);
    }
    let whole = bytes / segment * segment;
    let own = data.slice(whole, bytes);
    let ranges = segments(whole, segment);
    let count = if begins { 0 } else { ranges.len() };
    let receives: Result<Vec<Request>> = (0..count).map(|_| channel.irecv(from)).collect();
    let mut receives = receives?.into_iter();
    let mut sends = Vec::new();
    for range in ranges {
        let mut combined = data.slice(range.start, range.end);
        if let Some(receive) = receives.next() {
            let part = channel.wait(receive).await?;
            channel.check_size(&part, combined.len(), from)?;
            op.apply(&part, &mut combined);
        }
        match rank == root {
            true => data.write(range.start, &combined),
            false => sends.push(channel.isend(combined, to).await?),
        }
    }
    channel.finish(sends).await?;
    if whole < bytes
        && let Some(rest) = flat_tree::at_once(channel, own, op, root).await?
    {
        data.write(whole, &rest);
    }
    Ok((rank == root).then_some(data))
}
