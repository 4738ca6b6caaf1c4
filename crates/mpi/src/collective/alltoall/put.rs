//! Alltoall by one-sided writes between two fences.
//!
//! SimGrid's `pair_rma`: a fence is a barrier, and all writes are under way at once.

use super::Blocks;
use crate::collective::Channel;
use crate::collective::barrier;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut result = blocks.begin(channel)?;
    barrier::nested(channel).await?;
    let others = (1..size).map(|step| match size.is_power_of_two() {
        true => rank ^ step,
        false => (rank + step) % size,
    });
    let receives: Result<Vec<Request>> = others.clone().map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    for to in others.clone() {
        requests.push(channel.isend(blocks.part(to), to).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    for (from, part) in others.zip(&parts) {
        channel.store(&mut result, &blocks.receive, from, part)?;
    }
    barrier::nested(channel).await?;
    Ok(result)
}
