//! How the work of a trace is spread over its ranks, and how it would be if all had the same.

use foretell_trace::{Action, Problem, Task};

use crate::factors::{Factors, Parts};
use crate::rank::Replay;
use crate::schedule;

/// Loads that differ by less are equal.
const ROUNDING: f64 = 1e-12;

/// What each rank computes in all, with all speed-ups: in flops or in recorded seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads(Vec<f64>);

impl Loads {
    /// The mean of the ranks that compute anything. Others have nothing that could become more.
    pub fn mean(&self) -> f64 {
        // Shares are added up, since sums may be too large for numbers.
        let busy = self.0.len() - self.idle();
        self.busy().map(|(_, load)| load / busy as f64).sum()
    }

    /// How many ranks compute nothing.
    pub fn idle(&self) -> usize {
        self.0.len() - self.busy().count()
    }

    /// The rank that computes most, the first if there are several, and what it computes; none if
    /// no rank computes.
    pub fn most(&self) -> Option<(u32, f64)> {
        self.busy().reduce(|most, one| if one.1 > most.1 { one } else { most })
    }

    /// Ranks that compute more than so many times the mean.
    pub fn above(&self, times: f64) -> Vec<u32> {
        let limit = self.mean() * times;
        self.busy().filter(|(_, load)| *load > limit).map(|(rank, _)| rank).collect()
    }

    /// These factors and others for ranks, so that all ranks that compute do as much as the mean.
    pub fn balanced(&self, factors: &Factors) -> Factors {
        self.at_mean(factors, self.busy().map(|(rank, _)| rank))
    }

    /// These factors and others for some ranks, so that those do as much as the mean.
    pub fn at_mean(&self, factors: &Factors, ranks: impl IntoIterator<Item = u32>) -> Factors {
        let (mut factors, mean) = (factors.clone(), self.mean());
        for rank in ranks {
            let share = self.0[rank as usize] / mean;
            // Who already has that much keeps it to the bit.
            if (share - 1.0).abs() > ROUNDING && share.is_normal() {
                *factors.ranks.entry(rank).or_insert(1.0) *= share;
            }
        }
        factors
    }

    fn busy(&self) -> impl Iterator<Item = (u32, f64)> {
        let ranks = self.0.iter().enumerate().map(|(rank, load)| (rank as u32, *load));
        ranks.filter(|(_, load)| *load > 0.0)
    }
}

impl Replay {
    /// Reads the whole trace for what each rank computes in it. What reductions compute is not in
    /// it.
    ///
    /// # Errors
    ///
    /// If the trace cannot be read.
    pub fn loads(&self) -> Result<Loads, Problem> {
        (0..self.ranks()).map(|rank| self.load(rank)).collect::<Result<_, _>>().map(Loads)
    }

    fn load(&self, rank: u32) -> Result<f64, Problem> {
        let factors = self.factors();
        let of_rank = factors.of_rank(rank);
        if let Some(schedule) = self.trace.schedule(rank) {
            let time = |task| if let Task::Compute(time) = task { time as f64 } else { 0.0 };
            let nanoseconds: f64 = schedule?.operations.iter().map(|one| time(one.task)).sum();
            return Ok(nanoseconds * schedule::UNIT / of_rank);
        }
        let (mut cursor, mut parts, mut load) = (self.trace.cursor(rank), Parts::default(), 0.0);
        while let Some(action) = cursor.next()? {
            match action {
                Action::Compute(amount) => load += amount / (of_rank * parts.factor()),
                Action::Region(name) => parts.enter(name, factors),
                Action::Leave(name) => _ = parts.leave(name),
                Action::Location { file, line } => parts.be_at(file, line, factors),
                _ => {}
            }
        }
        Ok(load)
    }
}

#[cfg(test)]
mod tests;
