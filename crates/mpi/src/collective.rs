//! Collective operations. MPI 4.1 chapter 6.
//!
//! An algorithm is one `async fn` over a [`Channel`], in a file of its own below the operation's
//! folder. Blocking calls await it, non-blocking ones spawn it. [`Selection`] says which algorithm
//! runs; names are those of SimGrid where it has the same algorithm. Reductions and copies in
//! memory cost no simulated time.
//!
//! On an inter-communicator ([`inter`]) there is one algorithm each. A persistent collective is a communicator's copy on which the non-blocking one is called
//! again and again.
//!
//! Missing: partitioned communication.

mod allgather;
mod allreduce;
mod alltoall;
pub(crate) mod barrier;
mod bcast;
mod beside;
mod channel;
mod counts;
mod formula;
mod gather;
mod grid;
mod groups;
pub(crate) mod inter;
mod layout;
mod ledger;
mod neighbor;
mod nested;
mod operation;
mod pending;
mod picked;
mod reduce;
mod reduce_scatter;
mod root;
mod scan;
mod scatter;
mod segments;
mod selection;
mod spans;
mod tag;
mod tree;
mod used;

pub(crate) use allgather::{allgather, share_claims};
pub(crate) use channel::Channel;
pub use counts::Counts;
pub use formula::Part;
pub(crate) use formula::{Meeting, Reduction, Spread};
pub(crate) use layout::Layout;
pub(crate) use ledger::{Begun, Ledger};
pub(crate) use nested::Nested;
pub(crate) use operation::Form;
pub use operation::{Operation, Standing};
pub use pending::Pending;
pub use root::Root;
pub use selection::{
    BadRules, Call, Choice, Library, NOTED, RULES, Rule, Rules, SELECTOR, Selection, Situation,
};
pub(crate) use tag::{Fixed, Signature, Tag};
pub(crate) use used::Notes;
pub use used::Used;

use crate::comm::Comm;
use crate::error::{Error, Mismatch, Result};
use crate::listener::Collective;
use crate::observer::Happening;
use crate::world::NONE;

impl Comm {
    /// Runs a collective operation as part of a blocking call.
    pub(crate) fn collective<T>(
        &self,
        signature: impl Into<Signature>,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T>,
    ) -> impl Future<Output = Result<T>> {
        async move {
            let (tag, met) = self.enter_collective(signature.into())?;
            let outcome = run(&Channel::new(self, tag)).await;
            self.leave_collective(met, outcome)
        }
    }

    /// Begins a blocking collective; an error if another one has been in its place.
    fn enter_collective(&self, signature: Signature) -> Result<(Tag, Option<Box<Mismatch>>)> {
        let Begun { tag, met } = self.begin(signature, Form::Blocking);
        self.set_collective(tag.call());
        self.observe_collective(tag, signature, Form::Blocking);
        match met {
            Some(met) if !met.is_there => Err(Error::Mismatch(met.mismatch)),
            met => Ok((tag, met.map(|met| met.mismatch))),
        }
    }

    fn leave_collective<T>(&self, met: Option<Box<Mismatch>>, outcome: Result<T>) -> Result<T> {
        if let Some(mismatch) = met {
            return Err(Error::Mismatch(mismatch));
        }
        // After an error it stays on record: the report of the failure names it.
        if outcome.is_ok() {
            self.set_collective("");
        }
        outcome
    }

    /// Runs a collective operation beside the rank, which is told as this one; as something that
    /// cannot be told, if it is none.
    pub(crate) fn collective_later<T: 'static>(
        &self,
        signature: impl Into<Signature>,
        told: Option<Collective<'_>>,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> Pending<T> {
        let (mut pending, tag) = self.begin_beside(signature.into(), run);
        self.tell_later(pending.request(), tag.call(), told);
        pending
    }

    /// Begins a collective operation beside the rank, which nobody is told of yet.
    pub(crate) fn begin_beside<T: 'static>(
        &self,
        signature: Signature,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> (Pending<T>, Tag) {
        let begun = self.begin(signature, Form::NonBlocking);
        let tag = begun.tag;
        self.observe_collective(tag, signature, Form::NonBlocking);
        (Pending::spawn(self, begun, run), tag)
    }

    /// Tells who watches which collective begins.
    fn observe_collective(&self, tag: Tag, signature: Signature, form: Form) {
        let state = &mut *self.world.state.borrow_mut();
        if state.observer.is_none() {
            return;
        }
        let (rank, comm, call) = (self.me, self.shared.context, tag.call());
        let is_blocking = form == Form::Blocking;
        if !is_blocking {
            state.note_call(rank, call);
        }
        let root = (signature.root != NONE).then_some(signature.root);
        state.observe(Happening::Joins { rank, comm, root, is_blocking });
    }

    pub(crate) fn set_collective(&self, call: &'static str) {
        let state = &mut *self.world.state.borrow_mut();
        let before = std::mem::replace(&mut state.collectives[self.me as usize], call);
        if state.is_followed && before.is_empty() && !call.is_empty() {
            state.note_collective(self.me, call);
        }
    }
}
