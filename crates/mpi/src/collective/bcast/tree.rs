//! Bcast down any tree, in segments: the next one is awaited while one is passed on.
//!
//! Open MPI's generic bcast.

use crate::collective::Channel;
use crate::collective::segments::segments;
use crate::collective::tree::Tree;
use crate::error::Result;
use crate::payload::Payload;

/// Down the tree whose root has the payload. A segment of 0 bytes is the whole.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    mut data: Payload,
    tree: Tree,
    segment: u64,
) -> Result<Payload> {
    let bytes = data.len();
    let ranges = segments(bytes, segment);
    let Some(parent) = tree.parent else {
        for range in ranges {
            pass(channel, data.slice(range.start, range.end), &tree.children).await?;
        }
        return Ok(data);
    };
    let mut ahead = Some(channel.irecv(parent)?);
    let count = ranges.len();
    for (number, range) in (1..).zip(ranges) {
        let next = if number < count { Some(channel.irecv(parent)?) } else { None };
        let part = match ahead {
            Some(receive) => channel.wait(receive).await?,
            None => break,
        };
        channel.store_range(&mut data, range, parent, &part)?;
        if !tree.children.is_empty() {
            pass(channel, part, &tree.children).await?;
        }
        ahead = next;
    }
    Ok(data)
}

async fn pass(channel: &Channel<'_>, part: Payload, children: &[u32]) -> Result<()> {
    let mut sends = Vec::with_capacity(children.len());
    for child in children {
        sends.push(channel.isend(part.clone(), *child).await?);
    }
    channel.finish(sends).await
}

/// The segment Open MPI takes for its pipeline: lines fitted to measurements tell from which size
/// on longer ones pay.
pub(crate) fn usual_segment(ranks: u32, bytes: u64) -> u64 {
    let (ranks, bytes) = (f64::from(ranks), bytes as f64);
    if ranks < 1.6134e-6 * bytes + 2.1102 {
        128 << 10
    } else if ranks < 2.3679e-6 * bytes + 1.1787 {
        64 << 10
    } else if ranks < 3.2118e-6 * bytes + 8.7936 {
        16 << 10
    } else {
        128 << 10
    }
}
