//! Alltoall by shifting: in step `i`, rank `r` sends to `r + i` and receives from `r - i`.

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut result = blocks.begin(channel)?;
    for step in 1..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        let received = channel.exchange(blocks.part(to), to, from).await?;
        channel.store(&mut result, &blocks.receive, from, &received)?;
    }
    Ok(result)
}
