//! What ranks pass to collective operations, as Dimemas' records tell it.

use crate::action::{Action, Amount, Counts};
use crate::datatype::Datatype;
use crate::dimemas::OPERATIONS;
use crate::root::Root;

/// A call of a collective operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Call {
    /// Its number among Dimemas' operations.
    pub(super) operation: usize,
    /// The root, as a rank of the communicator.
    pub(super) root: Option<Root>,
    /// Bytes that are passed to send.
    pub(super) sent: u64,
    /// Bytes that are passed to receive.
    pub(super) received: u64,
    /// What is computed after it.
    pub(super) flops: f64,
}

/// Where a rank has its place in a communicator, and what its counts are in by default.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) own: u32,
    pub(super) size: u32,
    pub(super) usual: Datatype,
}

impl Call {
    /// An operation that has a record, after which nothing is computed.
    fn new(name: &str, root: Option<Root>, (sent, received): (u64, u64)) -> Option<Self> {
        let operation = OPERATIONS.iter().position(|one| *one == name)?;
        Some(Call { operation, root, sent, received, flops: 0.0 })
    }

    /// What is computed after it.
    fn then(self, flops: f64) -> Self {
        Call { flops, ..self }
    }
}

impl Seat {
    /// The call of an action, if it is one.
    pub(super) fn call(self, action: &Action<'_>) -> Option<Call> {
        match *action {
            Action::Barrier => Call::new("MPI_Barrier", None, (0, 0)),
            Action::Bcast { size, root } => {
                let bytes = self.bytes(size);
                let passed = if root == Root::Rank(self.own) { (bytes, 0) } else { (0, bytes) };
                Call::new("MPI_Bcast", Some(root), passed)
            }
            Action::Reduce { size, flops, root } => {
                Some(Call::new("MPI_Reduce", Some(root), self.both(size))?.then(flops))
            }
            Action::Allreduce { size, flops } => {
                Some(Call::new("MPI_Allreduce", None, self.both(size))?.then(flops))
            }
            Action::Scan { size, flops } | Action::Exscan { size, flops } => {
                Some(Call::new("MPI_Scan", None, self.both(size))?.then(flops))
            }
            Action::ReduceScatter { counts, flops } => {
                let passed = (self.total(counts), self.of_own(counts));
                Some(Call::new("MPI_Reduce_scatter", None, passed)?.then(flops))
            }
            ref action => self.gathering(action),
        }
    }

    /// Calls that gather and scatter blocks.
    fn gathering(self, action: &Action<'_>) -> Option<Call> {
        match *action {
            Action::Allgather { sent, received } => {
                Call::new("MPI_Allgather", None, self.either(sent, received))
            }
            Action::Alltoall { sent, received } => {
                Call::new("MPI_Alltoall", None, self.either(sent, received))
            }
            Action::Gather { sent, received, root } => {
                Call::new("MPI_Gather", Some(root), self.either(sent, received))
            }
            Action::Scatter { sent, received, root } => {
                Call::new("MPI_Scatter", Some(root), self.either(received, sent))
            }
            Action::Gatherv { sent, received, root } => {
                let all = if root == Root::Rank(self.own) { self.total(received) } else { 0 };
                Call::new("MPI_Gatherv", Some(root), (self.bytes(sent), all))
            }
            Action::Scatterv { sent, root, .. } if root == Root::Rank(self.own) => {
                Call::new("MPI_Scatterv", Some(root), (self.total(sent), self.of_own(sent)))
            }
            Action::Scatterv { received, root, .. } => {
                Call::new("MPI_Scatterv", Some(root), (0, self.bytes(received)))
            }
            Action::Allgatherv { received, .. } => {
                let passed = (self.of_own(received), self.total(received));
                Call::new("MPI_Allgatherv", None, passed)
            }
            Action::Alltoallv { sent, received } => {
                Call::new("MPI_Alltoallv", None, (self.total(sent), self.total(received)))
            }
            _ => None,
        }
    }

    /// The same to send and to receive.
    fn both(self, size: Amount) -> (u64, u64) {
        (self.bytes(size), self.bytes(size))
    }

    /// A block, of the other count where the first is not told.
    fn either(self, one: Amount, other: Amount) -> (u64, u64) {
        self.both(if self.bytes(one) == 0 { other } else { one })
    }

    fn bytes(self, size: Amount) -> u64 {
        size.bytes(self.usual).unwrap_or(0)
    }

    /// Lists have a count for each rank of the world; the first are those of the communicator.
    fn total(self, counts: Counts<'_>) -> u64 {
        counts.bytes(self.usual).take(self.size as usize).fold(0, u64::saturating_add)
    }

    fn of_own(self, counts: Counts<'_>) -> u64 {
        counts.bytes(self.usual).nth(self.own as usize).unwrap_or(0)
    }
}
