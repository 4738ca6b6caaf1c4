//! Scans along a chain: each rank hears what comes before it, and tells the next.
//!
//! Open MPI's `linear`.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// The combination of what all ranks before this one hold, in rank order; none for rank 0.
pub(crate) async fn before(
    channel: &Channel<'_>,
    mut data: Payload,
    op: &Op,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut before = None;
    if rank > 0 {
        let heard = channel.recv(rank - 1).await?;
        channel.check_size(&heard, data.len(), rank - 1)?;
        op.apply(&heard, &mut data);
        before = Some(heard);
    }
    if rank + 1 < size {
        channel.send(data, rank + 1).await?;
    }
    Ok(before)
}
