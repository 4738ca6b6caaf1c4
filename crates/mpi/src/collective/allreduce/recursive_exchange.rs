//! Allreduce by recursive multiplying: in a step, groups of `k` ranks exchange the whole vector.
//!
//! MPICH 4's `recexch`; `log_k(p)` steps of `k - 1` messages each. With `k = 2` it is recursive
//! doubling.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Ranks past the largest power of `k` lend their data to one below it.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
    radix: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut core = 1;
    while core * radix <= size {
        core *= radix;
    }
    if rank >= core {
        let partner = rank % core;
        channel.send(data, partner).await?;
        return channel.recv(partner).await;
    }
    let lenders: Vec<u32> =
        (1..).map(|turn| rank + turn * core).take_while(|r| *r < size).collect();
    for lender in &lenders {
        let lent = channel.recv(*lender).await?;
        channel.check_size(&lent, data.len(), *lender)?;
        op.apply(&lent, &mut data);
    }
    let mut distance = 1;
    while distance < core {
        let digit = rank / distance % radix;
        let partners = (1..radix).map(|turn| {
            let other = (digit + turn) % radix;
            rank - digit * distance + other * distance
        });
        let receives: Result<Vec<Request>> =
            partners.clone().map(|partner| channel.irecv(partner)).collect();
        let mut requests = receives?;
        for partner in partners {
            requests.push(channel.isend(data.clone(), partner).await?);
        }
        let parts = channel.wait_all(&mut requests).await?;
        for part in parts.iter().take(radix as usize - 1) {
            op.apply(part, &mut data);
        }
        distance *= radix;
    }
    for lender in lenders {
        channel.send(data.clone(), lender).await?;
    }
    Ok(data)
}
