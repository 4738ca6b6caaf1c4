//! Reduce-scatter around the ring: `p - 1` steps, in each of which a rank adds its part to what
//! comes and passes it on.
//!
//! Open MPI's `ring`.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

pub(crate) async fn reduce_scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (to, from) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut ahead = channel.irecv(from)?;
    channel.send(counts.part(&data, from), to).await?;
    for step in 2..size {
        let next = channel.irecv(from)?;
        let combined = combined(channel, &data, counts, op, (rank + size - step) % size, ahead);
        channel.send(combined.await?, to).await?;
        ahead = next;
    }
    combined(channel, &data, counts, op, rank, ahead).await
}

/// What comes, and this rank's part of the same.
async fn combined(
    channel: &Channel<'_>,
    data: &Payload,
    counts: &Counts,
    op: &Op,
    block: u32,
    receive: Request,
) -> Result<Payload> {
    let received = channel.wait(receive).await?;
    let mut own = counts.part(data, block);
    channel.check_size(&received, own.len(), block)?;
    op.apply(&received, &mut own);
    Ok(own)
}
