//! The lock of one rank's part of a window: whoever asks first gets it first.

use std::collections::VecDeque;
use std::rc::Rc;

use super::signal::Gate;

/// `MPI_LOCK_EXCLUSIVE` and `MPI_LOCK_SHARED`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// Nobody else may hold it.
    Exclusive,
    /// Others may hold it too, if they share it.
    Shared,
}

/// Who holds the lock, and who waits for it.
#[derive(Debug, Default)]
pub(super) struct Lock {
    is_exclusive: bool,
    holders: u32,
    queue: VecDeque<(LockKind, Rc<Gate>)>,
}

impl Lock {
    /// Asks for the lock; the gate opens when it is granted.
    pub(super) fn ask(&mut self, kind: LockKind) -> Rc<Gate> {
        let gate = Rc::new(Gate::default());
        self.queue.push_back((kind, gate.clone()));
        gate
    }

    /// Gives the lock back.
    pub(super) fn release(&mut self) {
        self.holders = self.holders.saturating_sub(1);
        if self.holders == 0 {
            self.is_exclusive = false;
        }
    }

    /// The next one that gets the lock now, if any: a shared lock does not overtake an exclusive
    /// one that was asked for before it.
    pub(super) fn grant(&mut self) -> Option<Rc<Gate>> {
        let (kind, _) = self.queue.front()?;
        let is_free = match kind {
            LockKind::Exclusive => self.holders == 0,
            LockKind::Shared => !self.is_exclusive,
        };
        if !is_free {
            return None;
        }
        let (kind, gate) = self.queue.pop_front()?;
        self.is_exclusive = kind == LockKind::Exclusive;
        self.holders += 1;
        Some(gate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exclusive_lock_waits_for_all_who_share_and_is_not_overtaken() {
        let mut lock = Lock::default();
        for kind in [LockKind::Shared, LockKind::Shared, LockKind::Exclusive, LockKind::Shared] {
            lock.ask(kind);
        }
        assert!(lock.grant().is_some() && lock.grant().is_some() && lock.grant().is_none());
        lock.release();
        assert!(lock.grant().is_none());
        lock.release();
        assert!(lock.grant().is_some() && lock.grant().is_none());
        lock.release();
        assert!(lock.grant().is_some() && lock.grant().is_none());
    }
}
