//! Allgather by halving distances: the blocks that travel farthest are few.
//!
//! Open MPI 5's `sparbit`; Loch and Koslovski 2021. Any number of ranks, `log2(p)` steps, one
//! message for each block.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Before the step of `distance`, a rank has the blocks of those `2 distance`, `4 distance`, … before
/// it; after it, also of those half way between them.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let mut distance = size.next_power_of_two() / 2;
    while distance > 0 {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        // Of the blocks due after the step, every second one is new.
        let count = size.div_ceil(distance) / 2;
        let before = |steps: u32| (rank + size - steps * distance % size) % size;
        let mut requests = Vec::with_capacity(2 * count as usize);
        for _ in 0..count {
            requests.push(channel.irecv(from)?);
        }
        for number in 0..count {
            let own = blocks.part(&whole, before(2 * number));
            requests.push(channel.isend(own, to).await?);
        }
        let parts = channel.wait_all(&mut requests).await?;
        for (number, part) in (0..count).zip(&parts) {
            channel.store(&mut whole, blocks, before(2 * number + 1), part)?;
        }
        distance /= 2;
    }
    Ok(whole)
}
