//! Alltoall by pairwise exchange: in step `i`, rank `r` exchanges with `r ^ i`.
//!
//! Every step is a perfect matching when the number of ranks is a power of two; otherwise the
//! partner is found by shifting.

use super::{Blocks, Pace, ring};
use crate::collective::{Channel, barrier};
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(
    channel: &Channel<'_>,
    blocks: &Blocks,
    pace: Pace,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    if !size.is_power_of_two() {
        return ring::alltoall(channel, blocks, pace).await;
    }
    let mut result = blocks.begin(channel)?;
    if matches!(pace, Pace::OneBarrier | Pace::Barrier) {
        barrier::nested(channel).await?;
    }
    for step in 1..size {
        let partner = rank ^ step;
        if pace == Pace::Barrier {
            barrier::nested(channel).await?;
        }
        let (sent, is_last) = ((blocks.part(partner), partner), blocks.ends_with(step, size));
        let landing = blocks.landing(partner);
        let received = channel.exchange_to(sent, landing, partner, is_last).await?;
        channel.store(&mut result, &blocks.receive, partner, &received)?;
        if pace == Pace::Light && step + 1 < size {
            let next = rank ^ (step + 1);
            channel.exchange(Payload::Size(1), next, next).await?;
        }
    }
    Ok(result)
}
