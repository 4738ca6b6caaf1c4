//! The requests of a rank, by their handles.

use std::collections::{BTreeMap, VecDeque};

use crate::action::{Message, Mode, Waited};
use crate::spool::Place;

/// What is under way.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pending {
    /// A message; its number among all that the rank has begun.
    Message(u64, Waited),
    /// A receive from any sender or from nobody, which only its status tells. Its line has a place.
    Unclear(u64, Message, Asked, Place),
    /// Something in a file, under a number if it is told.
    File(Option<u32>),
    /// Nothing to wait for: a message to nobody, one that is left out, one that was cancelled.
    Nothing,
}

/// What a persistent request begins again and again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Persistent {
    pub(super) is_send: bool,
    pub(super) mode: Mode,
    pub(super) message: Message,
    pub(super) asked: Asked,
}

/// What a call asked for: a tag, and a communicator by its handle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) tag: i64,
    pub(super) comm: i64,
}

/// All requests. Libraries give one handle to many sends that are complete at once, so there is a
/// queue for each.
#[derive(Debug, Default)]
pub(super) struct Requests {
    under_way: BTreeMap<i64, VecDeque<Pending>>,
    persistent: BTreeMap<i64, Option<Persistent>>,
}

impl Requests {
    pub(super) fn add(&mut self, handle: i64, pending: Pending) {
        self.under_way.entry(handle).or_default().push_back(pending);
    }

    /// Takes the oldest of a handle.
    pub(super) fn take(&mut self, handle: i64) -> Option<Pending> {
        let queue = self.under_way.get_mut(&handle)?;
        let oldest = queue.pop_front();
        if queue.is_empty() {
            let _ = self.under_way.remove(&handle);
        }
        oldest
    }

    /// Takes the newest of a handle: what is freed or cancelled has only just begun.
    pub(super) fn take_newest(&mut self, handle: i64) -> Option<Pending> {
        let newest = self.under_way.get_mut(&handle)?.pop_back();
        if self.under_way[&handle].is_empty() {
            let _ = self.under_way.remove(&handle);
        }
        newest
    }

    /// Notes a persistent request; none for what is left out or goes to nobody.
    pub(super) fn prepare(&mut self, handle: i64, persistent: Option<Persistent>) {
        self.persistent.insert(handle, persistent);
    }

    pub(super) fn prepared(&self, handle: i64) -> Option<&Option<Persistent>> {
        self.persistent.get(&handle)
    }

    pub(super) fn forget(&mut self, handle: i64) {
        let _ = self.persistent.remove(&handle);
    }

    /// What is still under way at the end.
    pub(super) fn rest(self) -> impl Iterator<Item = Pending> {
        self.under_way.into_values().flatten()
    }
}
