//! Typed events for those who listen: traces, energy, progress.

use crate::activity::ActivityId;
use crate::sharing::ResourceId;

/// Something that happened in the engine.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// An activity began.
    Started(ActivityId),
    /// The progress per second of an activity changed.
    SpeedChanged(ActivityId, f64),
    /// An activity reached its end.
    Ended(ActivityId),
    /// An activity was cancelled before its end.
    Cancelled(ActivityId),
    /// The capacity of a resource changed.
    CapacityChanged(ResourceId, f64),
}

/// One who listens to a simulation. With no observer the cost of an event is one branch.
pub trait Observer {
    /// Called in order of date, in the order in which things happen.
    fn observe(&mut self, date: f64, event: Event);
}
