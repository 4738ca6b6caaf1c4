//! `MPI_Reduce`. MPI 4.1 section 6.9.1.

pub(crate) mod binomial;

use super::{Channel, Operation, Pending};
use crate::comm::Comm;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Reduce`: the root gets the combination of all payloads; the others get nothing.
    pub async fn reduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: u32,
    ) -> Result<Option<Payload>> {
        let payload = payload.into();
        let run = async |channel: &Channel<'_>| binomial::reduce(channel, payload, op, root).await;
        self.collective(Operation::Reduce, run).await
    }

    /// `MPI_Ireduce`.
    pub fn ireduce(
        &self,
        payload: impl Into<Payload>,
        op: &Op,
        root: u32,
    ) -> Pending<Option<Payload>> {
        let (payload, op) = (payload.into(), op.clone());
        let run =
            async move |channel: &Channel<'_>| binomial::reduce(channel, payload, &op, root).await;
        self.collective_later(Operation::Reduce, run)
    }
}
