//! `MPI_Allreduce`. MPI 4.1 section 6.9.6.

mod rabenseifner;
mod recursive_doubling;
mod reduce_bcast;
mod ring;

use super::{Channel, Operation, Pending, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Allreduce`: combines the payloads of all ranks; every rank gets the result.
    ///
    /// On an inter-communicator, a group gets the combination of the other's payloads.
    pub async fn allreduce(&self, payload: impl Into<Payload>, op: &Op) -> Result<Payload> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| allreduce(channel, payload, op).await;
        self.collective(Operation::Allreduce, run).await
    }

    /// `MPI_Iallreduce`.
    pub fn iallreduce(&self, payload: impl Into<Payload>, op: &Op) -> Pending<Payload> {
        let (payload, op) = (payload.into(), op.clone());
        let run = async move |channel: &Channel<'_>| allreduce(channel, payload, &op).await;
        self.collective_later(Operation::Allreduce, run)
    }
}

async fn allreduce(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::allreduce(channel, data, op)).await;
    }
    // A vector is cut between elements, and its pieces are combined in no fixed order.
    let pieces = if op.is_commutative() { data.len() / op.element() } else { 0 };
    match channel.algorithm(Operation::Allreduce) {
        "rab_rdb" if pieces > 0 => rabenseifner::allreduce(channel, data, op).await,
        "lr" if pieces >= u64::from(channel.size()) => ring::allreduce(channel, data, op).await,
        "lr" | "redbcast" => reduce_bcast::allreduce(channel, data, op).await,
        _ => recursive_doubling::allreduce(channel, data, op).await,
    }
}
