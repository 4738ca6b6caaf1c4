//! Alltoall by pairwise exchange: in step `i`, rank `r` exchanges with `r ^ i`.
//!
//! Every step is a perfect matching when the number of ranks is a power of two; otherwise the
//! partner is found by shifting.

use super::{Blocks, ring};
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if !size.is_power_of_two() {
        return ring::alltoall(channel, blocks).await;
    }
    let mut result = blocks.begin(channel)?;
    for step in 1..size {
        let partner = rank ^ step;
        let received = channel.exchange(blocks.part(partner), partner, partner).await?;
        channel.store(&mut result, &blocks.receive, partner, &received)?;
    }
    Ok(result)
}
