//! Where the time of ranks went within regions of the program.

use super::{Efficiency, RankTime};
use crate::timed::Mark;

/// Time of all ranks in a region of the program, those within it included.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionTime {
    /// Its name.
    pub name: String,
    /// How often ranks were in it.
    pub count: u64,
    /// What each rank did there; of it, `end` is for how long it was there.
    pub ranks: Vec<RankTime>,
}

impl RegionTime {
    /// How well ranks were used there, as if it were a run of its own, as long as the rank is there
    /// that is there for the longest time.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let longest = self.ranks.iter().map(|rank| rank.end).fold(0.0, f64::max);
        Efficiency::of(&self.ranks, longest)
    }
}

/// The regions that ranks are in.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Inside(Vec<Vec<Part>>);

/// A rank is in a region, or was up to a date.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    region: usize,
    begin: f64,
    end: f64,
}

impl Inside {
    pub(super) fn new(ranks: usize) -> Self {
        Self(vec![Vec::new(); ranks])
    }

    pub(super) fn mark(
        &mut self,
        all: &mut Vec<RegionTime>,
        date: f64,
        (rank, mark, name): (u32, Mark, &str),
    ) {
        let parts = &mut self.0[rank as usize];
        let known = all.iter().position(|region| region.name == name);
        match mark {
            Mark::Here => {}
            Mark::Begin => {
                let region = known.unwrap_or_else(|| {
                    let ranks = vec![RankTime::default(); self.0.len()];
                    all.push(RegionTime { name: name.to_owned(), count: 0, ranks });
                    all.len() - 1
                });
                self.0[rank as usize].push(Part { region, begin: date, end: f64::INFINITY });
            }
            Mark::End => {
                let is_it = |part: &&mut Part| Some(part.region) == known && part.end > date;
                if let Some(part) = parts.iter_mut().rfind(is_it) {
                    part.end = date;
                    all[part.region].count += 1;
                    all[part.region].ranks[rank as usize].end += date - part.begin;
                }
            }
        }
    }

    /// A rank was in a state from one date to another: calls `add` for each region with the share
    /// of the stay that was in it. The trace tells a stay after what was marked within it.
    pub(super) fn stay(
        &mut self,
        rank: u32,
        (since, date): (f64, f64),
        mut add: impl FnMut(usize, f64),
    ) {
        let parts = &mut self.0[rank as usize];
        for part in parts.iter() {
            let within = date.min(part.end) - since.max(part.begin);
            if within > 0.0 {
                add(part.region, within / (date - since));
            }
        }
        parts.retain(|part| part.end > date);
    }
}
