//! `MPI_Allreduce`. MPI 4.1 section 6.9.6.

mod recursive_doubling;

use crate::comm::Comm;
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Allreduce`: combines the payloads of all ranks; every rank gets the result.
    pub async fn allreduce(&self, payload: impl Into<Payload>, op: &Op) -> Result<Payload> {
        let channel = self.begin("MPI_Allreduce");
        let outcome = recursive_doubling::allreduce(&channel, payload.into(), op).await;
        self.end();
        outcome
    }
}
