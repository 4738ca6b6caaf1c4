//! Barrier by dissemination with more than one partner in a step: `log_k(p)` steps.
//!
//! MPICH 4's `k_dissemination`; with a radix of 2 it is Bruck's.

use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// In a step of distance `d`, every rank tells those `d`, `2d`, … `(k - 1) d` further on.
pub(crate) async fn barrier(channel: &Channel<'_>, radix: u32) -> Result<()> {
    let (rank, size) = (u64::from(channel.rank()), u64::from(channel.size()));
    let radix = u64::from(radix.max(2));
    let mut distance = 1;
    while distance < size {
        let steps = (1..radix).map(|turn| turn * distance % size).filter(|step| *step > 0);
        let mut requests = Vec::new();
        for step in steps.clone() {
            requests.push(channel.irecv(((rank + size - step) % size) as u32)?);
        }
        for step in steps {
            let to = ((rank + step) % size) as u32;
            requests.push(channel.isend(Payload::Size(0), to).await?);
        }
        channel.finish(requests).await?;
        distance *= radix;
    }
    Ok(())
}
