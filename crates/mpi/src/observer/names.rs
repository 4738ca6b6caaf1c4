//! Numbers for names that live for ever, and the places where they were met.

use std::collections::BTreeMap;

/// Names by where they are in memory, so that one that was met before is found without reading it.
/// One that is met at several places of the program has several numbers.
#[derive(Debug)]
pub(super) struct Names {
    /// Address of a name, its place in the program and its number, in slots by the first two; one
    /// may push out another.
    near: Box<[(usize, u32, u16); SLOTS]>,
    all: BTreeMap<(&'static str, u32), u16>,
}

/// More numbers than these are for names without places.
const MOST_WITH_PLACES: u16 = u16::MAX - 4096;

/// How many names are found at once.
const SLOTS: usize = 256;

impl Names {
    pub(super) fn new() -> Self {
        Self { near: Box::new([(0, 0, 0); SLOTS]), all: BTreeMap::new() }
    }

    /// The number of a name that is met at a place of the program, and whether it is new. Place 0 is
    /// none.
    #[inline(always)]
    pub(super) fn number(&mut self, name: &'static str, place: u32) -> (u16, bool) {
        match self.near[slot(name, place)] {
            (known, at, number) if known == key(name) && at == place => (number, false),
            _ => self.look_up(name, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_up(&mut self, name: &'static str, place: u32) -> (u16, bool) {
        let next = self.all.len() as u16;
        assert!(next < u16::MAX, "calls and algorithms are far fewer");
        // Programs may be that large; what they call from more places is told without.
        if place != 0 && next >= MOST_WITH_PLACES && !self.all.contains_key(&(name, place)) {
            return self.look_up(name, 0);
        }
        let number = *self.all.entry((name, place)).or_insert(next);
        self.near[slot(name, place)] = (key(name), place, number);
        (number, number == next)
    }
}

/// Names of different lengths may begin at the same place in memory.
#[inline(always)]
fn key(name: &'static str) -> usize {
    name.as_ptr().addr() ^ name.len() << 56
}

#[inline(always)]
fn slot(name: &'static str, place: u32) -> usize {
    let address = name.as_ptr().addr();
    (address ^ address >> 8 ^ name.len()).wrapping_add(place as usize) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_wherever_it_lies() {
        let mut names = Names::new();
        let again: &'static str = String::from("MPI_Send").leak();
        assert_eq!(names.number("MPI_Send", 0), (0, true));
        assert_eq!(names.number("MPI_Recv", 0), (1, true));
        assert_eq!(names.number(again, 0), (0, false));
        assert_eq!(names.number(&again[..4], 0), (2, true));
        assert_eq!(names.number(again, 0), (0, false));
        assert_eq!(names.number("MPI_Recv", 0), (1, false));
    }

    #[test]
    fn a_name_has_a_number_for_each_place_until_there_are_too_many() {
        let mut names = Names::new();
        for place in 0..u32::from(MOST_WITH_PLACES) {
            assert_eq!(names.number("MPI_Send", place), (place as u16, true));
        }
        assert_eq!(names.number("MPI_Send", 77), (77, false));
        assert_eq!(names.number("MPI_Send", 100_000), (0, false));
        let (number, is_new) = names.number("MPI_Recv", 100_000);
        assert!(is_new);
        assert_eq!(names.number("MPI_Recv", 0), (number, false));
    }
}
