//! Common clocks for activities whose flows travel in one convoy.
//!
//! All riders of a convoy have the same rate at any time. How far a rider that has been there from
//! the beginning would have come is therefore a clock for all of them: a rider ends when the clock
//! shows a figure that is known when it joins. When the rate changes, the clock goes faster or
//! slower, and nothing else has to be done, however many riders there are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::sharing::NONE;

/// The clock of one convoy.
#[derive(Debug)]
pub(super) struct Clock {
    /// The number of the convoy; none while no convoy goes by it.
    pub(super) convoy: u32,
    /// Whether its next end must be scheduled anew.
    pub(super) is_unsettled: bool,
    /// What it showed at the date `since`, and how fast it has gone since.
    shown: f64,
    pub(super) since: f64,
    rate: f64,
    /// Ends of riders, by figure and order of joining. Those of riders that left before are still
    /// there, and recognised when they come up.
    ends: BinaryHeap<Reverse<(u64, u64, u32)>>,
    joined: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            convoy: NONE,
            is_unsettled: false,
            shown: 0.0,
            since: 0.0,
            rate: 0.0,
            ends: BinaryHeap::new(),
            joined: 0,
        }
    }
}

impl Clock {
    /// Forgets its convoy, and that there ever was one.
    pub(super) fn reset(&mut self) {
        let is_unsettled = self.is_unsettled;
        *self = Self { is_unsettled, ..Self::default() };
    }

    /// What the clock shows at a date.
    pub(super) fn at(&self, date: f64) -> f64 {
        self.shown + self.rate * (date - self.since)
    }

    /// Lets the clock go at another rate from a date on.
    pub(super) fn set_rate(&mut self, date: f64, rate: f64) {
        (self.shown, self.since, self.rate) = (self.at(date), date, rate);
    }

    /// Adds a rider that ends when the clock shows `figure`.
    pub(super) fn join(&mut self, rider: u32, figure: f64) {
        self.joined += 1;
        // Figures are not negative: their bits order like the numbers.
        self.ends.push(Reverse((figure.to_bits(), self.joined, rider)));
    }

    /// The rider that ends first, and at which figure, among those that `rides` says are here.
    pub(super) fn first(&mut self, rides: impl Fn(u32, f64) -> bool) -> Option<(u32, f64)> {
        while let Some(Reverse((figure, _, rider))) = self.ends.peek() {
            let (rider, figure) = (*rider, f64::from_bits(*figure));
            if rides(rider, figure) {
                return Some((rider, figure));
            }
            self.ends.pop();
        }
        None
    }

    /// When the clock will show a figure, as seen from a date.
    pub(super) fn date_of(&self, figure: f64, date: f64) -> f64 {
        date + ((figure - self.at(date)) / self.rate).max(0.0)
    }

    /// How fast the clock goes.
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    /// Whether the clock moves at all.
    pub(super) fn moves(&self) -> bool {
        self.rate > 0.0
    }
}
