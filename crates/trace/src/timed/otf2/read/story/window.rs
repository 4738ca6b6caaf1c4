//! What ranks do with windows.
//!
//! Records tell what happens, and the calls that they are in tell why: which end of an epoch a
//! group of ranks waits for, whether an operation has a request, that all before it is waited for.

use rustc_hash::FxHashMap;

use super::Story;
use crate::fields::Members as Listed;
use crate::timed::Event;
use crate::timed::otf2::read::definitions::Members;
use crate::timed::otf2::read::events::OnWindow;
use crate::window::{Access, WindowCall};

/// Operations of a rank that may not be complete, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Operations {
    under_way: FxHashMap<u64, Operation>,
    /// What was waited for in the call at hand.
    flushed: Vec<(u32, Option<u32>)>,
}

#[derive(Debug)]
struct Operation {
    window: u32,
    /// A rank of the world.
    target: u32,
    /// The number of its request, as long as nobody has waited for it.
    request: Option<u32>,
}

impl Operations {
    /// All of a window, or those on a target, are complete.
    fn end(&mut self, window: u32, target: Option<u32>) {
        self.under_way.retain(|_, one| {
            let is_meant = one.window == window && target.is_none_or(|target| target == one.target);
            one.request.is_some() || !is_meant
        });
    }
}

/// Numbers of what all ranks of a window do together.
mod together {
    pub(super) const BARRIER: u8 = 0;
    pub(super) const CREATE: u8 = 17;
    pub(super) const FREE: u8 = 18;
    pub(super) const ALLOCATE: u8 = 21;
    pub(super) const DEALLOCATE: u8 = 22;
}

impl Story<'_> {
    /// A rank does something with a window.
    pub(super) fn on_window(&mut self, date: f64, rank: u32, window: u64, what: OnWindow) {
        if !self.writer.tells_later() {
            if matches!(what, OnWindow::Operate { .. }) {
                self.leave_out("one-sided operations");
            }
            return;
        }
        if self.act_on_window(date, rank, window, what).is_none() {
            self.leave_out("one-sided operations and epochs of windows that are not defined");
        }
    }

    fn act_on_window(&mut self, date: f64, rank: u32, id: u64, what: OnWindow) -> Option<()> {
        let comm = self.definitions.window(id)?;
        let next = self.windows.len() as u32;
        let window = *self.windows.entry(id).or_insert(next);
        let call = match what {
            OnWindow::Together { operation } => {
                self.own(rank).operations.end(window, None);
                match operation {
                    together::BARRIER => WindowCall::Fence { is_last: false },
                    together::CREATE | together::ALLOCATE => WindowCall::Create,
                    together::FREE | together::DEALLOCATE => WindowCall::Free,
                    _ => return None,
                }
            }
            OnWindow::Among { group } => {
                self.own(rank).operations.end(window, None);
                return self.sync(date, rank, (comm, window), group);
            }
            OnWindow::Lock { target: None, .. } => WindowCall::LockAll { is_unchecked: false },
            OnWindow::Lock { target: Some(target), is_exclusive } => {
                let target = self.target(rank, comm, target)?;
                WindowCall::Lock { target, is_exclusive, is_unchecked: false }
            }
            OnWindow::Unlock { target: None } => {
                self.own(rank).operations.end(window, None);
                WindowCall::UnlockAll
            }
            OnWindow::Unlock { target: Some(target) } => {
                let target = self.target(rank, comm, target)?;
                self.own(rank).operations.end(window, Some(target));
                WindowCall::Unlock(target)
            }
            OnWindow::Operate { target, sent, answer: returned, is_ordered, number } => {
                let target = self.target(rank, comm, target)?;
                let access = Access { target, sent, returned, is_ordered };
                return self.operate(date, rank, (comm, window), access, number);
            }
            OnWindow::Done { number } => {
                self.operation_done(date, rank, (comm, window), number);
                return Some(());
            }
        };
        self.tell_window(date, rank, (comm, window), call, None)
    }

    /// A rank of a window as one of the world.
    fn target(&self, rank: u32, comm: u64, target: u64) -> Option<u32> {
        match self.definitions.members(comm)? {
            Members::Ranks(members) => Some(*members.get(usize::try_from(target).ok()?)? as u32),
            Members::Alone => (target == 0).then_some(rank),
            Members::Sides(..) => None,
        }
    }

    /// The name of the call that a rank is in.
    pub(super) fn call_of(&self, rank: u32) -> &str {
        self.definitions.name(self.ranks[rank as usize].call).0
    }

    fn tell_window(
        &mut self,
        date: f64,
        rank: u32,
        (comm, window): (u64, u32),
        call: WindowCall<'_>,
        request: Option<u32>,
    ) -> Option<()> {
        let comm = self.comm(date, rank, comm)?.number;
        self.writer.write(date, &Event::Window { rank, window, comm, call, request });
        Some(())
    }

    /// An epoch of some ranks begins or ends.
    fn sync(&mut self, date: f64, rank: u32, window: (u64, u32), group: u64) -> Option<()> {
        let ranks: Vec<u32> =
            self.definitions.group_of(group)?.iter().map(|rank| *rank as u32).collect();
        let text = Listed::written(&ranks);
        let members = Listed::parse_any(text.as_bytes(), self.ranks.len() as u32).ok()?;
        let call = match self.call_of(rank) {
            "MPI_Win_post" => WindowCall::Post(members),
            "MPI_Win_start" => WindowCall::Start(members),
            "MPI_Win_complete" => WindowCall::Complete,
            "MPI_Win_wait" | "MPI_Win_test" => WindowCall::Wait,
            _ => return None,
        };
        self.tell_window(date, rank, window, call, None)
    }

    fn operate(
        &mut self,
        date: f64,
        rank: u32,
        window: (u64, u32),
        access: Access,
        number: u64,
    ) -> Option<()> {
        let has_request = self.call_of(rank).starts_with("MPI_R");
        let own = self.own(rank);
        let request = has_request.then(|| own.next_number());
        let operation = Operation { window: window.1, target: access.target, request };
        own.operations.under_way.insert(number, operation);
        self.tell_window(date, rank, window, WindowCall::Operate(access), request)
    }

    /// An operation is complete: its request was waited for, or all before was.
    fn operation_done(&mut self, date: f64, rank: u32, window: (u64, u32), number: u64) {
        let (is_flush, is_for_all) = {
            let call = self.call_of(rank);
            (call.starts_with("MPI_Win_flush"), call.ends_with("_all"))
        };
        let operations = &mut self.own(rank).operations;
        let Some(operation) = operations.under_way.get_mut(&number) else { return };
        let flushed = (operation.window, (!is_for_all).then_some(operation.target));
        let request = operation.request.take();
        let is_new = is_flush && !operations.flushed.contains(&flushed);
        if let Some(request) = request {
            self.writer.write(date, &Event::Completes { rank, request, collective: None });
        }
        if is_new {
            self.own(rank).operations.flushed.push(flushed);
            self.tell_window(date, rank, window, WindowCall::Flush(flushed.1), None);
        }
    }

    /// A rank enters a call.
    pub(super) fn forget_flushes(&mut self, rank: u32) {
        self.own(rank).operations.flushed.clear();
    }
}
