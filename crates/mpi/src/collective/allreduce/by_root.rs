//! Allreduce through rank 0 without a tree: all send to it, it sends to all.
//!
//! Open MPI's `basic_linear`.

use crate::collective::Channel;
use crate::collective::bcast::flat_tree as spreading;
use crate::collective::reduce::flat_tree as collecting;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Operands are combined in rank order.
pub(crate) async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let expected = Payload::Size(data.len());
    let reduced = collecting::reduce(channel, data, op, 0).await?;
    spreading::bcast(channel, reduced.unwrap_or(expected), 0).await
}
