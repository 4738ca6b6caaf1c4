//! Scatter without a tree: the root sends to one rank after the other.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn scatter(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    root: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        return channel.recv(root).await;
    }
    for to in (0..size).filter(|to| *to != rank) {
        channel.send(blocks.part(&data, to), to).await?;
    }
    Ok(blocks.part(&data, rank))
}
