//! Gather without a tree, on demand: the root asks one rank after the other for the first part of
//! its block; the rest follows.
//!
//! Open MPI's `linear_sync`: the root is never swamped.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Bytes of the first part, as Open MPI takes them.
pub(crate) fn usual_segment(bytes: u64) -> u64 {
    if bytes > 92_160 { 32 << 10 } else { 1 << 10 }
}

pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Option<Payload>> {
    let (rank, bytes) = (channel.rank(), data.len());
    let first = segment.min(bytes);
    if rank != root {
        channel.recv(root).await?;
        channel.send(data.slice(0, first), root).await?;
        channel.send(data.slice(first, bytes), root).await?;
        return Ok(None);
    }
    let blocks = Counts::even(channel.size(), bytes);
    let mut whole = channel.with_own_block(&blocks, &data)?;
    let others = (0..channel.size()).filter(|from| *from != rank);
    let mut rests = Vec::new();
    for from in others.clone() {
        let receive = channel.irecv(from)?;
        channel.send(Payload::Size(0), from).await?;
        rests.push(channel.irecv(from)?);
        let part = channel.wait(receive).await?;
        let start = blocks.start(from);
        channel.store_range(&mut whole, start..start + first, from, &part)?;
    }
    let parts = channel.wait_all(&mut rests).await?;
    for (from, part) in others.zip(&parts) {
        let range = blocks.start(from) + first..blocks.start(from + 1);
        channel.store_range(&mut whole, range, from, part)?;
    }
    Ok(Some(whole))
}
