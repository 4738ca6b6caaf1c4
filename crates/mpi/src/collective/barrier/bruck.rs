//! Barrier by dissemination: in step `k`, every rank tells the one `2^k` further on.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut distance = 1;
    while distance < size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        channel.exchange(Payload::Size(0), to, from).await?;
        distance *= 2;
    }
    Ok(())
}
