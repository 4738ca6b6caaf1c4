//! `MPI_Bcast`. MPI 4.1 section 6.4.

mod binomial_tree;
mod scatter_ring_allgather;

use super::{Channel, Operation, Pending};
use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Bcast`: every rank gets the root's payload. Others than the root say by theirs how
    /// many bytes they expect; its content is not looked at.
    pub async fn bcast(&self, payload: impl Into<Payload>, root: u32) -> Result<Payload> {
        let payload = payload.into();
        self.collective(Operation::Bcast, async |channel| bcast(channel, payload, root).await).await
    }

    /// `MPI_Ibcast`.
    pub fn ibcast(&self, payload: impl Into<Payload>, root: u32) -> Pending<Payload> {
        let payload = payload.into();
        let run = async move |channel: &Channel<'_>| bcast(channel, payload, root).await;
        self.collective_later(Operation::Bcast, run)
    }
}

pub(super) async fn bcast(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    channel.check_root(root)?;
    match channel.algorithm(Operation::Bcast) {
        "scatter_LR_allgather" => scatter_ring_allgather::bcast(channel, data, root).await,
        _ => binomial_tree::bcast(channel, data, root).await,
    }
}
