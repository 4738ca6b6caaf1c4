//! Active target synchronization: fences, and epochs of groups. MPI 4.1 sections 12.5.1 and 12.5.2.

use rustc_hash::FxHashMap;

use super::{Window, WindowCall};
use crate::error::{Error, Result};
use crate::group::Group;
use crate::poll::{self, Purpose, Sought};

impl Window {
    /// `MPI_Win_fence`: when it returns, all operations of all ranks that were begun before are
    /// complete. The last fence opens no epoch.
    pub async fn fence(&self, is_last: bool) -> Result<()> {
        self.own.epochs.borrow().check_fence()?;
        self.begin_told();
        self.name_call("MPI_Win_fence");
        self.settle(None).await;
        self.comm.barrier().await?;
        self.forget_call();
        self.end_told(WindowCall::Fence { is_last });
        self.own.epochs.borrow_mut().fenced(is_last);
        Ok(())
    }

    /// `MPI_Win_post`: opens the memory to a group, whose ranks hear of it by a small message.
    pub fn post(&self, group: &Group) -> Result<()> {
        self.own.epochs.borrow().check_post()?;
        let origins = self.ranks_of(group)?;
        self.own.epochs.borrow_mut().posted = Some(origins.len() as u32);
        self.tell(WindowCall::Post(group));
        let poster = self.rank();
        for origin in origins {
            self.notify(origin, move |window, state| {
                let member = window.member(origin);
                *member.posts.borrow_mut().entry(poster).or_insert(0) += 1;
                member.changed.raise(state);
            });
        }
        Ok(())
    }

    /// `MPI_Win_start`: opens an epoch for operations on a group. It does not wait for the posts;
    /// operations do.
    pub fn start(&self, group: &Group) -> Result<()> {
        self.own.epochs.borrow().check_start()?;
        let targets = self.ranks_of(group)?;
        self.tell(WindowCall::Start(group));
        let mut started = self.own.starts.borrow_mut();
        let numbered: FxHashMap<u32, u32> = targets
            .into_iter()
            .map(|target| {
                let number = started.entry(target).or_insert(0);
                *number += 1;
                (target, *number)
            })
            .collect();
        let epochs = &mut *self.own.epochs.borrow_mut();
        epochs.leave_fence();
        epochs.started = Some(numbered);
        Ok(())
    }

    /// `MPI_Win_complete`: ends the epoch when all operations are complete, and tells the targets.
    pub async fn complete(&self) -> Result<()> {
        let Some(started) = self.own.epochs.borrow().started.clone() else {
            return Err(Error::RmaSync("MPI_Win_start was not called before".into()));
        };
        self.name_call("MPI_Win_complete");
        let mut targets: Vec<(u32, u32)> = started.into_iter().collect();
        targets.sort_unstable();
        for (target, number) in &targets {
            self.wait_for_post(*target, *number).await;
        }
        self.settle(None).await;
        self.forget_call();
        self.tell(WindowCall::Complete);
        self.own.epochs.borrow_mut().started = None;
        for (target, _) in targets {
            self.notify(target, move |window, state| {
                let member = window.member(target);
                member.completed.set(member.completed.get() + 1);
                member.changed.raise(state);
                state.interrupt_poll(window.world_of(target));
            });
        }
        Ok(())
    }

    /// `MPI_Win_wait`: waits until all ranks that the memory was opened to are through.
    pub async fn wait(&self) -> Result<()> {
        let expected = self.expected()?;
        self.name_call("MPI_Win_wait");
        let member = self.member(self.rank());
        let is_over = || member.completed.get() >= expected;
        member.changed.until(&self.comm.world, self.comm.me, is_over).await;
        self.forget_call();
        self.tell(WindowCall::Wait);
        self.close_exposure(expected);
        Ok(())
    }

    /// `MPI_Win_test`: whether all ranks are through; if so, the epoch is over.
    pub async fn test(&self) -> Result<bool> {
        let expected = self.expected()?;
        let (world, me) = (&self.comm.world, self.comm.me);
        let since = self.comm.now();
        poll::pause(world, me, world.settings().test, Purpose::Look(Sought::Something)).await;
        self.comm.tell_look(since, &[]);
        let is_over = self.member(self.rank()).completed.get() >= expected;
        world.state.borrow_mut().note_poll(me, is_over);
        if is_over {
            self.tell(WindowCall::Wait);
            self.close_exposure(expected);
        }
        Ok(is_over)
    }

    /// Waits for a post of a target, by its number.
    pub(super) async fn wait_for_post(&self, target: u32, number: u32) {
        let member = self.member(self.rank());
        let has_come = || member.posts.borrow().get(&target).is_some_and(|come| *come >= number);
        member.changed.until(&self.comm.world, self.comm.me, has_come).await;
    }

    fn expected(&self) -> Result<u32> {
        let posted = self.own.epochs.borrow().posted;
        posted.ok_or_else(|| Error::RmaSync("MPI_Win_post was not called before".into()))
    }

    fn close_exposure(&self, expected: u32) {
        let member = self.member(self.rank());
        member.completed.set(member.completed.get() - expected);
        self.own.epochs.borrow_mut().posted = None;
    }

    /// The ranks of a group, in the window.
    fn ranks_of(&self, group: &Group) -> Result<Vec<u32>> {
        let rank_of = |world: u32| {
            let rank = self.comm.group().rank_of(world);
            rank.ok_or_else(|| Error::BadArgument("the group has ranks outside the window".into()))
        };
        group.iter().map(rank_of).collect()
    }
}
