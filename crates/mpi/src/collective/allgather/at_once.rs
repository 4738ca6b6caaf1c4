//! Allgather all at once: every rank sends its block to every other.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Receives are posted first, from the next rank on; then sends.
pub(crate) async fn spreading(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let others = (1..size).map(|step| (rank + step) % size);
    let receives: Result<Vec<Request>> = others.clone().map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    for to in others.clone() {
        requests.push(channel.isend(data.clone(), to).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    for (from, part) in others.zip(&parts) {
        channel.store(&mut whole, blocks, from, part)?;
    }
    Ok(whole)
}

/// A send and a receive for each rank in turn: what SimGrid does if it is told nothing.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let others = (0..size).filter(|other| *other != rank);
    let mut requests = Vec::with_capacity(2 * size as usize);
    for other in others.clone() {
        requests.push(channel.isend(data.clone(), other).await?);
        requests.push(channel.irecv(other)?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    for (from, part) in others.zip(parts.iter().skip(1).step_by(2)) {
        channel.store(&mut whole, blocks, from, part)?;
    }
    Ok(whole)
}
