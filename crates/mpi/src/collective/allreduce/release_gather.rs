//! Allreduce through memory that the ranks of a node share, and among the nodes' leaders.
//!
//! MPICH 4's `release_gather`: a reduce and a bcast on each node by the algorithms of that name.

use super::nested_by;
use crate::collective::bcast::release_gather as spreading;
use crate::collective::reduce::release_gather as collecting;
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
) -> Result<Payload> {
    let layout = channel.layout();
    let local = channel.on_node(&layout);
    let call = Call::with(Operation::Allreduce, data.len(), op);
    let expected = Payload::Size(data.len());
    let reduced = collecting::on_node(&local, choice, data, op, 0).await?;
    let mut result = reduced.unwrap_or(expected);
    if let (Some(leaders), true) = (channel.leaders(&layout), layout.nodes().len() > 1) {
        let outer = choice.outer(|| leaders.choose_as(Library::Mpich4, call));
        result = nested_by(&leaders, outer, result, op).await?;
    }
    spreading::on_node(&local, choice, result, 0).await
}
