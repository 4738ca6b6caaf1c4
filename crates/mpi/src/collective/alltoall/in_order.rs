//! Alltoall by exchanges with one rank after the other, from rank 0 on.
//!
//! MPICH's `pairwise_sendrecv_replace`, by which it exchanges blocks in place: a block is replaced
//! by the one that comes for it.

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let rank = channel.rank();
    let mut result = blocks.begin(channel)?;
    for partner in (0..channel.size()).filter(|partner| *partner != rank) {
        let received = channel.exchange(blocks.part(partner), partner, partner).await?;
        channel.store(&mut result, &blocks.receive, partner, &received)?;
    }
    Ok(result)
}
