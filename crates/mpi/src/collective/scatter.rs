//! `MPI_Scatter` and `MPI_Scatterv`. MPI 4.1 section 6.6.

mod basic_linear;
mod binomial;
pub(super) mod linear;

use super::{Channel, Counts, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Scatter`: the root's payload holds one block for each rank; each gets its own. What
    /// the others give is not looked at.
    ///
    /// On an inter-communicator, the blocks are for the ranks of the remote group; those of the
    /// root's get nothing.
    pub async fn scatter(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let run = async |channel: &Channel<'_>| scatter(channel, payload, root).await;
        self.collective(Operation::Scatter.at(root), run).await
    }

    /// `MPI_Iscatter`.
    pub fn iscatter(&self, payload: impl Into<Payload>, root: impl Into<Root>) -> Pending<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let run = async move |channel: &Channel<'_>| scatter(channel, payload, root).await;
        self.collective_later(Operation::Scatter.at(root), run)
    }

    /// `MPI_Scatterv`: parts of any size. Payload and counts matter at the root alone.
    pub async fn scatterv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let run = async |channel: &Channel<'_>| scatterv(channel, payload, counts, root).await;
        self.collective(Operation::Scatterv.at(root), run).await
    }

    /// `MPI_Iscatterv`.
    pub fn iscatterv(
        &self,
        payload: impl Into<Payload>,
        counts: impl Into<Counts>,
        root: impl Into<Root>,
    ) -> Pending<Payload> {
        let (payload, counts, root) = (payload.into(), counts.into(), root.into());
        let run = async move |channel: &Channel<'_>| scatterv(channel, payload, counts, root).await;
        self.collective_later(Operation::Scatterv.at(root), run)
    }
}

pub(super) async fn scatter(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::scatter(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    let blocks = match channel.rank() == root {
        true => channel.equal_blocks(&data)?,
        false => Counts::even(channel.size(), 0),
    };
    match channel.algorithm(Operation::Scatter) {
        "ompi_basic_linear" => basic_linear::scatter(channel, data, &blocks, root).await,
        _ => binomial::scatter(channel, data, &blocks, root).await,
    }
}

async fn scatterv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::scatterv(channel, data, counts, root)).await;
    }
    let root = channel.root(root)?;
    if channel.rank() == root {
        channel.check_cut(&data, &counts)?;
    }
    linear::scatter(channel, data, &counts, root).await
}
