//! Alltoall in batches of a few messages at a time.
//!
//! MVAPICH2's `scatter_dest`, and Open MPI's linear with a limit: the network is kept busy without
//! being swamped.

use super::Blocks;
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// What becomes of a rank's block for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// It is copied in memory.
    Copied,
    /// It is sent like the others.
    Sent,
}

pub(super) async fn alltoall(
    channel: &Channel<'_>,
    blocks: &Blocks,
    batch: u32,
    own: Own,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut result = blocks.begin(channel)?;
    if blocks.receive.is_even() && blocks.receive.total() == 0 && own == Own::Sent {
        return Ok(result);
    }
    let is_due = |other: &u32| *other != rank || own == Own::Sent;
    let mut first = 0;
    while first < size {
        let steps = first..(first + batch).min(size);
        let from = steps.clone().map(|step| (rank + step) % size).filter(is_due);
        let receives: Result<Vec<Request>> = from.clone().map(|from| channel.irecv(from)).collect();
        let mut requests = receives?;
        for to in steps.map(|step| (rank + size - step) % size).filter(is_due) {
            requests.push(channel.isend(blocks.part(to), to).await?);
        }
        let parts = channel.wait_all(&mut requests).await?;
        for (from, part) in from.zip(&parts) {
            channel.store(&mut result, &blocks.receive, from, part)?;
        }
        first += batch;
    }
    Ok(result)
}
