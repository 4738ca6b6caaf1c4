//! `MPI_Reduce`. MPI 4.1 section 6.9.1.

pub(crate) mod binomial;

use super::{Channel, Operation, Pending, Root, inter};
use crate::comm::Comm;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Reduce`: the root gets the combination of all payloads; the others get nothing.
    ///
    /// On an inter-communicator, it is the remote group's payloads that the root gets; by its own
    /// it says how many bytes it expects.
    pub async fn reduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: impl Into<Root>,
    ) -> Result<Option<Payload>> {
        let (payload, root) = (payload.into(), root.into());
        let run = async |channel: &Channel<'_>| match channel.is_inter() {
            true => Box::pin(inter::reduce(channel, payload, op, root)).await,
            false => binomial::reduce(channel, payload, op, channel.root(root)?).await,
        };
        self.collective(Operation::Reduce.at(root), run).await
    }

    /// `MPI_Ireduce`.
    pub fn ireduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: impl Into<Root>,
    ) -> Pending<Option<Payload>> {
        let (payload, op, root) = (payload.into(), op.clone(), root.into());
        let run = async move |channel: &Channel<'_>| match channel.is_inter() {
            true => Box::pin(inter::reduce(channel, payload, &op, root)).await,
            false => binomial::reduce(channel, payload, &op, channel.root(root)?).await,
        };
        self.collective_later(Operation::Reduce.at(root), run)
    }
}
