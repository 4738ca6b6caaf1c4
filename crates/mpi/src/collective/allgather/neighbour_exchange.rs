//! Allgather among neighbours: after the first step, two blocks travel at a time.
//!
//! Open MPI's `neighborexchange`; Chen et al. 2005. Half the steps of a ring.

use super::ring;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// The number of ranks must be even; otherwise by shifting.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if !size.is_multiple_of(2) {
        return ring::allgather(channel, data, blocks).await;
    }
    let mut whole = channel.with_own_block(blocks, &data)?;
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let is_even = rank.is_multiple_of(2);
    let neighbours = if is_even { [right, left] } else { [left, right] };
    let received = channel.exchange(data, neighbours[0], neighbours[0]).await?;
    channel.store(&mut whole, blocks, neighbours[0], &received)?;
    // Pairs begin at even ranks. Those that come from one neighbour are two further each time.
    let own = rank & !1;
    let mut expected = [own, own];
    let mut outgoing = own;
    let further = if is_even { [2, size - 2] } else { [size - 2, 2] };
    for step in 1..size / 2 {
        let side = step as usize % 2;
        expected[side] = (expected[side] + further[side]) % size;
        let (to, incoming) = (neighbours[side], expected[side]);
        let pair = blocks.parts(&whole, outgoing, outgoing + 2);
        let received = channel.exchange(pair, to, to).await?;
        let range = blocks.start(incoming)..blocks.start(incoming + 2);
        channel.store_range(&mut whole, range, to, &received)?;
        outgoing = incoming;
    }
    Ok(whole)
}
