//! Finding one of very many requests without going through them all.

use rustc_hash::FxHashMap;

use super::Name;

/// Stands where a request was that has been taken; no message has it.
const GONE: Name = Name { from: i32::MIN, to: i32::MIN, tag: i32::MIN };
const NONE: u32 = u32::MAX;

/// Where requests of each name are in a long list, in which those that are taken leave a gap.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    /// The first and the last of a name.
    ends: FxHashMap<Name, (u32, u32)>,
    /// The next one of the same name, of those that were looked at so far.
    next: Vec<u32>,
    /// Before this there are nothing but gaps.
    first: usize,
    gaps: usize,
    /// Names that others may fit: while there are none, only equal names do.
    wildcards: usize,
}

impl Crowd {
    /// Looks at what was added to the list.
    pub(super) fn follow(&mut self, names: &[Name]) {
        for (at, name) in names.iter().enumerate().skip(self.next.len()) {
            self.next.push(NONE);
            self.wildcards += usize::from(name.is_wild());
            let ends = self.ends.entry(*name).or_insert((at as u32, NONE));
            if ends.1 != NONE {
                self.next[ends.1 as usize] = at as u32;
            }
            ends.1 = at as u32;
        }
    }

    /// The request of this name that so many older ones go before, or the oldest if there are not
    /// so many; else the oldest that it may be.
    pub(super) fn find(&self, names: &[Name], name: Name, older: u32) -> Option<usize> {
        let Some(&(first, _)) = self.ends.get(&name) else {
            let may_fit = self.wildcards > 0 || name.is_wild();
            return may_fit.then(|| self.find_similar(names, name)).flatten();
        };
        let mut at = first;
        for _ in 0..older {
            match self.next[at as usize] {
                NONE => return Some(first as usize),
                next => at = next,
            }
        }
        Some(at as usize)
    }

    fn find_similar(&self, names: &[Name], name: Name) -> Option<usize> {
        let mut rest = names.iter().enumerate().skip(self.first);
        rest.find(|(_, other)| **other != GONE && super::may_be(**other, name)).map(|(at, _)| at)
    }

    /// Where the oldest of all is.
    pub(super) fn oldest(&self, names: &[Name]) -> Option<usize> {
        (self.first..names.len()).find(|at| names[*at] != GONE)
    }

    /// Leaves a gap there.
    pub(super) fn leave(&mut self, names: &mut [Name], at: usize) {
        let name = std::mem::replace(&mut names[at], GONE);
        self.wildcards -= usize::from(name.is_wild());
        self.unlink(name, at as u32);
        self.gaps += 1;
        while names.get(self.first) == Some(&GONE) {
            self.first += 1;
        }
    }

    fn unlink(&mut self, name: Name, at: u32) {
        let Some(ends) = self.ends.get_mut(&name) else { return };
        let after = self.next[at as usize];
        if ends.0 == at {
            match after {
                NONE => drop(self.ends.remove(&name)),
                next => ends.0 = next,
            }
            return;
        }
        let mut before = ends.0;
        while self.next[before as usize] != at {
            before = self.next[before as usize];
        }
        self.next[before as usize] = after;
        if after == NONE {
            ends.1 = before;
        }
    }

    /// Whether more than half of the list are gaps.
    pub(super) fn is_sparse(&self) -> bool {
        2 * self.gaps > self.next.len()
    }

    /// Whether this is one.
    pub(super) fn is_gap(name: Name) -> bool {
        name == GONE
    }
}
