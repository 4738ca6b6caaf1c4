//! Allreduce by recursive doubling: `log2(p)` exchanges of the whole payload.
//!
//! Latency-optimal, so libraries pick it for short messages. Thakur et al. 2005, section 4.5.

use crate::collective::Channel;
use crate::collective::channel::previous_power_of_two;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Beyond a power of two, the first even ranks lend their data to the odd rank that follows.
pub(crate) async fn allreduce(channel: &Channel<'_>, mut data: Payload, op: &Op) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let core = previous_power_of_two(size);
    let lenders = size - core;
    if rank < 2 * lenders {
        if rank % 2 == 0 {
            channel.send(data, rank + 1).await?;
            return channel.recv(rank + 1).await;
        }
        let lent = channel.recv(rank - 1).await?;
        op.apply(&lent, &mut data);
    }
    let place = if rank < 2 * lenders { rank / 2 } else { rank - lenders };
    let mut distance = 1;
    while distance < core {
        let other = place ^ distance;
        let partner = if other < lenders { 2 * other + 1 } else { other + lenders };
        let mut theirs = channel.exchange(data.clone(), partner, partner).await?;
        if partner < rank {
            op.apply(&theirs, &mut data);
        } else {
            op.apply(&data, &mut theirs);
            data = theirs;
        }
        distance *= 2;
    }
    if rank < 2 * lenders {
        channel.send(data.clone(), rank - 1).await?;
    }
    Ok(data)
}
