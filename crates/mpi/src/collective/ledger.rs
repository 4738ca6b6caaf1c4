//! Finding collectives that do not belong together. MPI 4.1 section 6.14.
//!
//! Ranks must begin the collectives of a communicator in the same order. The first to begin one
//! notes what it is; the others compare. A note is dropped once all ranks have come, so that the
//! ledger is as long as the fastest rank is ahead of the slowest.

use std::collections::VecDeque;

use super::{Form, Signature, Tag};
use crate::comm::Comm;
use crate::error::Mismatch;
use crate::world::NONE;

/// The collectives of a communicator that some ranks have begun and others have not.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Which of all is the first in the list.
    first: u32,
    notes: VecDeque<Note>,
}

/// How the first rank began a collective.
#[derive(Debug, Clone, Copy)]
struct Note {
    /// In the world.
    rank: u32,
    root: u32,
    /// How many ranks have begun it.
    begun: u32,
    call: u8,
}

/// A collective that a rank begins.
pub(crate) struct Begun {
    pub(crate) tag: Tag,
    pub(crate) met: Option<Met>,
}

/// Another rank began something else in its place.
pub(crate) struct Met {
    pub(crate) mismatch: Box<Mismatch>,
    /// Whether the other rank is still in its call. If both get stuck there, the report of the
    /// deadlock tells more than the error.
    pub(crate) is_there: bool,
}

impl Ledger {
    /// Notes that a rank begins a collective; gives the first rank's note if it differs.
    fn begin(&mut self, sequence: u32, mut note: Note, members: u32) -> Option<Note> {
        note.begun = 1;
        let other = match self.notes.get_mut(sequence.wrapping_sub(self.first) as usize) {
            Some(other) => {
                other.begun += 1;
                let is_same = other.call == note.call && other.root == note.root;
                (!is_same).then_some(*other)
            }
            None => {
                self.notes.push_back(note);
                None
            }
        };
        while self.notes.front().is_some_and(|note| note.begun == members) {
            self.notes.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        other
    }
}

impl Comm {
    /// Begins a collective. All ranks begin those of a communicator in the same order, so the
    /// count of them tells concurrent ones apart.
    pub(crate) fn begin(&self, signature: Signature, form: Form) -> Begun {
        let sequence = self.own.sequence.get();
        self.own.sequence.set(sequence.wrapping_add(1));
        let tag = Tag::new(sequence, signature, form);
        let members = self.shared.members();
        if members == 1 {
            return Begun { tag, met: None };
        }
        let root = if self.is_inter() { NONE } else { signature.root };
        let note = Note { rank: self.me, root, begun: 0, call: tag.low() };
        let other = self.shared.ledger.borrow_mut().begin(sequence, note, members);
        Begun { tag, met: other.map(|other| self.met(note, other)) }
    }

    fn met(&self, note: Note, other: Note) -> Met {
        let (own, others) = (note.described(other), other.described(note));
        let mismatch = Mismatch { own, other: others, rank: other.rank };
        let call = Tag(other.call.into()).call();
        let is_there = self.world.state.borrow().collectives[other.rank as usize] == call;
        Met { mismatch: Box::new(mismatch), is_there }
    }
}

impl Note {
    /// The call, and the root if that is what differs.
    fn described(self, other: Note) -> String {
        let call = Tag(self.call.into()).call();
        if self.call != other.call || self.root == NONE {
            return call.into();
        }
        format!("{call} with root {}", self.root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(call: u8) -> Note {
        Note { rank: 0, root: NONE, begun: 0, call }
    }

    #[test]
    fn what_all_have_begun_is_forgotten() {
        let mut ledger = Ledger { first: u32::MAX, ..Ledger::default() };
        let order = [u32::MAX, 0, 1, 2];
        for sequence in order {
            assert!(ledger.begin(sequence, note(3), 2).is_none());
        }
        assert_eq!(ledger.notes.len(), 4);
        for sequence in order {
            assert_eq!(ledger.begin(sequence, note(4), 2).map(|other| other.call), Some(3));
        }
        assert_eq!((ledger.notes.len(), ledger.first), (0, 3));
    }
}
