//! Allgather by shifting: in step `i`, every rank sends its own part to the one `i` further on.
//!
//! Despite the name that SimGrid gave it, nothing is passed on around a ring.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(counts, &data)?;
    for step in 1..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        let received = channel.exchange(data.clone(), to, from).await?;
        channel.store(&mut whole, counts, from, &received)?;
    }
    Ok(whole)
}
