//! `MPI_Barrier`. MPI 4.1 section 6.3.

mod recursive_doubling;

use crate::comm::Comm;
use crate::error::Result;

impl Comm {
    /// `MPI_Barrier`: returns when every rank has called it.
    pub async fn barrier(&self) -> Result<()> {
        let channel = self.begin("MPI_Barrier");
        let outcome = recursive_doubling::barrier(&channel).await;
        self.end();
        outcome
    }
}
