//! Energy of ranks, told apart by the part of the program that they are in.

use rustc_hash::FxHashMap;

use super::RegionEnergy;

/// The parts of the program that ranks have been in, in the order in which they were first met.
/// The first stands for what lies outside of all.
#[derive(Debug)]
pub(super) struct Regions {
    /// Never iterated.
    numbers: FxHashMap<Box<str>, u32>,
    energies: Vec<RegionEnergy>,
    /// Those that each rank is in, the innermost last.
    open: FxHashMap<u32, Vec<u32>>,
}

impl Default for Regions {
    fn default() -> Self {
        let outside = RegionEnergy::default();
        Self { numbers: FxHashMap::default(), energies: vec![outside], open: FxHashMap::default() }
    }
}

impl Regions {
    /// Lets a rank enter a region; tells its number.
    pub(super) fn enter(&mut self, rank: u32, name: &str) -> u32 {
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let number = self.energies.len() as u32;
                self.numbers.insert(name.into(), number);
                self.energies.push(RegionEnergy { name: Some(name.into()), ..Default::default() });
                number
            }
        };
        self.energies[number as usize].count += 1;
        self.open.entry(rank).or_default().push(number);
        number
    }

    /// Lets a rank leave the innermost region; tells the number of the one around it.
    pub(super) fn leave(&mut self, rank: u32) -> u32 {
        let Some(open) = self.open.get_mut(&rank) else { return 0 };
        open.pop();
        open.last().copied().unwrap_or(0)
    }

    /// Adds what a rank has drawn in a region.
    pub(super) fn add(&mut self, region: u32, computing: f64, polling: f64) {
        let energy = &mut self.energies[region as usize];
        energy.computing += computing;
        energy.polling += polling;
    }

    /// All regions and what lies outside of them; nothing if there are none.
    pub(super) fn told(self) -> Vec<RegionEnergy> {
        if self.energies.len() == 1 { Vec::new() } else { self.energies }
    }
}
