//! Alltoall around a ring: all that a rank has goes past every other, which takes its block out.
//!
//! MPICH 4's `tsp_ring`: neighbours alone talk to each other, at the price of bytes.

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

/// Blocks are of one size.
pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let mut result = blocks.begin(channel)?;
    let mut passing = blocks.data.clone();
    for step in 1..size {
        passing = channel.exchange(passing, right, left).await?;
        channel.check_size(&passing, blocks.data.len(), left)?;
        let from = (rank + size - step) % size;
        channel.store(&mut result, &blocks.receive, from, &blocks.send.part(&passing, rank))?;
    }
    Ok(result)
}
