//! Allreduce of two levels: a reduce on every node, something among the leaders, a bcast on every
//! node.
//!
//! STAR-MPI's `smp_*` (Faraj and Yuan 2006), MVAPICH2's `two_level`, Open MPI's HAN. Where nodes
//! have not all as many ranks, STAR-MPI takes every rank as a node of its own.

use super::{nested_by, rabenseifner, recursive_doubling, short_or_long};
use crate::collective::bcast::{self, binomial_tree};
use crate::collective::reduce::binomial;
use crate::collective::{Call, Channel, Choice, Library, Operation, reduce};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// What leaders do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Middle {
    /// Reduce and bcast along binomial trees.
    Trees,
    /// Recursive doubling.
    Doubling,
    /// Reduce-scatter and allgather around a ring.
    Ring,
    /// Reduce-scatter by recursive halving, allgather by doubling.
    Halving,
}

pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    middle: Middle,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() {
        return between(channel, data, op, middle).await;
    }
    let local = channel.on_node(&layout);
    let expected = Payload::Size(data.len());
    let mut result = binomial::reduce(&local, data, op, 0).await?.unwrap_or(expected);
    if let Some(leaders) = channel.leaders(&layout) {
        result = between(&leaders, result, op, middle).await?;
    }
    binomial_tree::bcast(&local, result, 0).await
}

async fn between(leaders: &Channel<'_>, data: Payload, op: &Op, middle: Middle) -> Result<Payload> {
    match middle {
        Middle::Trees => {
            let expected = Payload::Size(data.len());
            let result = binomial::reduce(leaders, data, op, 0).await?.unwrap_or(expected);
            binomial_tree::bcast(leaders, result, 0).await
        }
        Middle::Doubling => recursive_doubling::allreduce(leaders, data, op).await,
        Middle::Ring => ring(leaders, data, op).await,
        Middle::Halving => rabenseifner::allreduce(leaders, data, op).await,
    }
}

/// Around the ring, the last piece taking what does not divide.
async fn ring(channel: &Channel<'_>, mut data: Payload, op: &Op) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
    let pieces = rabenseifner::pieces(data.len(), op.element(), size);
    let before = |steps: u32| (rank + 2 * size - steps) % size;
    for step in 1..size {
        let incoming = before(step + 1);
        let mut received = channel.exchange(pieces.part(&data, before(step)), right, left).await?;
        op.apply(&pieces.part(&data, incoming), &mut received);
        channel.store(&mut data, &pieces, incoming, &received)?;
    }
    for step in 1..size {
        let received = channel.exchange(pieces.part(&data, before(step - 1)), right, left).await?;
        channel.store(&mut data, &pieces, before(step), &received)?;
    }
    Ok(data)
}

/// Allreduce on every node, among the leaders, then a bcast on every node by the algorithm chosen
/// for bcasts.
pub(crate) async fn two_level(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    let local = channel.on_node(&layout);
    let call = Call::with(Operation::Allreduce, data.len(), op);
    let inner = choice.inner(|| local.choose_as(Library::SimgridMpich, call));
    // A reduce is enough there: a bcast follows in any case.
    let mut result = match inner.algorithm {
        "redbcast" => {
            let expected = Payload::Size(data.len());
            reduce::nested(&local, data, op, 0).await?.unwrap_or(expected)
        }
        _ => nested_by(&local, inner, data, op).await?,
    };
    if let (Some(leaders), true) = (channel.leaders(&layout), layout.nodes().len() > 1) {
        result = match choice.outer(|| Choice::named("rdb")).algorithm {
            "rdb" => recursive_doubling::allreduce(&leaders, result, op).await?,
            "mvapich2_rs" => short_or_long(&leaders, result, op).await?,
            other => nested_by(&leaders, Choice::named(other), result, op).await?,
        };
    }
    bcast::nested(&local, result, 0).await
}
