//! What listeners hear of windows.

use super::{LockKind, Operation, Window};
use crate::comm::Comm;
use crate::group::Group;
use crate::listener::Event;

/// What a rank does with a window. Targets are ranks of the world.
#[derive(Debug, Clone, Copy)]
pub enum WindowCall<'a> {
    /// Makes it, with the ranks that were told, or with all.
    Create,
    /// `MPI_Win_free`.
    Free,
    /// `MPI_Win_fence`.
    Fence {
        /// Whether no operations follow.
        is_last: bool,
    },
    /// `MPI_Win_post`.
    Post(&'a Group),
    /// `MPI_Win_start`.
    Start(&'a Group),
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait`.
    Wait,
    /// `MPI_Win_lock`.
    Lock {
        /// Whose part.
        target: u32,
        /// How.
        kind: LockKind,
        /// Whether the target is not asked.
        is_unchecked: bool,
    },
    /// `MPI_Win_unlock`.
    Unlock(u32),
    /// `MPI_Win_lock_all`.
    LockAll {
        /// Whether the targets are not asked.
        is_unchecked: bool,
    },
    /// `MPI_Win_unlock_all`.
    UnlockAll,
    /// `MPI_Win_flush` of one target, or of all.
    Flush(Option<u32>),
    /// Begins an operation.
    Operate {
        /// Whose memory.
        target: u32,
        /// Bytes that go there.
        sent: u64,
        /// Bytes that come back, if there is an answer.
        returned: Option<u64>,
        /// Whether it keeps its place among others that do.
        is_ordered: bool,
        /// The number of its request, if it has one.
        request: Option<u32>,
    },
}

impl Comm {
    /// Tells that a window is about to be made here: until that is told, nothing else is.
    pub(super) fn tell_window(&self) {
        if !self.is_heard() {
            return;
        }
        if self.shared.context != 0 {
            self.tell_within(&mut self.world.state.borrow_mut());
        }
        self.tell(Event::Begin);
    }
}

impl Window {
    /// Tells of a call, if somebody listens.
    #[inline]
    pub(super) fn tell(&self, call: WindowCall<'_>) {
        self.comm.tell(Event::Window { window: self.comm.shared.context, call });
    }

    /// Begins a call that all ranks make, whose messages are not told.
    pub(super) fn begin_told(&self) {
        self.comm.tell(Event::Begin);
    }

    /// Ends such a call, and tells of it.
    pub(super) fn end_told(&self, call: WindowCall<'_>) {
        self.comm.tell(Event::End);
        self.tell(call);
    }

    /// Tells of an operation, and the number of its request.
    pub(super) fn tell_operation(&self, operation: &Operation, request: Option<u32>) {
        if self.comm.is_heard() {
            self.tell(WindowCall::Operate {
                target: self.world_of(operation.target),
                sent: operation.bytes,
                returned: operation.back.as_ref().map(|back| back.bytes),
                is_ordered: operation.is_ordered,
                request,
            });
        }
    }
}
