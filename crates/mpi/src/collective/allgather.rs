//! `MPI_Allgather` and `MPI_Allgatherv`. MPI 4.1 section 6.7.

mod bruck;
mod recursive_doubling;
mod ring;

use super::{Channel, Counts, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Allgather`: every rank gets the payloads of all, of equal size, one behind the other.
    ///
    /// On an inter-communicator, those of the remote group.
    pub async fn allgather(&self, payload: impl Into<Payload>) -> Result<Payload> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| allgather(channel, payload).await;
        self.collective(Operation::Allgather, run).await
    }

    /// `MPI_Iallgather`.
    pub fn iallgather(&self, payload: impl Into<Payload>) -> Pending<Payload> {
        let payload = payload.into();
        let run = async move |channel: &Channel<'_>| allgather(channel, payload).await;
        self.collective_later(Operation::Allgather, run)
    }

    /// `MPI_Allgatherv`: payloads of any size, which all ranks know. On an inter-communicator,
    /// the counts are those of the remote group.
    pub async fn allgatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
    ) -> Result<Payload> {
        let (payload, counts) = (payload.into(), counts.into());
        let run = async |channel: &Channel<'_>| allgatherv(channel, payload, counts).await;
        self.collective(Operation::Allgatherv, run).await
    }

    /// `MPI_Iallgatherv`.
    pub fn iallgatherv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
    ) -> Pending<Payload> {
        let (payload, counts) = (payload.into(), counts.into());
        let run = async move |channel: &Channel<'_>| allgatherv(channel, payload, counts).await;
        self.collective_later(Operation::Allgatherv, run)
    }
}

pub(crate) async fn allgather(channel: &Channel<'_>, data: Payload) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::allgather(channel, data)).await;
    }
    let blocks = Counts::even(channel.size(), data.len());
    match channel.algorithm(Operation::Allgather) {
        "bruck" => bruck::allgather(channel, data).await,
        "ring" => ring::allgather(channel, data, &blocks).await,
        _ => recursive_doubling::allgather(channel, data, &blocks).await,
    }
}

async fn allgatherv(channel: &Channel<'_>, data: Payload, counts: Counts) -> Result<Payload> {
    channel.check_counts(&counts)?;
    if channel.is_inter() {
        return Box::pin(inter::allgatherv(channel, data, &counts)).await;
    }
    // The part of the rank itself is checked where it is stored.
    ring::allgather(channel, data, &counts).await
}

/// What a split costs: all ranks learn the color and key of all.
pub(crate) async fn share_claims(channel: &Channel<'_>) -> Result<()> {
    if channel.is_inter() {
        return Box::pin(share_claims_of_both(channel)).await;
    }
    bruck::allgather(channel, Payload::Size(8)).await.map(drop)
}

/// Each group among itself, then both: whoever is through knows that all have come.
async fn share_claims_of_both(channel: &Channel<'_>) -> Result<()> {
    let inside = channel.inside();
    let own = bruck::allgather(&channel.within(&inside), Payload::Size(8)).await?;
    inter::swap(channel, own).await.map(drop)
}
