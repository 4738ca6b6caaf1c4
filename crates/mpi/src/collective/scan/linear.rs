//! Scans all at once: every rank sends its payload to all behind it.

use crate::collective::Channel;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// The combination of what all ranks before this one hold, in rank order; none for rank 0.
pub(crate) async fn before(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
) -> Result<Option<Payload>> {
    let (rank, size) = (channel.rank(), channel.size());
    let receives: Result<Vec<Request>> = (0..rank).map(|from| channel.irecv(from)).collect();
    let mut requests = receives?;
    for to in rank + 1..size {
        requests.push(channel.isend(data.clone(), to).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    let mut before: Option<Payload> = None;
    for (from, part) in (0..rank).zip(parts).rev() {
        channel.check_size(&part, data.len(), from)?;
        match &mut before {
            Some(before) => op.apply(&part, before),
            None => before = Some(part),
        }
    }
    Ok(before)
}
