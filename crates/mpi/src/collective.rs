//! Collective operations. MPI 4.1 chapter 6.
//!
//! An algorithm is one `async fn` over a [`Channel`], in a file of its own below the operation's
//! folder. Blocking calls await it, non-blocking ones spawn it. [`Selection`] says which algorithm
//! runs; names are those of SimGrid where it has the same algorithm. Reductions and copies in
//! memory cost no simulated time.
//!
//! Missing: neighbourhood collectives, persistent collectives, intercommunicators.

mod allgather;
mod allreduce;
mod alltoall;
pub(crate) mod barrier;
mod bcast;
mod channel;
mod counts;
mod gather;
mod operation;
mod pending;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;
mod selection;

pub(crate) use allgather::share_claims;
pub(crate) use channel::Channel;
pub use counts::Counts;
pub use operation::Operation;
pub(crate) use operation::{Form, Tag};
pub use pending::Pending;
pub use selection::Selection;

use crate::comm::Comm;
use crate::error::Result;

impl Comm {
    /// Runs a collective operation as part of a blocking call.
    pub(crate) async fn collective<T>(
        &self,
        operation: Operation,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T>,
    ) -> Result<T> {
        let channel = Channel::new(self, self.next_tag(operation, Form::Blocking));
        self.set_collective(operation.call(Form::Blocking));
        let outcome = run(&channel).await;
        // After an error it stays on record: the report of the failure names it.
        if outcome.is_ok() {
            self.set_collective("");
        }
        outcome
    }

    /// Runs a collective operation beside the rank.
    pub(crate) fn collective_later<T: 'static>(
        &self,
        operation: Operation,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> Pending<T> {
        let tag = self.next_tag(operation, Form::NonBlocking);
        Pending::spawn(self, tag, run)
    }

    /// All ranks begin the collectives of a communicator in the same order, so the count of them
    /// tells concurrent ones apart.
    pub(crate) fn next_tag(&self, operation: Operation, form: Form) -> Tag {
        let sequence = self.sequence.get();
        self.sequence.set(sequence.wrapping_add(1));
        Tag::new(sequence, operation, form)
    }

    pub(crate) fn set_collective(&self, call: &'static str) {
        self.world.state.borrow_mut().collectives[self.me as usize] = call;
    }
}
