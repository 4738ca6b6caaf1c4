//! Replays without noise: each computation takes what it takes on average for its rank at its place
//! in the program.

use foretell_trace::{Cursor, Means, Problem};

use crate::rank::Replay;

/// What became of the computations of a replay without noise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evened {
    /// All computations of the ranks that have begun.
    pub computations: u64,
    /// Those that took the mean of their place.
    pub evened: u64,
    /// Those that stayed as they were since their ranks have too many different places.
    pub beyond: u64,
}

impl Evened {
    /// With those of one more rank.
    fn and(self, means: &Means) -> Self {
        Self {
            computations: self.computations + means.computations,
            evened: self.evened + means.evened,
            beyond: self.beyond + means.beyond,
        }
    }
}

impl Replay {
    /// Lets each computation take what it takes on average for its rank at its place in the
    /// program: a rank computes as much as before, without variation from one time to the next.
    /// Schedules, in which each computation is there once, stay as they are.
    #[must_use]
    pub fn without_noise(mut self) -> Self {
        self.evened.set(Some(Evened::default()));
        self
    }

    /// What became of computations so far, if they are without noise.
    pub fn evened(&self) -> Option<Evened> {
        self.evened.get()
    }

    /// The actions of a rank. Without noise they are all read once before.
    pub(crate) fn cursor(&self, rank: u32) -> Result<Cursor, Problem> {
        let Some(evened) = self.evened.get() else { return Ok(self.trace.cursor(rank)) };
        let means = Means::of(self.trace.cursor(rank))?;
        self.evened.set(Some(evened.and(&means)));
        Ok(self.trace.cursor(rank).evened(means))
    }
}

#[cfg(test)]
mod tests;
