//! Allgather by pairwise exchange: in step `i`, rank `r` exchanges its block with `r ^ i`.

use super::ring;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// The number of ranks must be a power of two; otherwise by shifting.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if !size.is_power_of_two() {
        return ring::allgather(channel, data, blocks).await;
    }
    let mut whole = channel.with_own_block(blocks, &data)?;
    for step in 1..size {
        let partner = rank ^ step;
        let received = channel.exchange(data.clone(), partner, partner).await?;
        channel.store(&mut whole, blocks, partner, &received)?;
    }
    Ok(whole)
}
