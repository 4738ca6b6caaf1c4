//! Barrier by recursive doubling: `log2(p)` exchanges of empty messages.

use crate::collective::Channel;
use crate::collective::channel::previous_power_of_two;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks past the power of two report to a partner below it, and are told when all have come.
pub(crate) async fn barrier(channel: &Channel<'_>) -> Result<()> {
    let (rank, size) = (channel.rank(), channel.size());
    let core = previous_power_of_two(size);
    let empty = || Payload::Size(0);
    if rank >= core {
        let partner = rank - core;
        return channel.exchange(empty(), partner, partner).await.map(drop);
    }
    let ward = (rank + core < size).then_some(rank + core);
    if let Some(ward) = ward {
        channel.recv(ward).await?;
    }
    let mut distance = 1;
    while distance < core {
        let partner = rank ^ distance;
        channel.exchange(empty(), partner, partner).await?;
        distance *= 2;
    }
    match ward {
        Some(ward) => channel.send(empty(), ward).await,
        None => Ok(()),
    }
}
