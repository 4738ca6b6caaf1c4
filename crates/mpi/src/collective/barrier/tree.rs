//! Barrier over a binomial tree: all report towards rank 0, which sets them free.
//!
//! Twice the steps of recursive doubling, but two messages a rank instead of `log2(p)`.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// The children of a rank are one, two, four… above it, up to its own lowest bit.
pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    let own_bit = if rank == 0 { size.next_power_of_two() } else { rank & rank.wrapping_neg() };
    let mut distance = 1;
    while distance < own_bit && rank + distance < size {
        channel.recv(rank + distance).await?;
        distance *= 2;
    }
    if rank > 0 {
        channel.send(Payload::Size(0), rank - own_bit).await?;
        channel.recv(rank - own_bit).await?;
    }
    while distance > 1 {
        distance /= 2;
        channel.send(Payload::Size(0), rank + distance).await?;
    }
    Ok(())
}
