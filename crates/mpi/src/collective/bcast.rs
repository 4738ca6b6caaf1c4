//! `MPI_Bcast`. MPI 4.1 section 6.4.

mod binomial_tree;
mod scatter_ring_allgather;

use super::{Channel, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Bcast`: every rank gets the root's payload. Others than the root say by theirs how
    /// many bytes they expect; its content is not looked at.
    ///
    /// On an inter-communicator, the ranks of the root's group get back what they gave.
    pub async fn bcast(
        &self,
        payload: impl Into<Payload>,
        root: impl Into<Root>,
    ) -> Result<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let run = async |channel: &Channel<'_>| bcast(channel, payload, root).await;
        self.collective(Operation::Bcast.at(root), run).await
    }

    /// `MPI_Ibcast`.
    pub fn ibcast(&self, payload: impl Into<Payload>, root: impl Into<Root>) -> Pending<Payload> {
        let (payload, root) = (payload.into(), root.into());
        let run = async move |channel: &Channel<'_>| bcast(channel, payload, root).await;
        self.collective_later(Operation::Bcast.at(root), run)
    }
}

pub(super) async fn bcast(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    if channel.is_inter() {
        return Box::pin(inter::bcast(channel, data, root)).await;
    }
    let root = channel.root(root)?;
    match channel.algorithm(Operation::Bcast) {
        "scatter_LR_allgather" => scatter_ring_allgather::bcast(channel, data, root).await,
        _ => binomial_tree::bcast(channel, data, root).await,
    }
}
