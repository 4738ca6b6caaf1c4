//! Who hears what is seen of a run.

use foretell_mpi::{Interests, Mark, Notes, Place};
use foretell_trace::Problem;

/// Makes a trace of what it hears, or has it made.
pub(super) trait Hearer {
    /// What it needs to hear.
    fn interests(&self) -> Interests;

    /// Hears of what has happened; it may keep the batch and give another.
    fn hear(&mut self, notes: &mut Notes);

    /// Hears of a communicator and its members.
    fn form(&mut self, date: f64, comm: u32, members: &[u32]);

    /// Hears of a place in the source of the program, and its number.
    fn place(&mut self, number: u32, place: &Place<'_>);

    /// Hears what a rank marks.
    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str);

    /// Ends the trace, at the last date that was heard of.
    fn finish(self: Box<Self>) -> Result<(), Problem>;
}

/// One that can go to another thread.
pub(super) type Hired = Box<dyn Hearer + Send>;
