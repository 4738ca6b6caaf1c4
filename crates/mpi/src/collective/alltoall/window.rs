//! Alltoall with a few exchanges under way at a time: when the oldest ends, the next begins.
//!
//! MPICH 4's `tsp_scattered`.

use std::collections::VecDeque;

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;

pub(super) async fn alltoall(
    channel: &Channel<'_>,
    blocks: &Blocks,
    window: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut result = blocks.begin(channel)?;
    let mut open = VecDeque::new();
    let mut sends = Vec::with_capacity(size as usize);
    for step in 1..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        open.push_back((from, channel.irecv(from)?));
        sends.push(channel.isend(blocks.part(to), to).await?);
        if open.len() < window as usize {
            continue;
        }
        if let Some((from, receive)) = open.pop_front() {
            let part = channel.wait(receive).await?;
            channel.store(&mut result, &blocks.receive, from, &part)?;
        }
    }
    for (from, receive) in open {
        let part = channel.wait(receive).await?;
        channel.store(&mut result, &blocks.receive, from, &part)?;
    }
    channel.finish(sends).await?;
    Ok(result)
}
