//! Allgather after Bruck: `log2(p)` steps for any number of ranks, payloads that double.
//!
//! Bruck et al. 1997; Thakur et al. 2005, section 4.1.

use crate::collective::Channel;
use crate::error::Result;
use crate::memory::Landing;
use crate::payload::Payload;

/// Each rank holds the blocks from its own on, counted around; in a step, it gets as many from the
/// rank so far ahead, and at last those still missing.
pub(crate) async fn allgather(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let block = data.len();
    let bytes = |blocks: u32| u64::from(blocks) * block;
    let mut held = data;
    let mut distance = 1;
    while distance < size {
        let blocks = distance.min(size - distance);
        let (to, from) = ((rank + size - distance) % size, (rank + distance) % size);
        let (sent, is_last) = ((held.slice(0, bytes(blocks)), to), 2 * distance >= size);
        let landing = (Landing::Payload, u64::MAX);
        let received = channel.exchange_to(sent, landing, from, is_last).await?;
        channel.check_size(&received, bytes(blocks), from)?;
        held = Payload::concat([&held, &received]);
        distance *= 2;
    }
    let own = bytes(size - rank);
    Ok(Payload::concat([&held.slice(own, held.len()), &held.slice(0, own)]))
}
