//! What ranks do with windows: one-sided communication. None of these words is one of SimGrid's,
//! which writes calls on windows without saying on which.

use std::fmt::{Display, Formatter, Result};

use crate::fields::Members;

/// What a message of a get says by itself, in bytes.
pub(crate) const NOTE: u64 = 16;

/// What a rank does with a window. Targets are ranks of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowCall<'a> {
    /// Makes it, together with the other ranks of a communicator.
    Create,
    /// Frees it, together with them.
    Free,
    /// `MPI_Win_fence`.
    Fence {
        /// Whether no operations follow.
        is_last: bool,
    },
    /// `MPI_Win_post` to these ranks.
    Post(Members<'a>),
    /// `MPI_Win_start` on these ranks.
    Start(Members<'a>),
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait`.
    Wait,
    /// `MPI_Win_lock`.
    Lock {
        /// Whose part.
        target: u32,
        /// Whether nobody else may hold it.
        is_exclusive: bool,
        /// Whether the target need not be asked.
        is_unchecked: bool,
    },
    /// `MPI_Win_unlock` of this rank's part.
    Unlock(u32),
    /// `MPI_Win_lock_all`.
    LockAll {
        /// Whether the targets need not be asked.
        is_unchecked: bool,
    },
    /// `MPI_Win_unlock_all`.
    UnlockAll,
    /// `MPI_Win_flush` of this rank's part, or of all.
    Flush(Option<u32>),
    /// An operation on a target's memory.
    Operate(Access),
}

/// An operation on a target's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Whose memory.
    pub target: u32,
    /// Bytes that go there.
    pub sent: u64,
    /// Bytes that come back, if there is an answer.
    pub returned: Option<u64>,
    /// Whether it waits for ordered ones of the same rank before it, as accumulates do.
    pub is_ordered: bool,
}

impl WindowCall<'_> {
    /// What its line begins with.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            WindowCall::Create => "win_create",
            WindowCall::Free => "win_free",
            WindowCall::Fence { .. } => "win_fence",
            WindowCall::Post(_) => "win_post",
            WindowCall::Start(_) => "win_start",
            WindowCall::Complete => "win_complete",
            WindowCall::Wait => "win_wait",
            WindowCall::Lock { .. } => "win_lock",
            WindowCall::Unlock(_) => "win_unlock",
            WindowCall::LockAll { .. } => "win_lock_all",
            WindowCall::UnlockAll => "win_unlock_all",
            WindowCall::Flush(_) => "win_flush",
            WindowCall::Operate(Access { is_ordered: true, .. }) => "accumulate",
            WindowCall::Operate(Access { returned: None, .. }) => "put",
            WindowCall::Operate(_) => "get",
        }
    }

    /// The same where all ranks have other numbers. Groups stay as they are.
    pub(crate) fn moved(mut self, to: impl Fn(u32) -> u32) -> Self {
        match &mut self {
            WindowCall::Lock { target, .. }
            | WindowCall::Unlock(target)
            | WindowCall::Flush(Some(target))
            | WindowCall::Operate(Access { target, .. }) => *target = to(*target),
            _ => {}
        }
        self
    }

    /// As it stands in a line, of a window of this number.
    pub(crate) fn print(&self, number: u32, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {number}{self}", self.word())
    }
}

impl Display for WindowCall<'_> {
    /// Its arguments behind the number of the window, each behind a blank.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let unless = |is_checked: bool| if is_checked { "" } else { " unchecked" };
        match *self {
            WindowCall::Fence { is_last: true } => f.write_str(" last"),
            WindowCall::Post(members) | WindowCall::Start(members) if !members.is_empty() => {
                write!(f, " {}", members.text())
            }
            WindowCall::Lock { target, is_exclusive, is_unchecked } => {
                let kind = if is_exclusive { "exclusive" } else { "shared" };
                write!(f, " {target} {kind}{}", unless(!is_unchecked))
            }
            WindowCall::LockAll { is_unchecked } => f.write_str(unless(!is_unchecked)),
            WindowCall::Unlock(target) | WindowCall::Flush(Some(target)) => write!(f, " {target}"),
            WindowCall::Operate(access) => access.fmt(f),
            _ => Ok(()),
        }
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Access { target, sent, returned, is_ordered } = *self;
        match (is_ordered, returned) {
            (_, None) => write!(f, " {target} {sent}"),
            (false, Some(returned)) if sent == NOTE => write!(f, " {target} {returned}"),
            (false, Some(returned)) => write!(f, " {target} {returned} {sent}"),
            (true, Some(returned)) => write!(f, " {target} {sent} {returned}"),
        }
    }
}
