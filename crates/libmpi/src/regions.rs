//! Region factors: corrections of measured time for stretches of code between two MPI calls.
//!
//! A file gives one factor for each region, in the form that SimGrid reads, one on a line:
//! `"solver.c:120:solver.c:141",1.18`. The region is what runs between the MPI call in the first
//! line of source and the one in the second; its measured time is divided by the factor. A line
//! may also name a function further up the stack, so that programs that wrap their MPI calls can
//! tell regions apart.

mod file;
mod stack;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use file::{Entry, Place};
use foretell_ranks::Sources;

/// What is known of the program's regions.
#[derive(Default)]
struct Regions {
    entries: Vec<Entry>,
    /// Numbers of call stacks, by their return addresses in the files they belong to.
    numbers: BTreeMap<Vec<usize>, u32>,
    /// Lines of source of each call stack, latest call first.
    stacks: Vec<Vec<Place>>,
    /// Factors of pairs of call stacks that were looked up before.
    known: BTreeMap<(u32, u32), f64>,
    sources: Sources,
}

static ON: AtomicBool = AtomicBool::new(false);

thread_local! {
    static REGIONS: RefCell<Regions> = RefCell::default();
}

/// Reads the factors of a file.
pub(crate) fn set_up(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let entries = file::read(&text).map_err(|error| format!("{}:{error}", path.display()))?;
    REGIONS.with_borrow_mut(|regions| regions.entries = entries);
    ON.store(true, Ordering::Relaxed);
    Ok(())
}

/// The number of the call stack that this is called from, or 0 if nobody needs to know.
pub(crate) fn here() -> u32 {
    if !ON.load(Ordering::Relaxed) {
        return 0;
    }
    let addresses = stack::return_addresses();
    REGIONS.with_borrow_mut(|regions| regions.number(addresses))
}

/// What the time between two calls is divided by; 1 where nothing is known of it.
pub(crate) fn factor(from: u32, to: u32) -> f64 {
    if !ON.load(Ordering::Relaxed) {
        return 1.0;
    }
    REGIONS.with_borrow_mut(|regions| regions.factor(from, to))
}

impl Regions {
    fn number(&mut self, addresses: Vec<usize>) -> u32 {
        if let Some(number) = self.numbers.get(&addresses) {
            return *number;
        }
        let mut places = Vec::new();
        for pc in &addresses {
            places.extend(stack::lines(&mut self.sources, *pc));
        }
        self.stacks.push(places);
        // Number 0 is that of no call at all.
        let number = self.stacks.len() as u32;
        self.numbers.insert(addresses, number);
        number
    }

    fn factor(&mut self, from: u32, to: u32) -> f64 {
        if let Some(factor) = self.known.get(&(from, to)) {
            return *factor;
        }
        let places = |number: u32| match number {
            0 => &[][..],
            number => &self.stacks[number as usize - 1],
        };
        let fits =
            |entry: &&Entry| places(from).contains(&entry.from) && places(to).contains(&entry.to);
        let factor = self.entries.iter().find(fits).map_or(1.0, |entry| entry.factor);
        self.known.insert((from, to), factor);
        factor
    }
}
