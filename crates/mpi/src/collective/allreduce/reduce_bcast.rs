//! Allreduce as a reduce to rank 0 and a bcast from there.

use crate::collective::{Channel, bcast, reduce};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Each by the algorithm chosen for it.
pub(crate) async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let expected = Payload::Size(data.len());
    let reduced = reduce::nested(channel, data, op, 0).await?;
    bcast::nested(channel, reduced.unwrap_or(expected), 0).await
}
