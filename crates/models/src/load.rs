//! What a rank does to its node: it computes, waits inside MPI, or leaves its core alone.

/// Something that a rank begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A computation begins.
    Computes,
    /// A computation has ended.
    Computed,
    /// It sleeps or uses a file: its core is idle.
    Leaves,
    /// It has slept enough, or is done with the file.
    Returns,
    /// Its program has ended.
    Ends,
}

/// What a rank does; at first it waits inside MPI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RankLoad {
    /// Computations under way: several if it has threads.
    pub(crate) computing: u32,
    /// Threads that sleep or use a file.
    away: u32,
    has_ended: bool,
}

impl RankLoad {
    pub(crate) fn change(&mut self, change: Change) {
        match change {
            Change::Computes => self.computing += 1,
            Change::Computed => self.computing -= 1,
            Change::Leaves => self.away += 1,
            Change::Returns => self.away -= 1,
            Change::Ends => self.has_ended = true,
        }
    }

    /// Whether its core is busy waiting inside MPI.
    pub(crate) fn polls(&self) -> bool {
        self.computing == 0 && self.away == 0 && !self.has_ended
    }
}
