//! Where ranks' time went: for each rank, and over all of them.

use serde::{Deserialize, Serialize};

/// Up to this many ranks each has its times told.
pub const MOST_RANKS: usize = 4096;

/// Where one rank's time went, in simulated seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankTimes {
    /// Computing.
    pub computing: f64,
    /// Busy with sends, receives, polls and clock readings.
    pub overhead: f64,
    /// Waiting for messages.
    pub waiting: f64,
    /// From the start of the run to the rank's end.
    pub end: f64,
}

/// One figure or list for each kind of time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Times<T> {
    /// Computing.
    pub computing_s: T,
    /// Busy with sends, receives, polls and clock readings.
    pub overhead_s: T,
    /// Waiting for messages.
    pub waiting_s: T,
    /// From the start of the run to the rank's end.
    pub end_s: T,
}

/// A figure over all ranks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
}

impl Spread {
    /// Looks over all figures.
    pub fn of(figures: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        Self {
            mean: figures.clone().sum::<f64>() / figures.len().max(1) as f64,
            min: figures.clone().reduce(f64::min).unwrap_or(0.0),
            max: figures.reduce(f64::max).unwrap_or(0.0),
        }
    }
}

impl<T> Times<T> {
    /// Asks for each kind of time.
    pub fn each(figure: impl Fn(fn(&RankTimes) -> f64) -> T) -> Self {
        Self {
            computing_s: figure(|times| times.computing),
            overhead_s: figure(|times| times.overhead),
            waiting_s: figure(|times| times.waiting),
            end_s: figure(|times| times.end),
        }
    }
}

impl Times<Spread> {
    /// Looks over all ranks.
    pub fn over(ranks: &[RankTimes]) -> Self {
        Self::each(|figure| Spread::of(ranks.iter().map(figure)))
    }
}

impl Times<Vec<f64>> {
    /// The times of each rank; none if there are more than [`MOST_RANKS`].
    pub fn listed(ranks: &[RankTimes]) -> Option<Self> {
        let list = |figure: fn(&RankTimes) -> f64| ranks.iter().map(figure).collect();
        (ranks.len() <= MOST_RANKS).then(|| Self::each(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_mean_least_and_most() {
        let ranks = [1.0, 2.0, 6.0].map(|end| RankTimes { end, ..RankTimes::default() });
        let times = Times::over(&ranks);
        assert_eq!(times.end_s, Spread { mean: 3.0, min: 1.0, max: 6.0 });
        assert_eq!(times.waiting_s, Spread::default());
    }

    #[test]
    fn only_so_many_ranks_are_listed() {
        let ranks = vec![RankTimes::default(); MOST_RANKS];
        assert_eq!(Times::listed(&ranks).unwrap().end_s.len(), MOST_RANKS);
        assert_eq!(Times::listed(&vec![RankTimes::default(); MOST_RANKS + 1]), None);
    }
}
