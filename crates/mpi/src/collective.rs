//! Collective operations. MPI 4.1 chapter 6.
//!
//! An algorithm is one `async fn` over a [`Channel`], in a file of its own below the operation's
//! folder. Blocking calls await it, non-blocking ones spawn it. [`Selection`] says which algorithm
//! runs; names are those of SimGrid where it has the same algorithm.

pub(crate) mod allreduce;
pub(crate) mod alltoall;
pub(crate) mod barrier;
mod channel;
mod selection;

pub(crate) use channel::Channel;
pub use selection::{Operation, Selection};

use crate::comm::Comm;

impl Comm {
    /// Marks the rank as being in a collective, and gives the channel for its messages.
    pub(crate) fn begin(&self, call: &'static str) -> Channel<'_> {
        self.world.state.borrow_mut().ranks[self.me as usize].collective = call;
        // All ranks begin the collectives of a communicator in the same order, so the count of
        // them tells concurrent ones apart.
        let tag = self.sequence.get();
        self.sequence.set((tag + 1) & 0x3FFF_FFFF);
        Channel::new(self, tag as i32)
    }

    pub(crate) fn end(&self) {
        self.world.state.borrow_mut().ranks[self.me as usize].collective = "";
    }
}
