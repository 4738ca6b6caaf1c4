//! Which algorithms ran, how often, and on what.

use std::cell::RefCell;

use super::{Call, Choice, Operation};

/// An algorithm that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Used {
    /// The operation.
    pub operation: Operation,
    /// The algorithm.
    pub algorithm: &'static str,
    /// How many calls it ran for; one of all ranks of a communicator is one call.
    pub calls: u64,
    /// The fewest and the most bytes, as rules count them.
    pub bytes: (u64, u64),
    /// The fewest and the most ranks.
    pub ranks: (u32, u32),
}

/// Notes of what ran.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// In the order they first ran. There are few, so they are searched.
    used: RefCell<Vec<Used>>,
}

impl Notes {
    /// Notes a call. Takes memory only when an algorithm runs for the first time.
    pub(crate) fn note(&self, call: Call, choice: Choice, ranks: u32) {
        let Call { operation, bytes, .. } = call;
        let algorithm = choice.algorithm;
        let mut used = self.used.borrow_mut();
        let is_same = |used: &&mut Used| used.operation == operation && used.algorithm == algorithm;
        match used.iter_mut().find(is_same) {
            Some(used) => {
                used.calls += 1;
                used.bytes = (used.bytes.0.min(bytes), used.bytes.1.max(bytes));
                used.ranks = (used.ranks.0.min(ranks), used.ranks.1.max(ranks));
            }
            None => {
                let (bytes, ranks) = ((bytes, bytes), (ranks, ranks));
                used.push(Used { operation, algorithm, calls: 1, bytes, ranks });
            }
        }
    }

    /// What was noted, operation by operation.
    pub(crate) fn all(&self) -> Vec<Used> {
        let mut all = self.used.borrow().clone();
        all.sort_by_key(|used| used.operation);
        all
    }
}
