//! Where in the source of the program the calls of ranks stand, for who watches.

use std::collections::BTreeMap;

use crate::comm::Comm;

/// A place in the source of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file.
    pub file: &'a str,
    /// The number of the line.
    pub line: u32,
    /// The function; empty if that is not known.
    pub function: &'a str,
}

/// Places by numbers, from 1 on, and where each rank calls from.
#[derive(Debug, Default)]
pub(super) struct Places {
    known: BTreeMap<String, BTreeMap<u32, u32>>,
    count: u32,
    /// Empty as long as nothing is known of any rank.
    ranks: Vec<u32>,
}

impl Places {
    /// Where a rank calls from.
    #[inline(always)]
    pub(super) fn of(&self, rank: u32) -> u32 {
        self.ranks.get(rank as usize).copied().unwrap_or(0)
    }

    fn go(&mut self, rank: u32, place: u32) {
        if let Some(own) = self.ranks.get_mut(rank as usize) {
            *own = place;
        } else if place != 0 {
            self.ranks.resize(rank as usize + 1, 0);
            self.ranks[rank as usize] = place;
        }
    }

    /// The number of a place, and whether it is new.
    fn number(&mut self, &Place { file, line, .. }: &Place<'_>) -> (u32, bool) {
        if let Some(number) = self.known.get(file).and_then(|lines| lines.get(&line)) {
            return (*number, false);
        }
        self.count += 1;
        self.known.entry(file.to_owned()).or_default().insert(line, self.count);
        (self.count, true)
    }
}

impl Comm {
    /// The number of a place in the source of the program, for who watches the run; 0 if nobody
    /// does.
    pub fn number_place(&self, place: &Place<'_>) -> u32 {
        let state = &mut *self.world.state.borrow_mut();
        let Some(watch) = &mut state.observer else { return 0 };
        let (number, is_new) = watch.places.number(place);
        if is_new {
            watch.observer().observe_place(number, place);
        }
        number
    }

    /// Calls of the rank that begin from now on stand at a place; 0 if it is not known.
    #[inline]
    pub fn call_from(&self, place: u32) {
        if let Some(watch) = &mut self.world.state.borrow_mut().observer {
            watch.places.go(self.me, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_they_are_met() {
        let place = |file| Place { file, line: 7, function: "" };
        let mut places = Places::default();
        assert_eq!(places.number(&place("a.c")), (1, true));
        assert_eq!(places.number(&place("b.c")), (2, true));
        assert_eq!(places.number(&place("a.c")), (1, false));
        assert_eq!(places.of(3), 0);
        places.go(3, 2);
        assert_eq!((places.of(3), places.of(2), places.of(4)), (2, 0, 0));
    }
}
