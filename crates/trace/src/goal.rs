//! Schedules of LogGOPSim (GOAL): for each rank a graph of sends, receives and computations, in
//! which an operation begins when those that it requires have ended, or begun.
//!
//! A binary file is read where it is, rank by rank. Text is turned into the same bytes, in a
//! temporary file. Computation is in nanoseconds, as LogGOPSim has it unless told otherwise.

mod binary;
mod text;

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::mistake::Problem;
use crate::packed::Contents;

/// What a file with a schedule in binary form begins with.
const COOKIE: u64 = 4223;
/// Ranks that a schedule may have: beyond any machine. Text of a few bytes can ask for all of them,
/// and each takes sixteen bytes.
const MOST_RANKS: u32 = 1 << 24;

/// The schedules of all ranks.
#[derive(Debug)]
pub(crate) struct Schedules {
    path: PathBuf,
    file: File,
    /// Where in the file the schedule of each rank is.
    places: Vec<Range<u64>>,
}

impl Schedules {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let mut file = Contents::open(path)?.into_file().map_err(cannot)?;
        let mut start = [0; 8];
        let is_binary = file.read_exact(&mut start).is_ok() && u64::from_le_bytes(start) == COOKIE;
        let file = if is_binary { file } else { text::encode(path)? };
        let places = binary::places(&file).map_err(|wrong| wrong.at(path))?;
        Ok(Self { path: path.to_owned(), file, places })
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.places.len() as u32
    }

    /// The schedule of a rank.
    pub(crate) fn of(&self, rank: u32) -> Result<Schedule, Problem> {
        let place = &self.places[rank as usize];
        let mut bytes = vec![0; (place.end - place.start) as usize];
        let read = self.file.read_exact_at(&mut bytes, place.start);
        read.map_err(|error| Problem::File { path: self.path.clone(), error })?;
        let schedule = binary::decode(&bytes, place.start, self.ranks());
        schedule.map_err(|wrong| wrong.at(&self.path))
    }
}

/// What a rank has to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// The operations, by their numbers.
    pub operations: Vec<Operation>,
    /// Numbers of operations, of which [`Operation`] has ranges.
    pub(crate) released: Vec<u32>,
}

impl Schedule {
    /// Operations that wait for this one to end.
    pub fn after(&self, operation: u32) -> &[u32] {
        &self.released[range(&self.operations[operation as usize].after)]
    }

    /// Operations that wait for this one to begin.
    pub fn beside(&self, operation: u32) -> &[u32] {
        &self.released[range(&self.operations[operation as usize].beside)]
    }

    /// Whether operations wait for each other for ever.
    fn has_circle(&self) -> bool {
        let mut needs: Vec<u32> = self.operations.iter().map(|one| one.needs).collect();
        let is_free = |number: &u32| self.operations[*number as usize].needs == 0;
        let mut free: Vec<u32> = (0..needs.len() as u32).filter(is_free).collect();
        let mut done = 0;
        while let Some(number) = free.pop() {
            done += 1;
            for next in self.after(number).iter().chain(self.beside(number)) {
                let left = &mut needs[*next as usize];
                *left = left.saturating_sub(1);
                if *left == 0 {
                    free.push(*next);
                }
            }
        }
        done < needs.len()
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// One operation of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What is done.
    pub task: Task,
    /// How many others it waits for.
    pub needs: u32,
    after: Range<u32>,
    beside: Range<u32>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Sends a message.
    Send(crate::Message),
    /// Receives one.
    Receive(crate::Message),
    /// Computes for so many nanoseconds.
    Compute(u64),
}

/// What is wrong with a file, and where.
#[derive(Debug)]
enum Wrong {
    Byte(u64, String),
    File(std::io::Error),
}

impl Wrong {
    fn at(self, path: &Path) -> Problem {
        let path = path.to_owned();
        match self {
            Wrong::Byte(offset, reason) => Problem::Byte { path, offset, reason },
            Wrong::File(error) => Problem::File { path, error },
        }
    }
}

#[cfg(test)]
mod tests;
