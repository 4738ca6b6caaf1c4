//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block`. MPI 4.1 section 6.10.

mod butterfly;
mod mirrored;
mod pair;
mod recursive_doubling;
pub(super) mod recursive_exchange;
mod recursive_halving;
mod ring;
mod two_level;

use super::{Call, Channel, Choice, Counts, Nested, Operation, Pending, inter, reduce, scatter};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Reduce_scatter`: combines the payloads of all ranks; each gets its part of the result.
    ///
    /// On an inter-communicator, the ranks of a group share the combination of the other's payloads,
    /// by counts of their own group.
    pub async fn reduce_scatter(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        op: &Op,
    ) -> Result<Payload> {
        let (payload, counts) = (payload.into(), counts.into());
        let element = op.element();
        let run = async |channel: &Channel<'_>| reduce_scatter(channel, payload, &counts, op).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::ReduceScatter, run).await;
        self.end_heard(is_told, Collective::ReduceScatter { counts: &counts, element });
        outcome
    }

    /// `MPI_Ireduce_scatter`.
    pub fn ireduce_scatter(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        op: &Op,
    ) -> Pending<Payload> {
        let (payload, counts, op) = (payload.into(), counts.into(), op.clone());
        let (element, sizes) = (op.element(), counts.clone());
        let told = Collective::ReduceScatter { counts: &sizes, element };
        let run =
            async move |channel: &Channel<'_>| reduce_scatter(channel, payload, &counts, &op).await;
        self.collective_later(Operation::ReduceScatter, Some(told), run)
    }

    /// `MPI_Reduce_scatter_block`: parts of equal size.
    pub async fn reduce_scatter_block(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
    ) -> Result<Payload> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| reduce_scatter_block(channel, payload, op).await;
        self.collective(Operation::ReduceScatterBlock, run).await
    }

    /// `MPI_Ireduce_scatter_block`.
    pub fn ireduce_scatter_block(&self, payload: impl Into<Payload>, op: &Op) -> Pending<Payload> {
        let (payload, op) = (payload.into(), op.clone());
        let ranks = self.size();
        let sizes = Counts::even(ranks, payload.len() / u64::from(ranks));
        let told = Collective::ReduceScatterBlock { counts: &sizes, element: op.element() };
        let run =
            async move |channel: &Channel<'_>| reduce_scatter_block(channel, payload, &op).await;
        self.collective_later(Operation::ReduceScatterBlock, Some(told), run)
    }
}

async fn reduce_scatter(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::reduce_scatter(channel, data, Some(counts), op)).await;
    }
    channel.check_cut(&data, counts)?;
    by(channel, Operation::ReduceScatter, data, counts, op).await
}

/// By the algorithm chosen for one of the two operations.
async fn by(
    channel: &Channel<'_>,
    operation: Operation,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let call = Call { is_even: counts.is_even(), ..Call::with(operation, data.len(), op) };
    let choice = channel.choose_for(call, counts.of(channel.rank()));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    match choice.algorithm {
        "mpich_pair" => pair::reduce_scatter(channel, data, counts, op).await,
        _ if channel.size() == 1 || data.is_empty() => {
            pair::reduce_scatter(channel, data, counts, op).await
        }
        "nonoverlapping" => {
            Box::pin(one_after_the_other(channel, operation, data, counts, op)).await
        }
        _ => Box::pin(further(channel, choice, data, counts, op)).await,
    }
}

/// Reduce to rank 0, which scatters the result, each by the algorithm chosen for it: Open MPI's
/// `nonoverlapping`, and its `basic_linear` for blocks of one size.
async fn one_after_the_other(
    channel: &Channel<'_>,
    operation: Operation,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let expected = Payload::Size(data.len());
    let reduced = reduce::nested(channel, data, op, 0).await?.unwrap_or(expected);
    match operation {
        Operation::ReduceScatterBlock => scatter::nested(channel, reduced, 0).await,
        _ => scatter::linear::scatter(channel, reduced, counts, 0).await,
    }
}

/// Where the number of ranks, the sizes of blocks or the order of operands forbid an algorithm,
/// parts are sent by shifting.
async fn further(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let commutes = op.is_commutative();
    let is_square = channel.size().is_power_of_two() && counts.is_even();
    match choice.algorithm {
        "ompi_basic_recursivehalving" if commutes => {
            recursive_halving::reduce_scatter(channel, data, counts, op).await
        }
        "ompi_ring" if commutes => ring::reduce_scatter(channel, data, counts, op).await,
        "ompi_butterfly" => butterfly::reduce_scatter(channel, data, counts, op).await,
        "mpich_rdb" => recursive_doubling::reduce_scatter(channel, data, counts, op).await,
        "mpich_noncomm" if is_square => mirrored::reduce_scatter(channel, data, counts, op).await,
        "two_level" if commutes => {
            two_level::reduce_scatter(channel, choice, data, counts, op).await
        }
        "recursive_exchange" if commutes => {
            let radix = choice.radix(2);
            recursive_exchange::reduce_scatter(channel, data, counts, op, radix).await
        }
        "reduce_scatterv" => reduced(channel, data, counts, op).await,
        _ => pair::reduce_scatter(channel, data, counts, op).await,
    }
}

/// Reduce to rank 0, which scatters the result: what SimGrid does if it is told nothing.
async fn reduced(
    channel: &Channel<'_>,
    data: Payload,
    counts: &Counts,
    op: &Op,
) -> Result<Payload> {
    let reduced = reduce::flat_tree::at_once(channel, data, op, 0).await?;
    scatter::linear::scatter(channel, reduced.unwrap_or(Payload::Size(0)), counts, 0).await
}

async fn reduce_scatter_block(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::reduce_scatter(channel, data, None, op)).await;
    }
    let counts = channel.equal_blocks(&data)?;
    by(channel, Operation::ReduceScatterBlock, data, &counts, op).await
}

/// A reduce-scatter within another collective, by a certain algorithm.
fn nested_by<'a>(
    channel: &'a Channel<'_>,
    choice: Choice,
    data: Payload,
    counts: &'a Counts,
    op: &'a Op,
) -> Nested<'a, Payload> {
    Box::pin(further(channel, choice, data, counts, op))
}
