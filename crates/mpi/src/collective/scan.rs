//! `MPI_Scan` and `MPI_Exscan`. MPI 4.1 section 6.11.

mod chain;
mod linear;
mod recursive_doubling;
mod two_level;

use super::{Call, Channel, Operation, Pending};
use crate::comm::Comm;
use crate::error::Result;
use crate::listener::Collective;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Scan`: each rank gets the combination of the payloads of all ranks up to itself.
    pub async fn scan(&self, payload: impl Into<Payload>, op: &Op) -> Result<Payload> {
        let payload = payload.into();
        let (bytes, element) = (payload.len(), op.element());
        let run = async |channel: &Channel<'_>| scan(channel, payload, op).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Scan, run).await;
        self.end_heard(is_told, Collective::Scan { bytes, element });
        outcome
    }

    /// `MPI_Iscan`.
    pub fn iscan(&self, payload: impl Into<Payload>, op: &Op) -> Pending<Payload> {
        let (payload, op) = (payload.into(), op.clone());
        let told = Collective::Scan { bytes: payload.len(), element: op.element() };
        let run = async move |channel: &Channel<'_>| scan(channel, payload, &op).await;
        self.collective_later(Operation::Scan, Some(told), run)
    }

    /// `MPI_Exscan`: each rank gets the combination of the payloads of all ranks before it; rank 0
    /// gets nothing.
    pub async fn exscan(&self, payload: impl Into<Payload>, op: &Op) -> Result<Option<Payload>> {
        let payload = payload.into();
        let (bytes, element) = (payload.len(), op.element());
        let run = async |channel: &Channel<'_>| exscan(channel, payload, op).await;
        let is_told = self.begin_heard();
        let outcome = self.collective(Operation::Exscan, run).await;
        self.end_heard(is_told, Collective::Exscan { bytes, element });
        outcome
    }

    /// `MPI_Iexscan`.
    pub fn iexscan(&self, payload: impl Into<Payload>, op: &Op) -> Pending<Option<Payload>> {
        let (payload, op) = (payload.into(), op.clone());
        let told = Collective::Exscan { bytes: payload.len(), element: op.element() };
        let run = async move |channel: &Channel<'_>| exscan(channel, payload, &op).await;
        self.collective_later(Operation::Exscan, Some(told), run)
    }
}

async fn scan(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Payload> {
    channel.require_intra()?;
    let mut own = data.clone();
    if let Some(before) = before(channel, Operation::Scan, data, op).await? {
        op.apply(&before, &mut own);
    }
    Ok(own)
}

async fn exscan(channel: &Channel<'_>, data: Payload, op: &Op) -> Result<Option<Payload>> {
    channel.require_intra()?;
    before(channel, Operation::Exscan, data, op).await
}

/// What comes before, by the algorithm chosen for one of the two operations.
async fn before(
    channel: &Channel<'_>,
    operation: Operation,
    data: Payload,
    op: &Op,
) -> Result<Option<Payload>> {
    let choice = channel.choose(Call::with(operation, data.len(), op));
    if choice.meet {
        Box::pin(channel.meet()).await?;
    }
    match choice.algorithm {
        "chain" => Box::pin(chain::before(channel, data, op)).await,
        "two_level" => Box::pin(two_level::before(channel, data, op)).await,
        "linear" => Box::pin(linear::before(channel, data, op)).await,
        _ => recursive_doubling::before(channel, data, op).await,
    }
}
