//! Allgather on a grid: along rows, then columns, then layers.
//!
//! STAR-MPI's `2dmesh` and `3dmesh` (Faraj and Yuan 2006).

use super::ring;
use crate::collective::grid::{cube, square};
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Where the number of ranks makes no grid, by shifting.
pub(crate) async fn two(channel: &Channel<'_>, data: Payload, blocks: &Counts) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let Some((rows, columns)) = square(size) else {
        return ring::allgather(channel, data, blocks).await;
    };
    let mut whole = channel.with_own_block(blocks, &data)?;
    let row = rank / columns * columns;
    let others = (row..row + columns).filter(|other| *other != rank);
    swap(channel, &mut whole, blocks, others, 1).await?;
    let others = (0..rows).map(|row| row * columns + rank % columns).filter(|other| *other != rank);
    swap(channel, &mut whole, blocks, others, columns).await?;
    Ok(whole)
}

/// Where the number of ranks makes no grid, by shifting.
pub(crate) async fn three(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let Some((side, layers)) = cube(size) else {
        return ring::allgather(channel, data, blocks).await;
    };
    let layer = side * side;
    let mut whole = channel.with_own_block(blocks, &data)?;
    let row = rank / side * side;
    let others = (row..row + side).filter(|other| *other != rank);
    swap(channel, &mut whole, blocks, others, 1).await?;
    let column = rank / layer * layer + rank % side;
    let others = (0..side).map(|row| column + row * side).filter(|other| *other != rank);
    swap(channel, &mut whole, blocks, others, side).await?;
    let others = (1..layers).map(|turn| (rank + turn * layer) % size);
    swap(channel, &mut whole, blocks, others, layer).await?;
    Ok(whole)
}

/// Swaps aligned groups of `count` blocks with some ranks: all receives are posted, then one send
/// follows the other.
async fn swap(
    channel: &Channel<'_>,
    whole: &mut Payload,
    blocks: &Counts,
    others: impl Iterator<Item = u32> + Clone,
    count: u32,
) -> Result<()> {
    let first = |rank: u32| rank / count * count;
    let receives: Result<Vec<Request>> = others.clone().map(|from| channel.irecv(from)).collect();
    let mut receives = receives?;
    let own = first(channel.rank());
    let outgoing = blocks.parts(whole, own, own + count);
    for to in others.clone() {
        channel.send(outgoing.clone(), to).await?;
    }
    let parts = channel.wait_all(&mut receives).await?;
    for (from, part) in others.zip(&parts) {
        let range = blocks.start(first(from))..blocks.start(first(from) + count);
        channel.store_range(whole, range, from, part)?;
    }
    Ok(())
}
