//! Numbers of states, by their names, which live for ever.

use std::collections::BTreeMap;

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What a program says to the simulator is not what it does.
const TO_US: &str = "foretell_";

/// Names by where they are in memory, so that one that was met before is found without reading it.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Address of a name and its number, in places by the address; one may push out another.
    near: Vec<(usize, u32)>,
    all: BTreeMap<&'static str, u32>,
    count: u32,
}

/// How many names are found at once.
const PLACES: usize = 256;

impl Numbers {
    /// The number of a name, and whether it is new; [`NOWHERE`] for what is no state.
    #[inline]
    pub(super) fn number(&mut self, name: &'static str) -> (u32, bool) {
        let address = name.as_ptr().addr();
        // Names of different lengths may begin at the same place in memory.
        let place = (address ^ address >> 8 ^ name.len()) % PLACES;
        match self.near.get(place) {
            Some((known, number)) if *known == address ^ name.len() << 56 => (*number, false),
            _ => self.look_up(name, place),
        }
    }

    #[cold]
    fn look_up(&mut self, name: &'static str, place: usize) -> (u32, bool) {
        let next = if name.starts_with(TO_US) { NOWHERE } else { self.count };
        let number = *self.all.entry(name).or_insert(next);
        let is_new = number == self.count;
        self.count += u32::from(is_new);
        self.near.resize(PLACES, (0, 0));
        self.near[place] = (name.as_ptr().addr() ^ name.len() << 56, number);
        (number, is_new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_wherever_it_lies() {
        let mut numbers = Numbers::default();
        let again: &'static str = String::from("MPI_Send").leak();
        assert_eq!(numbers.number("MPI_Send"), (0, true));
        assert_eq!(numbers.number("MPI_Recv"), (1, true));
        assert_eq!(numbers.number(again), (0, false));
        assert_eq!(numbers.number(&again[..4]), (2, true));
        assert_eq!(numbers.number(again), (0, false));
        assert_eq!(numbers.number("MPI_Recv"), (1, false));
    }

    #[test]
    fn calls_to_the_simulator_are_no_states() {
        let mut numbers = Numbers::default();
        assert_eq!(numbers.number("foretell_mark"), (NOWHERE, false));
        assert_eq!(numbers.number("MPI_Send"), (0, true));
        assert_eq!(numbers.number("foretell_mark"), (NOWHERE, false));
    }
}
