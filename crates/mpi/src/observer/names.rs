//! Numbers for names that live for ever.

use std::collections::BTreeMap;

/// Names by where they are in memory, so that one that was met before is found without reading it.
#[derive(Debug)]
pub(super) struct Names {
    /// Address of a name and its number, in places by the address; one may push out another.
    near: Box<[(usize, u16); PLACES]>,
    all: BTreeMap<&'static str, u16>,
}

/// How many names are found at once.
const PLACES: usize = 256;

impl Names {
    pub(super) fn new() -> Self {
        Self { near: Box::new([(0, 0); PLACES]), all: BTreeMap::new() }
    }

    /// The number of a name, and whether it is new.
    #[inline(always)]
    pub(super) fn number(&mut self, name: &'static str) -> (u16, bool) {
        let address = name.as_ptr().addr();
        // Names of different lengths may begin at the same place in memory.
        let place = (address ^ address >> 8 ^ name.len()) % PLACES;
        match self.near[place] {
            (known, number) if known == address ^ name.len() << 56 => (number, false),
            _ => self.look_up(name, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_up(&mut self, name: &'static str, place: usize) -> (u16, bool) {
        let next = self.all.len() as u16;
        assert!(next < u16::MAX, "calls and algorithms are far fewer");
        let number = *self.all.entry(name).or_insert(next);
        self.near[place] = (name.as_ptr().addr() ^ name.len() << 56, number);
        (number, number == next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_wherever_it_lies() {
        let mut names = Names::new();
        let again: &'static str = String::from("MPI_Send").leak();
        assert_eq!(names.number("MPI_Send"), (0, true));
        assert_eq!(names.number("MPI_Recv"), (1, true));
        assert_eq!(names.number(again), (0, false));
        assert_eq!(names.number(&again[..4]), (2, true));
        assert_eq!(names.number(again), (0, false));
        assert_eq!(names.number("MPI_Recv"), (1, false));
    }
}
