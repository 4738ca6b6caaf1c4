//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block`. MPI 4.1 section 6.10.

mod pair;

use super::{Channel, Counts, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
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
        let run = async |channel: &Channel<'_>| reduce_scatter(channel, payload, &counts, op).await;
        self.collective(Operation::ReduceScatter, run).await
    }

    /// `MPI_Ireduce_scatter`.
    pub fn ireduce_scatter(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        op: &Op,
    ) -> Pending<Payload> {
        let (payload, counts, op) = (payload.into(), counts.into(), op.clone());
        let run =
            async move |channel: &Channel<'_>| reduce_scatter(channel, payload, &counts, &op).await;
        self.collective_later(Operation::ReduceScatter, run)
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
        let run =
            async move |channel: &Channel<'_>| reduce_scatter_block(channel, payload, &op).await;
        self.collective_later(Operation::ReduceScatterBlock, run)
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
    pair::reduce_scatter(channel, data, counts, op).await
}

async fn reduce_scatter_block(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::reduce_scatter(channel, data, None, op)).await;
    }
    let counts = channel.equal_blocks(&data)?;
    pair::reduce_scatter(channel, data, &counts, op).await
}
