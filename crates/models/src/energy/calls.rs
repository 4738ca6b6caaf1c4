//! Energy of polling, told apart by the call that ranks are in.

use rustc_hash::FxHashMap;

use super::CallEnergy;

/// What ranks are in before their first call.
const FIRST: &str = "MPI_Init";

/// The calls that ranks have been in, in the order in which they were first met.
#[derive(Debug)]
pub(super) struct Calls {
    /// Never iterated.
    numbers: FxHashMap<&'static str, u32>,
    energies: Vec<CallEnergy>,
}

impl Default for Calls {
    fn default() -> Self {
        let first = CallEnergy { name: FIRST, count: 0, joules: 0.0 };
        Self { numbers: [(FIRST, 0)].into_iter().collect(), energies: vec![first] }
    }
}

impl Calls {
    /// Counts a call; tells its number.
    pub(super) fn begin(&mut self, name: &'static str) -> u32 {
        let number = *self.numbers.entry(name).or_insert_with(|| {
            self.energies.push(CallEnergy { name, count: 0, joules: 0.0 });
            self.energies.len() as u32 - 1
        });
        self.energies[number as usize].count += 1;
        number
    }

    /// Adds what a rank has drawn in a call.
    pub(super) fn add(&mut self, call: u32, joules: f64) {
        self.energies[call as usize].joules += joules;
    }

    /// All calls that were made or took energy.
    pub(super) fn told(self) -> Vec<CallEnergy> {
        self.energies.into_iter().filter(|call| call.count > 0 || call.joules > 0.0).collect()
    }
}
