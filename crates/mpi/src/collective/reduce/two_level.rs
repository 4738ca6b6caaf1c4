//! Reduce of two levels: on every node, then among the leaders.
//!
//! MVAPICH2's `two_level` and Open MPI's HAN; which algorithms the levels use is a parameter.

use super::{flat_tree, knomial, nested_by};
use crate::collective::{Call, Channel, Choice, Library, Operation};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

pub(crate) async fn reduce(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
    root: u32,
) -> Result<Option<Payload>> {
    let layout = channel.meet().await?;
    let (rank, first) = (channel.rank(), layout.leader_of(root));
    let call = Call::with(Operation::Reduce, data.len(), op);
    let as_mpich = |channel: &Channel<'_>| channel.choose_as(Library::SimgridMpich, call);
    let local = channel.on_node(&layout);
    if layout.nodes().len() == 1 && data.len() > 2048 {
        return knomial::reduce(channel, data, op, root, choice.radix(4)).await;
    }
    let mut result = match local.size() {
        1 => Some(data),
        _ if layout.nodes().len() == 1 => flat_tree::reduce(&local, data, op, 0).await?,
        _ => {
            let mut inner = choice.inner(|| as_mpich(&local));
            // As shared memory would have no room for more.
            let is_long = data.len() >= u64::from(local.size()) << 17;
            if inner.algorithm == "ompi_basic_linear" && is_long {
                inner = Choice { algorithm: "mvapich2_knomial", ..inner };
            }
            nested_by(&local, inner, data, op, 0).await?
        }
    };
    if let (Some(leaders), Some(data), true) =
        (channel.leaders(&layout), result.clone(), layout.nodes().len() > 1)
    {
        let outer = choice.outer(|| as_mpich(&leaders));
        result = nested_by(&leaders, outer, data, op, layout.node_of(root)).await?;
    }
    if first == root {
        return Ok(result.filter(|_| rank == root));
    }
    match result {
        Some(result) if rank == first => {
            channel.send(result, root).await?;
            Ok(None)
        }
        _ if rank == root => channel.recv(first).await.map(Some),
        _ => Ok(None),
    }
}
