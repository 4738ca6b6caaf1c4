//! Computations as long as they are on average.
//!
//! A rank's computations that are at the same place in the program are the same work, done again.
//! With the mean of all of them in the place of each, the rank computes as much as before, and what
//! is gone is the variation from one time to the next.

mod place;

use std::collections::BTreeMap;

use crate::action::Action;
use crate::cursor::Cursor;
use crate::mistake::Problem;

use place::Whereabouts;

/// Places of one rank that are told apart. Computations at further ones stay as they are.
const MOST_PLACES: usize = 4096;

/// What a rank computes on average at each place where that varies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Means {
    /// The places with their means, in order.
    means: Vec<(u64, f64)>,
    /// All computations.
    pub computations: u64,
    /// Those that take the mean of their place.
    pub evened: u64,
    /// Those at places beyond the most that are told apart.
    pub beyond: u64,
    /// What all take together.
    pub work: f64,
    /// By how much each differs from the mean of its place, added up: as many standard deviations
    /// of a place as it has computations.
    pub variation: f64,
}

/// The computations at one place.
struct Found {
    first: f64,
    mean: f64,
    /// Squares of differences from the mean, added up.
    squares: f64,
    count: u64,
    varies: bool,
}

impl Means {
    /// Reads all actions of a rank.
    ///
    /// # Errors
    ///
    /// If the trace cannot be read.
    pub fn of(cursor: Cursor) -> Result<Self, Problem> {
        Self::within(MOST_PLACES, cursor)
    }

    fn within(most: usize, mut cursor: Cursor) -> Result<Self, Problem> {
        let (mut found, mut whereabouts) = (BTreeMap::new(), Whereabouts::default());
        let mut means = Self::default();
        while let Some(action) = cursor.next()? {
            let (Some(place), Action::Compute(amount)) = (whereabouts.pass(&action), action) else {
                continue;
            };
            means.computations += 1;
            means.work += amount;
            if let Some(found) = found.get_mut(&place) {
                Found::add(found, amount);
            } else if found.len() < most {
                found.insert(place, Found::new(amount));
            } else {
                means.beyond += 1;
            }
        }
        for (place, found) in found.into_iter().filter(|(_, found)| found.varies) {
            means.evened += found.count;
            means.variation += found.variation();
            means.means.push((place, found.mean));
        }
        means.means.shrink_to_fit();
        Ok(means)
    }

    /// What a computation at this place takes that takes so much in the trace.
    fn at(&self, place: u64, amount: f64) -> f64 {
        match self.means.binary_search_by_key(&place, |(known, _)| *known) {
            Ok(at) => self.means[at].1,
            Err(_) => amount,
        }
    }
}

impl Found {
    fn new(amount: f64) -> Self {
        Self { first: amount, mean: amount, squares: 0.0, count: 1, varies: false }
    }

    /// The mean is moved with each amount (Welford 1962), since sums may be too large for numbers.
    fn add(&mut self, amount: f64) {
        self.count += 1;
        let before = amount - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (amount - self.mean);
        self.varies |= amount != self.first;
    }

    fn variation(&self) -> f64 {
        let count = self.count as f64;
        (self.squares / count).sqrt() * count
    }
}

/// A cursor whose computations take their means.
#[derive(Debug)]
pub(crate) struct Evened {
    pub(crate) cursor: Cursor,
    means: Means,
    whereabouts: Whereabouts,
}

impl Evened {
    pub(crate) fn new(cursor: Cursor, means: Means) -> Self {
        Self { cursor, means, whereabouts: Whereabouts::default() }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Action<'_>>, Problem> {
        let Some(action) = self.cursor.next()? else { return Ok(None) };
        Ok(Some(match (self.whereabouts.pass(&action), action) {
            (Some(place), Action::Compute(amount)) => Action::Compute(self.means.at(place, amount)),
            (_, action) => action,
        }))
    }
}

#[cfg(test)]
mod tests;
