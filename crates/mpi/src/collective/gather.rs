//! `MPI_Gather` and `MPI_Gatherv`. MPI 4.1 section 6.5.

mod basic_linear;
mod binomial;
mod linear;

use super::{Channel, Counts, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Gather`: the root gets the payloads of all ranks, of equal size, one behind the other;
    /// the others get nothing.
    ///
    /// On an inter-communicator, the root gets those of the remote group; what it gives is not
    /// looked at.
    pub async fn gather(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let run = async |channel: &Channel<'_>| gather(channel, payload, root).await;
        self.collective(Operation::Gather.at(root), run).await
    }

    /// `MPI_Igather`.
    pub fn igather(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let run = async move |channel: &Channel<'_>| gather(channel, payload, root).await;
        self.collective_later(Operation::Gather.at(root), run)
    }

    /// `MPI_Gatherv`: payloads of any size. The counts matter at the root alone.
    pub async fn gatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let run = async |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        self.collective(Operation::Gatherv.at(root), run).await
    }

    /// `MPI_Igatherv`.
    pub fn igatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let run = async move |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        self.collective_later(Operation::Gatherv.at(root), run)
    }
}

pub(super) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: Root,
) -> Result<Option<Payload>> {
    if channel.is_inter() {
        return Box::pin(inter::gather(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    match channel.algorithm(Operation::Gather) {
        "ompi_basic_linear" => basic_linear::gather(channel, data, root).await,
        _ => binomial::gather(channel, data, root).await,
    }
}

async fn gatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Option<Payload>> {
    if channel.is_inter() {
        return Box::pin(inter::gatherv(channel, data, counts, root)).await;
    }
    let root = channel.root(root)?;
    if channel.rank() == root {
        channel.check_counts(&counts)?;
    }
    linear::gather(channel, data, &counts, root).await
}
