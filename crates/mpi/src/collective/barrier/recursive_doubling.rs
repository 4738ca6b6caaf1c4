//! Barrier by recursive doubling: `log2(p)` exchanges of empty messages.

use crate::collective::Channel;
use crate::collective::channel::previous_power_of_two;
use crate::error::Result;
use crate::payload::Payload;

/// Ranks past the power of two report to a partner below it, and are told when all have come.
pub(crate) fn barrier(channel: &Channel<'_>) -> impl Future<Output = Result<()>> {
    let (rank, size) = (channel.rank(), channel.size());
    let core = previous_power_of_two(size);
    let empty = || Payload::Size(0);
    async move {
        if rank >= core {
            let partner = rank - core;
            return channel.exchange(empty(), partner, partner).await.map(drop);
        }
        let has_ward = rank + core < size;
        if has_ward {
            channel.recv(rank + core).await?;
        }
        let mut distance = 1;
        while distance < core {
            let partner = rank ^ distance;
            channel.exchange(empty(), partner, partner).await?;
            distance *= 2;
        }
        match has_ward {
            true => channel.send(empty(), rank + core).await,
            false => Ok(()),
        }
    }
}
