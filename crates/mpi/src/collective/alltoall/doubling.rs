//! Alltoall as an allgather of everything, by recursive doubling; each rank then picks its blocks.
//!
//! STAR-MPI's `rdb` (Faraj and Yuan 2006).

use super::Blocks;
use crate::collective::Channel;
use crate::collective::Counts;
use crate::collective::allgather::recursive_doubling;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let all = Counts::even(size, blocks.data.len());
    let whole = recursive_doubling::allgather(channel, blocks.data.clone(), &all).await?;
    let mut result = blocks.begin(channel)?;
    for from in (0..size).filter(|from| *from != rank) {
        let start = all.start(from) + blocks.send.start(rank);
        let part = whole.slice(start, start + blocks.send.of(rank));
        channel.store(&mut result, &blocks.receive, from, &part)?;
    }
    Ok(result)
}
