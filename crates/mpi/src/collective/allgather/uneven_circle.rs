//! Allgather around the ring of blocks of any size, the long ones in segments.
//!
//! MPICH's ring for `MPI_Allgatherv`: a rank need not wait for all of a long block before it passes
//! on.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Segments are at least as long as the shortest block.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    segment: u64,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let shortest = (0..size).map(|rank| blocks.of(rank)).min().unwrap_or(0);
    let segment = segment.max(shortest).max(1);
    let mut to_send = blocks.total() - blocks.of(right);
    let mut to_receive = blocks.total() - blocks.of(rank);
    // The block under way in each direction, and how much of it is through.
    let (mut out, mut come) = ((rank, 0), (left, 0));
    while to_send > 0 || to_receive > 0 {
        let sending = if to_send > 0 { segment.min(blocks.of(out.0) - out.1) } else { 0 };
        let receiving = if to_receive > 0 { segment.min(blocks.of(come.0) - come.1) } else { 0 };
        let from = blocks.start(out.0) + out.1;
        let outgoing = whole.slice(from, from + sending);
        let received = match (sending, receiving) {
            (0, 0) => None,
            (0, _) => Some(channel.recv(left).await?),
            (_, 0) => {
                channel.send(outgoing, right).await?;
                None
            }
            _ => Some(channel.exchange(outgoing, right, left).await?),
        };
        if let Some(received) = received {
            let start = blocks.start(come.0) + come.1;
            channel.store_range(&mut whole, start..start + receiving, left, &received)?;
        }
        (to_send, to_receive) = (to_send - sending, to_receive - receiving);
        out = advanced(blocks, out, sending);
        come = advanced(blocks, come, receiving);
    }
    Ok(whole)
}

/// The next block, going backwards, when one is through.
fn advanced(blocks: &Counts, (block, done): (u32, u64), bytes: u64) -> (u32, u64) {
    match done + bytes == blocks.of(block) {
        true => ((block + blocks.ranks() - 1) % blocks.ranks(), 0),
        false => (block, done + bytes),
    }
}
