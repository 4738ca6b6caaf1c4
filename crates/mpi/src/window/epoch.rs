//! What a rank may do with a window, as its synchronization calls have left it.
//! MPI 4.1 section 12.5.

use rustc_hash::FxHashMap;

use super::lock::LockKind;
use crate::error::{Error, Result};

/// The epochs of one rank on one window.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    /// Between two fences, and whether that was made use of.
    fence: Option<Use>,
    /// `MPI_Win_start`: the targets, with the number of the post that each waits for.
    pub(super) started: Option<FxHashMap<u32, u32>>,
    /// `MPI_Win_post`: how many origins will tell that they are through.
    pub(super) posted: Option<u32>,
    /// `MPI_Win_lock`: what is held of whom, and whether others were asked at all.
    pub(super) locks: FxHashMap<u32, Held>,
    /// `MPI_Win_lock_all`.
    pub(super) lock_all: Option<LockAll>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Unused,
    Used,
}

/// A lock of one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The target knows of it.
    Granted(LockKind),
    /// The program says that no lock can conflict.
    Unchecked,
}

/// Locks of all targets, which are asked for when they are first needed.
#[derive(Debug, Default)]
pub(super) struct LockAll {
    pub(super) is_unchecked: bool,
    pub(super) asked: FxHashMap<u32, Asked>,
}

/// How far a lock has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    UnderWay,
    Granted,
}

/// What an operation has to wait for before it may reach its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Permission {
    Given,
    /// The target's post of this number.
    Post(u32),
    /// A share of the target's lock.
    Lock,
}

/// An error about a call that the rank's epochs do not allow.
fn wrong<T>(text: impl Into<String>) -> Result<T> {
    Err(Error::RmaSync(text.into()))
}

impl Epochs {
    /// Whether an operation on a target may begin.
    pub(super) fn admit(&mut self, target: u32) -> Result<Permission> {
        if self.locks.contains_key(&target) {
            return Ok(Permission::Given);
        }
        if let Some(all) = &self.lock_all {
            return Ok(if all.is_unchecked { Permission::Given } else { Permission::Lock });
        }
        if let Some(post) = self.started.as_ref().and_then(|targets| targets.get(&target)) {
            return Ok(Permission::Post(*post));
        }
        if let Some(fence) = &mut self.fence {
            *fence = Use::Used;
            return Ok(Permission::Given);
        }
        wrong(format!(
            "rank {target} is the target of an operation outside every epoch that allows it; call \
             MPI_Win_fence, MPI_Win_start or MPI_Win_lock before"
        ))
    }

    /// Whether the rank holds a lock of a target, as flushes need it.
    pub(super) fn check_locked(&self, target: Option<u32>) -> Result<()> {
        let is_locked = match target {
            Some(target) => self.locks.contains_key(&target) || self.lock_all.is_some(),
            None => self.has_locks(),
        };
        match is_locked {
            true => Ok(()),
            false => wrong("the rank holds no lock: this call needs MPI_Win_lock before it"),
        }
    }

    fn has_locks(&self) -> bool {
        !self.locks.is_empty() || self.lock_all.is_some()
    }

    /// A fence begins: no other epoch may be open.
    pub(super) fn check_fence(&self) -> Result<()> {
        self.check_no_locks()?;
        self.check_not_started()?;
        self.check_not_posted()
    }

    /// A fence ends, and opens an epoch unless the program says that none follows.
    pub(super) fn fenced(&mut self, is_last: bool) {
        self.fence = (!is_last).then_some(Use::Unused);
    }

    /// Another kind of epoch has begun: that of the last fence, which nobody has used, is over.
    pub(super) fn leave_fence(&mut self) {
        self.fence = None;
    }

    /// `MPI_Win_start` begins.
    pub(super) fn check_start(&self) -> Result<()> {
        self.check_unfenced()?;
        self.check_no_locks()?;
        self.check_not_started()
    }

    /// `MPI_Win_post` begins.
    pub(super) fn check_post(&self) -> Result<()> {
        self.check_unfenced()?;
        self.check_not_posted()
    }

    /// `MPI_Win_lock` or `MPI_Win_lock_all` begins.
    pub(super) fn check_lock(&self, target: Option<u32>) -> Result<()> {
        self.check_unfenced()?;
        self.check_not_started()?;
        match target {
            None => self.check_no_locks(),
            Some(_) if self.lock_all.is_some() => wrong("MPI_Win_lock_all has locked all targets"),
            Some(target) if self.locks.contains_key(&target) => {
                wrong(format!("rank {target} is locked already"))
            }
            Some(_) => Ok(()),
        }
    }

    fn check_no_locks(&self) -> Result<()> {
        if self.has_locks() { wrong("the rank still holds a lock of the window") } else { Ok(()) }
    }

    fn check_not_started(&self) -> Result<()> {
        match self.started {
            Some(_) => wrong("MPI_Win_start was called, and MPI_Win_complete was not"),
            None => Ok(()),
        }
    }

    fn check_not_posted(&self) -> Result<()> {
        match self.posted {
            Some(_) => wrong("MPI_Win_post was called, and MPI_Win_wait was not"),
            None => Ok(()),
        }
    }

    /// A fence opens an epoch that others may follow only if nobody has used it.
    fn check_unfenced(&self) -> Result<()> {
        match self.fence {
            Some(Use::Used) => wrong(
                "operations have begun since MPI_Win_fence; the epoch ends with another fence",
            ),
            _ => Ok(()),
        }
    }
}
