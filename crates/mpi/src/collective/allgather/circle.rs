//! Allgather around the ring: `p - 1` steps, in each of which a block is passed on.
//!
//! The one that other libraries call "ring".

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// One exchange after the other.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    for step in 1..size {
        let (outgoing, incoming) = ((rank + size + 1 - step) % size, (rank + size - step) % size);
        let received = channel.exchange(blocks.part(&whole, outgoing), to, from).await?;
        channel.store(&mut whole, blocks, incoming, &received)?;
    }
    Ok(whole)
}

/// All receives are posted beforehand.
pub(crate) async fn posted(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    let receives: Result<Vec<Request>> = (1..size).map(|_| channel.irecv(from)).collect();
    for (step, receive) in (1..).zip(receives?) {
        let (outgoing, incoming) = ((rank + size + 1 - step) % size, (rank + size - step) % size);
        let send = channel.isend(blocks.part(&whole, outgoing), to).await?;
        let received = channel.wait(receive).await?;
        channel.store(&mut whole, blocks, incoming, &received)?;
        channel.wait(send).await?;
    }
    Ok(whole)
}
