//! Events that are scheduled in the order of their dates.
//!
//! Where all messages take as long to begin to arrive, they do so in the order in which they were
//! sent: such events need a queue, not a heap, and the heap is small without them.

use std::collections::VecDeque;

use super::Item;

/// Events in order, among them some that were withdrawn.
#[derive(Debug, Default)]
pub(super) struct Lane {
    entries: VecDeque<Item>,
    withdrawn: usize,
}

impl Lane {
    /// Whether an event of this date may be the last.
    #[inline]
    pub(super) fn takes(&self, date: u64) -> bool {
        self.entries.back().is_none_or(|last| last.bits() <= date)
    }

    /// Adds an event that it takes.
    #[inline]
    pub(super) fn push(&mut self, entry: Item) {
        self.entries.push_back(entry);
    }

    /// The first event, which is never a withdrawn one.
    #[inline]
    pub(super) fn first(&self) -> Option<Item> {
        self.entries.front().copied()
    }

    /// All events, some of them withdrawn.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Item> {
        self.entries.iter()
    }

    /// Whether an event of this date may be there.
    pub(super) fn may_have(&self, date: u64) -> bool {
        match (self.entries.front(), self.entries.back()) {
            (Some(first), Some(last)) if first.bits() <= date && date <= last.bits() => {
                let at = self.entries.partition_point(|entry| entry.bits() < date);
                self.entries[at].bits() == date
            }
            _ => false,
        }
    }

    /// An event was withdrawn, which is the first one or another; `is_there` tells of an event
    /// whether it was not.
    #[inline]
    pub(super) fn withdraw(&mut self, is_first: bool, is_there: impl Fn(&Item) -> bool) {
        if !is_first {
            self.withdrawn += 1;
            if self.withdrawn > self.entries.len() / 2 {
                self.entries.retain(is_there);
                self.withdrawn = 0;
            }
            return;
        }
        self.entries.pop_front();
        while self.entries.front().is_some_and(|entry| !is_there(entry)) {
            self.entries.pop_front();
            self.withdrawn -= 1;
        }
    }
}
