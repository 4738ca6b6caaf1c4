//! Gather without a tree: the root receives from one rank after the other.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    if rank != root {
        channel.send(data, root).await?;
        return Ok(None);
    }
    let blocks = Counts::even(size, data.len());
    let mut whole = channel.with_own_block(&blocks, &data)?;
    for from in (0..size).filter(|from| *from != rank) {
        let received = channel.recv(from).await?;
        channel.store(&mut whole, &blocks, from, &received)?;
    }
    Ok(Some(whole))
}
