//! Allgather by recursive doubling from far to near.
//!
//! Blocks first go to the rank whose number has the same bits in reverse order, so that those which
//! a rank collects lie side by side. STAR-MPI's `rhv` (Faraj and Yuan 2006).

use super::ring;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// The number of ranks must be a power of two; otherwise by shifting.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if !size.is_power_of_two() {
        return ring::allgather(channel, data, blocks).await;
    }
    if size == 1 {
        return Ok(data);
    }
    let reversed = rank.reverse_bits() >> (32 - size.trailing_zeros());
    let mut whole = data.blank(blocks.total());
    let received = channel.exchange(data, reversed, reversed).await?;
    channel.store(&mut whole, blocks, reversed, &received)?;
    let (mut first, mut count) = (reversed, 1);
    let mut distance = size / 2;
    while distance > 0 {
        let partner = rank ^ distance;
        let theirs = if rank & distance == 0 { first + count } else { first - count };
        let own = blocks.parts(&whole, first, first + count);
        let received = channel.exchange(own, partner, partner).await?;
        let range = blocks.start(theirs)..blocks.start(theirs + count);
        channel.store_range(&mut whole, range, partner, &received)?;
        first = first.min(theirs);
        count *= 2;
        distance /= 2;
    }
    Ok(whole)
}
