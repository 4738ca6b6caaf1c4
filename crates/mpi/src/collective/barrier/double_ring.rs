//! Barrier by a token that goes around the ring twice.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// The first round tells rank 0 that all have come, the second tells all the others.
pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    if size == 1 {
        return Ok(());
    }
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    for _ in 0..2 {
        if rank > 0 {
            channel.recv(left).await?;
        }
        channel.send(Payload::Size(0), right).await?;
        if rank == 0 {
            channel.recv(left).await?;
        }
    }
    Ok(())
}
