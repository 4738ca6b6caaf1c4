//! Requests that the lines of a rank have begun and not waited for, as its replay will have them.
//!
//! A line waits for the oldest request of a message's name. Where another one is meant, a hint
//! before it says how many older ones there are. Of a receive it may be known only when it is
//! complete which message it is for: hints for younger requests stay open until then.

use std::collections::BTreeMap;

use crate::action::{Action, Waited};
use crate::spool::{Place, Spool};

/// Room for a hint.
const HINT: usize = 32;
/// Hints that stay open. Of a receive that is under way for very long, older hints than these tell
/// what is known.
const MOST: usize = 1 << 16;

/// In the order in which they were begun.
#[derive(Debug, Default)]
pub(crate) struct UnderWay {
    next: u64,
    begun: Vec<Begun>,
    /// Hints by the numbers of the requests that they are for.
    open: BTreeMap<u64, Hint>,
}

#[derive(Debug, Clone, Copy)]
struct Begun {
    number: u64,
    /// What a wait for it is to say, once that is known.
    name: Option<Waited>,
}

#[derive(Debug, Clone, Copy)]
struct Hint {
    name: Waited,
    place: Place,
    older: u32,
}

impl UnderWay {
    /// A line begins a request; gives its number.
    pub(crate) fn begin(&mut self, name: Option<Waited>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.begun.push(Begun { number, name });
        number
    }

    /// A line waits for a request.
    pub(crate) fn wait(&mut self, spool: &mut Spool, rank: u32, number: u64, name: Waited) {
        if let Ok(at) = self.begun.binary_search_by_key(&number, |one| one.number) {
            let before = &self.begun[..at];
            let older = before.iter().filter(|one| one.name == Some(name)).count() as u32;
            if before.iter().any(|one| one.name.is_none()) {
                let place = spool.leave_room(rank, HINT);
                self.open.insert(number, Hint { name, place, older });
            } else if older > 0 {
                spool.add(rank, &Action::Younger(older));
            }
            if self.begun.remove(at).name.is_none() {
                self.reveal(number, name);
            }
            self.settle(spool, rank);
        }
        spool.add(rank, &Action::Wait(name));
    }

    /// It is known now which message a request was for: younger ones of that name have one more
    /// before them.
    fn reveal(&mut self, number: u64, name: Waited) {
        let younger = self.open.range_mut(number + 1..);
        younger.filter(|(_, hint)| hint.name == name).for_each(|(_, hint)| hint.older += 1);
    }

    /// Hints before which all is known are written.
    fn settle(&mut self, spool: &mut Spool, rank: u32) {
        if self.open.is_empty() {
            return;
        }
        let unknown = self.begun.iter().find(|one| one.name.is_none());
        let unknown = unknown.map_or(u64::MAX, |one| one.number);
        while let Some(first) = self.open.first_entry() {
            if *first.key() > unknown && self.open.len() <= MOST {
                break;
            }
            write(spool, rank, self.open.pop_first());
        }
    }

    /// The rank does nothing more.
    pub(crate) fn end(&mut self, spool: &mut Spool, rank: u32) {
        while !self.open.is_empty() {
            write(spool, rank, self.open.pop_first());
        }
    }
}

fn write(spool: &mut Spool, rank: u32, hint: Option<(u64, Hint)>) {
    if let Some((_, Hint { place, older: older @ 1.., .. })) = hint {
        spool.fill(place, format!("{rank} {}", Action::Younger(older)).as_bytes());
    }
}
