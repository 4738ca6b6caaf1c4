//! `MPI_Gather` and `MPI_Gatherv`. MPI 4.1 section 6.5.

mod basic_linear;
mod binomial;
mod linear;

use super::{Channel, Counts, Operation, Pending};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Gather`: the root gets the payloads of all ranks, of equal size, one behind the other;
    /// the others get nothing.
    pub async fn gather(&self, payload: impl Into<Payload>, root: u32) -> Result<Option<Payload>> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| gather(channel, payload, root).await;
        self.collective(Operation::Gather, run).await
    }

    /// `MPI_Igather`.
    pub fn igather(&self, payload: impl Into<Payload>, root: u32) -> Pending<Option<Payload>> {
        let payload = payload.into();
        let run = async move |channel: &Channel<'_>| gather(channel, payload, root).await;
        self.collective_later(Operation::Gather, run)
    }

    /// `MPI_Gatherv`: payloads of any size. The counts matter at the root alone.
    pub async fn gatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: u32,
    ) -> Result<Option<Payload>> {
        let (payload, counts) = (payload.into(), counts.into());
        let run = async |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        self.collective(Operation::Gatherv, run).await
    }

    /// `MPI_Igatherv`.
    pub fn igatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: u32,
    ) -> Pending<Option<Payload>> {
        let (payload, counts) = (payload.into(), counts.into());
        let run = async move |channel: &Channel<'_>| gatherv(channel, payload, counts, root).await;
        self.collective_later(Operation::Gatherv, run)
    }
}

async fn gather(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Option<Payload>> {
    channel.check_root(root)?;
    match channel.algorithm(Operation::Gather) {
        "ompi_basic_linear" => basic_linear::gather(channel, data, root).await,
        _ => binomial::gather(channel, data, root).await,
    }
}

async fn gatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: u32,
) -> Result<Option<Payload>> {
    channel.check_root(root)?;
    if channel.rank() == root {
        channel.check_counts(&counts)?;
    }
    linear::gather(channel, data, &counts, root).await
}
