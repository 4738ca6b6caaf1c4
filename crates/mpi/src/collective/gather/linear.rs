//! Gather of uneven parts without a tree: the root posts all receives at once.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    root: u32,
) -> Result<Option<Payload>> {
    let rank = channel.rank();
    if rank != root {
        let send = channel.isend(data, root).await?;
        channel.wait_all(&mut [send]).await?;
        return Ok(None);
    }
    let mut whole = channel.with_own_block(counts, &data)?;
    let others = (0..channel.size()).filter(|from| *from != rank);
    let requests: Result<Vec<Request>> = others.clone().map(|from| channel.irecv(from)).collect();
    let received = channel.wait_all(&mut requests?).await?;
    for (from, part) in others.zip(&received) {
        channel.store(&mut whole, counts, from, part)?;
    }
    Ok(Some(whole))
}
