//! Allreduce as a reduce to rank 0 and a bcast from there, each by the algorithm chosen for it.

use crate::collective::bcast::bcast;
use crate::collective::reduce::binomial;
use crate::collective::{Channel, Root};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    let expected = Payload::Size(data.len());
    let reduced = binomial::reduce(channel, data, op, 0).await?;
    bcast(channel, reduced.unwrap_or(expected), Root::Rank(0)).await
}
