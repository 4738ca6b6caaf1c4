//! Levels known to a share of themselves, where exact ones would cost too much.
//!
//! Where every host exchanges messages with dozens of others at the same time, all flows hang
//! together: one that ends changes the rates of ten thousands, most of them by next to nothing.
//! Who has asked for rounded ends gets rounded levels there: a resource of many flows whose level
//! would change by less than the share keeps the level it had, and passes nothing on. The level
//! that it ought to have is found from what its flows really take, so what was passed over is not
//! forgotten and cannot add up: what flows take together exceeds a capacity by that share at most.
//!
//! Also, riders stay with their convoy where a host is full at a higher level than theirs. They
//! are reckoned there with the level that their convoy has, which seldom changes now.
//!
//! All this begins when the solver finds itself settling many flows for each that comes or goes.
//! Where solutions are cheap they stay exact.

use super::Sharing;

/// So many flows come or go before the solver asks what they have cost.
const WINDOW: u64 = 4096;

/// So many flows settled for each that comes or goes are too many.
const TOO_MANY: u64 = 192;

/// With at least so many flows a resource may keep a level that is only about right.
const MANY: usize = 16;

/// With coarse levels, a crowd is larger by this factor: hosts have dozens of flows as a rule.
const LARGER: usize = 8;

/// How coarse levels are, and what they have cost of late.
#[derive(Debug, Default)]
pub(super) struct Coarse {
    /// The share of a level that does not matter; zero if all levels are to be exact.
    share: f64,
    is_on: bool,
    is_due: bool,
    changes: u64,
    effort: u64,
}

impl Coarse {
    /// Whether levels are coarse by now.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.is_on
    }

    /// A flow has come or gone.
    #[inline]
    pub(super) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// A flow was settled.
    #[inline]
    pub(super) fn note_effort(&mut self) {
        self.effort += 1;
    }

    /// A solution is complete.
    #[inline]
    pub(super) fn note_solution(&mut self) {
        if self.changes >= WINDOW {
            self.is_due |= self.share > 0.0 && self.effort > TOO_MANY * self.changes;
            (self.changes, self.effort) = (0, 0);
        }
    }
}

impl Sharing {
    /// Lets levels be off by a share of themselves where exact ones would cost too much.
    pub fn round_levels(&mut self, share: f64) {
        self.coarse.share = share;
    }

    /// Begins to round levels at once.
    #[cfg(test)]
    pub(crate) fn coarsen_at_once(&mut self, share: f64) {
        (self.coarse.share, self.coarse.is_due) = (share, true);
    }

    /// Begins to round levels if that is due.
    #[inline]
    pub(super) fn coarsen_if_due(&mut self) {
        if self.coarse.is_due && !self.coarse.is_on {
            self.coarsen();
        }
    }

    #[cold]
    fn coarsen(&mut self) {
        self.coarse.is_on = true;
        self.enlarge_crowds(LARGER);
    }

    /// Whether a level is near enough to the one that a resource had.
    #[inline]
    pub(super) fn is_about(&self, resource: u32, old: f64, level: f64) -> bool {
        self.coarse.is_on
            && old.is_finite()
            && (level - old).abs() <= self.coarse.share * old
            && self.has_many(resource)
    }

    fn has_many(&self, resource: u32) -> bool {
        let state = &self.resources[resource as usize];
        state.members.len() + state.riders as usize >= MANY
    }
}
