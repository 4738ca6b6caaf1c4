//! Passive target synchronization: locks and flushes. MPI 4.1 section 12.5.3.

use super::epoch::{Asked, Held, LockAll};
use super::lock::LockKind;
use super::operation::NOTE;
use super::{Window, WindowCall};
use crate::error::{Error, Result};
use crate::poll::{self, Purpose, Sought};
use crate::wait::busy;
use crate::world::State;

/// The least time of a call in a loop that waits for others: else the loop would never end.
const INSTANT: f64 = 1e-9;

impl Window {
    /// `MPI_Win_lock`: asks the target, and waits until it agrees. Without check, it is not asked.
    pub async fn lock(&self, target: u32, kind: LockKind, is_unchecked: bool) -> Result<()> {
        self.own.epochs.borrow().check_lock(Some(target))?;
        if !is_unchecked {
            self.name_call("MPI_Win_lock");
            self.acquire(target, kind).await?;
            self.forget_call();
        }
        self.tell(WindowCall::Lock { target: self.world_of(target), kind, is_unchecked });
        let held = if is_unchecked { Held::Unchecked } else { Held::Granted(kind) };
        let epochs = &mut *self.own.epochs.borrow_mut();
        epochs.leave_fence();
        epochs.locks.insert(target, held);
        Ok(())
    }

    /// `MPI_Win_unlock`: returns when all operations on the target are complete.
    pub async fn unlock(&self, target: u32) -> Result<()> {
        let Some(held) = self.own.epochs.borrow().locks.get(&target).copied() else {
            return Err(Error::RmaSync(format!("rank {target} is not locked")));
        };
        self.name_call("MPI_Win_unlock");
        self.settle_in_time(Some(target)).await;
        self.forget_call();
        self.tell(WindowCall::Unlock(self.world_of(target)));
        self.own.epochs.borrow_mut().locks.remove(&target);
        if let Held::Granted(_) = held {
            self.release(target);
        }
        Ok(())
    }

    /// `MPI_Win_lock_all`: a share of every lock. That of this rank is asked for at once, others
    /// when an operation needs them.
    pub async fn lock_all(&self, is_unchecked: bool) -> Result<()> {
        self.own.epochs.borrow().check_lock(None)?;
        let mut all = LockAll { is_unchecked, ..LockAll::default() };
        if !is_unchecked {
            self.name_call("MPI_Win_lock_all");
            self.acquire(self.rank(), LockKind::Shared).await?;
            self.forget_call();
            all.asked.insert(self.rank(), Asked::Granted);
        }
        self.tell(WindowCall::LockAll { is_unchecked });
        let epochs = &mut *self.own.epochs.borrow_mut();
        epochs.leave_fence();
        epochs.lock_all = Some(all);
        Ok(())
    }

    /// `MPI_Win_unlock_all`.
    pub async fn unlock_all(&self) -> Result<()> {
        if self.own.epochs.borrow().lock_all.is_none() {
            return Err(Error::RmaSync("MPI_Win_lock_all was not called before".into()));
        }
        self.name_call("MPI_Win_unlock_all");
        self.settle_in_time(None).await;
        self.forget_call();
        self.tell(WindowCall::UnlockAll);
        let all = self.own.epochs.borrow_mut().lock_all.take();
        let mut held: Vec<u32> = all.into_iter().flat_map(|all| all.asked.into_keys()).collect();
        held.sort_unstable();
        held.into_iter().for_each(|target| self.release(target));
        Ok(())
    }

    /// `MPI_Win_flush` and its like: waits for the operations on a target, or on all. What is
    /// complete at the origin is not told apart from what is complete at the target.
    pub async fn flush(&self, target: Option<u32>) -> Result<()> {
        self.own.epochs.borrow().check_locked(target)?;
        self.name_call("MPI_Win_flush");
        self.settle_in_time(target).await;
        self.forget_call();
        self.tell(WindowCall::Flush(target.map(|target| self.world_of(target))));
        Ok(())
    }

    /// `MPI_Win_sync`: memory is one, so there is nothing to do; but time passes, so that a rank
    /// that looks for what others write gets to see it.
    pub async fn sync(&self) {
        let (world, since) = (&self.comm.world, self.comm.now());
        poll::pause(world, self.comm.me, world.settings().test, Purpose::Look(Sought::Something))
            .await;
        self.comm.tell_look(since, &[]);
    }

    /// Waits for operations; some time passes in any case.
    async fn settle_in_time(&self, target: Option<u32>) {
        let begin = self.comm.now();
        self.settle(target).await;
        if self.comm.now() == begin {
            busy(&self.comm.world, self.comm.me, INSTANT).await;
        }
    }

    /// Asks a target for its lock and waits for the answer.
    pub(super) async fn acquire(&self, target: u32, kind: LockKind) -> Result<()> {
        let is_remote = target != self.rank();
        if is_remote {
            self.transfer(self.rank(), target, NOTE).await?;
        }
        let gate = self.member(target).lock.borrow_mut().ask(kind);
        self.grant(target, &mut self.comm.world.state.borrow_mut());
        gate.pass(&self.comm.world, self.comm.me).await;
        if is_remote {
            self.transfer(target, self.rank(), NOTE).await?;
        }
        Ok(())
    }

    /// Gives a target's lock back: it hears of it later.
    fn release(&self, target: u32) {
        self.notify(target, move |window, state| {
            window.member(target).lock.borrow_mut().release();
            window.grant(target, state);
        });
    }

    /// Lets those have a lock that can have it now.
    fn grant(&self, target: u32, state: &mut State) {
        let mut lock = self.member(target).lock.borrow_mut();
        while let Some(gate) = lock.grant() {
            gate.open(state);
        }
    }
}
