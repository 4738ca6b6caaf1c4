//! Alltoall by pairwise exchange: in step `i`, rank `r` exchanges with `r ^ i`.
//!
//! Every step is a perfect matching when the number of ranks is a power of two; otherwise the
//! partner is found by shifting.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn alltoall(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let block = data.len() / u64::from(size);
    let part = |of: u32| data.slice(u64::from(of) * block, u64::from(of + 1) * block);
    let mut result = data.blank(data.len());
    result.write(u64::from(rank) * block, &part(rank));
    for step in 1..size {
        let (to, from) = if size.is_power_of_two() {
            (rank ^ step, rank ^ step)
        } else {
            ((rank + step) % size, (rank + size - step) % size)
        };
        let received = channel.exchange(part(to), to, from).await?;
        result.write(u64::from(from) * block, &received);
    }
    Ok(result)
}
