//! States of a trace, by the numbers that their names have in the simulation.

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What a program says to the simulator is not what it does.
const TO_US: &str = "foretell_";

/// Names, and the states that ranks have been in. Algorithms have names among them.
#[derive(Debug, Default)]
pub(super) struct States {
    names: Vec<&'static str>,
    states: Vec<Option<u32>>,
    count: u32,
}

impl States {
    /// Gets to know the names that come next.
    pub(super) fn learn(&mut self, names: &[&'static str]) {
        let of = |name: &&str| name.starts_with(TO_US).then_some(NOWHERE);
        self.states.extend(names.iter().map(of));
        self.names.extend(names);
    }

    pub(super) fn name(&self, name: u16) -> &'static str {
        self.names[usize::from(name)]
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

    #[test]
    fn states_are_counted_as_ranks_enter_them() {
        let mut states = States::default();
        states.learn(&["binomial", "MPI_Send"]);
        states.learn(&["MPI_Recv"]);
        assert_eq!((states.of(2), states.begin(2)), (None, 0));
        assert_eq!((states.of(1), states.begin(1)), (None, 1));
        assert_eq!((states.of(2), states.name(2)), (Some(0), "MPI_Recv"));
    }

    #[test]
    fn calls_to_the_simulator_are_no_states() {
        let mut states = States::default();
        states.learn(&["foretell_mark"]);
        assert_eq!(states.of(0), Some(NOWHERE));
    }
}
