//! Traces with dates: when each rank was in which call, and when each message went and came.
//!
//! A run tells [`Event`]s in the order of their dates to a [`Writer`], which has no more of them in
//! memory than it needs. There is a writer for each [`Format`]; [`create`] makes one. Nothing
//! appears under the name that was asked for before the trace is complete.

mod assembly;
mod class;
mod critical;
mod csv;
mod difference;
mod draft;
mod event;
mod format;
mod loss;
mod otf2;
mod page;
mod paje;
mod paraver;
mod perfetto;
mod read;
mod retell;
mod tally;
mod text;
mod whole;

pub(crate) use assembly::Assembly;
pub use class::Class;
pub use critical::{CriticalPath, Step, What};
pub use difference::{Beyond, Clocks, Difference, Parting, RankDifference, Shift, Told, Wishes};
pub use draft::Draft;
pub use draft::sweep::{prefix, sweep};
pub use event::{Cast, Collective, Event, Lane, Letter, Mark, Message, Place, Protocol, Taken};
pub use format::{Errand, Format, begin, create};
pub use loss::Lost;
pub use page::PAPER;
pub(crate) use paraver::{FUNCTIONS, Legend};
pub(crate) use read::{TABLE, read_as};
pub use read::{read, readable};
pub use retell::Retell;
pub use tally::{
    Efficiency, Late, Meeting, RankTime, RegionTime, SiteTime, StateTime, Tally, Traffic,
};
pub use whole::{Delivered, Stay, Whole};

use std::num::NonZeroU64;

use crate::mistake::Problem;

/// What a writer may do without, of what costs time to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// The ways of messages: [`Event::Delivers`].
    pub ways: bool,
    /// When sends and receives are found complete: [`Event::Takes`].
    pub takings: bool,
    /// For how long ranks waited in a state; else that may be told as 0.
    pub waits: bool,
}

impl Needs {
    /// Everything.
    pub const ALL: Needs = Needs { ways: true, takings: true, waits: true };
}

/// Who writes a trace down, event by event.
pub trait Writer {
    /// What it must be told. What it can do without may be told all the same.
    fn needs(&self) -> Needs {
        Needs::ALL
    }

    /// This happens at a date, in seconds. What cannot be written is told at the end.
    fn write(&mut self, date: f64, event: &Event<'_>);

    /// All will be told as it happens: stays also when they begin, and each message of ranks also
    /// when it is sent, by asking for its place. Who holds back what may come late need not do so.
    fn go_live(&mut self) {}

    /// Whether it tells when collectives are begun that are waited for later, and when they are
    /// done, and what is done with windows: [`Event::Begins`], [`Event::Completes`],
    /// [`Event::Window`].
    fn tells_later(&self) -> bool {
        false
    }

    /// A message is sent by a rank at a date; the place is told again when it has come.
    fn keep_place(&mut self, date: f64, rank: u32) -> Option<NonZeroU64> {
        let _ = (date, rank);
        None
    }

    /// The run has ended at a date; the trace gets its name.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before. Nothing is left behind then.
    fn finish(self: Box<Self>, date: f64) -> Result<(), Problem>;
}
