//! States of a trace, by the numbers that their names have in the simulation.

use std::collections::BTreeMap;

use foretell_mpi::{Name, Place};
use foretell_trace::timed;

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What a program says to the simulator is not what it does.
const TO_US: &str = "foretell_";

/// A place in the source of the program, to be kept.
#[derive(Debug)]
pub(super) struct Spot {
    file: Box<str>,
    line: u32,
    function: Box<str>,
}

impl Spot {
    pub(super) fn of(&Place { file, line, function }: &Place<'_>) -> Self {
        Self { file: file.into(), line, function: function.into() }
    }

    pub(super) fn place(&self) -> Place<'_> {
        Place { file: &self.file, line: self.line, function: &self.function }
    }
}

/// Names, and the states that ranks have been in. Algorithms have names among them.
#[derive(Debug, Default)]
pub(super) struct States {
    names: Vec<Name>,
    /// Places in the source of the program by their numbers.
    places: BTreeMap<u32, Spot>,
    states: Vec<Option<u32>>,
    count: u32,
}

impl States {
    /// Gets to know the names that come next.
    pub(super) fn learn(&mut self, names: &[Name]) {
        let of = |name: &Name| name.text.starts_with(TO_US).then_some(NOWHERE);
        self.states.extend(names.iter().map(of));
        self.names.extend(names);
    }

    pub(super) fn name(&self, name: u16) -> &'static str {
        self.names[usize::from(name)].text
    }

    /// Where a name was met, if that is known.
    pub(super) fn place(&self, name: u16) -> Option<timed::Place<'_>> {
        let Spot { file, line, function } =
            self.places.get(&self.names[usize::from(name)].place)?;
        Some(timed::Place { file, line: *line, function })
    }

    /// Gets to know a place by its number.
    pub(super) fn lies(&mut self, number: u32, spot: Spot) {
        self.places.insert(number, spot);
    }

    /// The state of a name, if a rank was in it before; [`NOWHERE`] for what is no state.
    #[inline(always)]
    pub(super) fn of(&self, name: u16) -> Option<u32> {
        self.states[usize::from(name)]
    }

    /// The next state has this name.
    pub(super) fn begin(&mut self, name: u16) -> u32 {
        let state = self.count;
        self.states[usize::from(name)] = Some(state);
        self.count += 1;
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(texts: &[&'static str]) -> Vec<Name> {
        texts.iter().map(|text| Name { text, place: 0 }).collect()
    }

    #[test]
    fn states_are_counted_as_ranks_enter_them() {
        let mut states = States::default();
        states.learn(&named(&["binomial", "MPI_Send"]));
        states.learn(&named(&["MPI_Recv"]));
        assert_eq!((states.of(2), states.begin(2)), (None, 0));
        assert_eq!((states.of(1), states.begin(1)), (None, 1));
        assert_eq!((states.of(2), states.name(2)), (Some(0), "MPI_Recv"));
    }

    #[test]
    fn calls_to_the_simulator_are_no_states() {
        let mut states = States::default();
        states.learn(&named(&["foretell_mark"]));
        assert_eq!(states.of(0), Some(NOWHERE));
    }
}
