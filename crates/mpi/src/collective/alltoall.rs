//! `MPI_Alltoall`. MPI 4.1 section 6.8.

mod pair;

use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;

impl Comm {
    /// `MPI_Alltoall`: the payload holds one block for each rank; gives one block from each.
    pub async fn alltoall(&self, payload: impl Into<Payload>) -> Result<Payload> {
        let channel = self.begin("MPI_Alltoall");
        let outcome = pair::alltoall(&channel, payload.into()).await;
        self.end();
        outcome
    }
}
