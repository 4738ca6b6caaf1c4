//! Alltoall all at once: every receive is posted, then every send, then all are waited for.

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Receives from the next rank on; sends to the one before, and backwards from there.
pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let from = (1..size).map(|step| (rank + step) % size);
    let to = (1..size).map(|step| (rank + size - step) % size);
    at_once(channel, blocks, from, to).await
}

/// In the order of ranks.
pub(super) async fn alltoallv(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let others = (0..size).filter(|other| *other != rank);
    at_once(channel, blocks, others.clone(), others).await
}

async fn at_once(
    channel: &Channel<'_>,
    blocks: &Blocks,
    from: impl Iterator<Item = u32> + Clone,
    to: impl Iterator<Item = u32>,
) -> Result<Payload> {
    let mut result = blocks.begin(channel)?;
    let receive = |from| channel.irecv_to(blocks.landing(from), from);
    let receives: Result<Vec<Request>> = from.clone().map(receive).collect();
    let mut requests = receives?;
    for to in to {
        requests.push(channel.isend(blocks.part(to), to).await?);
    }
    if blocks.into.is_some() {
        channel.waits_only_for(&requests);
    }
    let received = channel.wait_all_sizes(&mut requests).await?;
    for (from, part) in from.zip(&received) {
        channel.store(&mut result, &blocks.receive, from, part)?;
    }
    Ok(result)
}
