//! Scatter of uneven parts without a tree: the root posts all sends at once.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    root: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        return channel.recv(root).await;
    }
    let mut sends = Vec::with_capacity(size as usize);
    for to in (0..size).filter(|to| *to != rank) {
        sends.push(channel.isend(counts.part(&data, to), to).await?);
    }
    channel.wait_all(&mut sends).await?;
    Ok(counts.part(&data, rank))
}
