//! Replays without noise: each computation takes what it takes on average for its rank at its place
//! in the program.

use foretell_trace::{Cursor, Form, Means, Problem};

use crate::rank::Replay;

/// What became of the computations of a replay without noise.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evened {
    /// All computations of the ranks that have begun.
    pub computations: u64,
    /// Those that took the mean of their place.
    pub evened: u64,
    /// Those that stayed as they were since their ranks have too many different places.
    pub beyond: u64,
    /// What all take together, in units of the trace.
    work: f64,
    /// By how much each differs from the mean of its place, added up.
    variation: f64,
}

impl Evened {
    /// By how much a computation differs from the mean of its place, as a share of what it takes;
    /// the larger ones count for more.
    pub fn variation(&self) -> f64 {
        let share = self.variation / self.work;
        // Of no work there is no share, nor of sums that are too large for numbers.
        if share.is_finite() { share } else { 0.0 }
    }

    /// With those of others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            computations: self.computations + other.computations,
            evened: self.evened + other.evened,
            beyond: self.beyond + other.beyond,
            work: self.work + other.work,
            variation: self.variation + other.variation,
        }
    }
}

impl From<&Means> for Evened {
    fn from(means: &Means) -> Self {
        let Means { computations, evened, beyond, work, variation, .. } = *means;
        Self { computations, evened, beyond, work, variation }
    }
}

impl Replay {
    /// Lets each computation take what it takes on average for its rank at its place in the
    /// program: a rank computes as much as before, without variation from one time to the next.
    /// Schedules, in which each computation is there once, stay as they are.
    #[must_use]
    pub fn without_noise(self) -> Self {
        self.evened.set(Some(Evened::default()));
        self
    }

    /// Whether its ranks have schedules instead of actions.
    pub fn has_schedules(&self) -> bool {
        self.trace.form() == Form::Goal
    }

    /// What became of computations so far, if they are without noise.
    pub fn evened(&self) -> Option<Evened> {
        self.evened.get()
    }

    /// The actions of a rank. Without noise they are all read once before.
    pub(crate) fn cursor(&self, rank: u32) -> Result<Cursor, Problem> {
        let Some(evened) = self.evened.get() else { return Ok(self.trace.cursor(rank)) };
        let means = Means::of(self.trace.cursor(rank))?;
        self.evened.set(Some(evened.and((&means).into())));
        Ok(self.trace.cursor(rank).evened(means))
    }
}

#[cfg(test)]
mod tests;
