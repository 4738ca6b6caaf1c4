//! Alltoall by shifting: in step `i`, rank `r` sends to `r + i` and receives from `r - i`.

use super::{Blocks, Pace};
use crate::collective::{Channel, barrier};
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(
    channel: &Channel<'_>,
    blocks: &Blocks,
    pace: Pace,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut result = blocks.begin(channel)?;
    if matches!(pace, Pace::OneBarrier | Pace::Barrier) {
        barrier::nested(channel).await?;
    }
    for step in 1..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        if pace == Pace::Barrier {
            barrier::nested(channel).await?;
        }
        let (sent, is_last) = ((blocks.part(to), to), blocks.ends_with(step, size));
        let received = channel.exchange_to(sent, blocks.landing(from), from, is_last).await?;
        channel.store(&mut result, &blocks.receive, from, &received)?;
        if pace == Pace::Light && step + 1 < size {
            let (to, from) = ((rank + size - step - 1) % size, (rank + step + 1) % size);
            channel.exchange(Payload::Size(1), to, from).await?;
        }
    }
    Ok(result)
}
