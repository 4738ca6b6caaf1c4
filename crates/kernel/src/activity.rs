//! What an actor can wait for: an amount moved over resources, or time passing.

use crate::actors::ActorId;
use crate::sharing::{FlowId, ResourceId};

/// An activity in progress. The number is reused once the activity has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivityId(pub u32);

/// What happens when an activity ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The actor becomes ready.
    Wake(ActorId),
    /// The world is told this number.
    Notify(u32),
}

/// An amount that crosses resources after a delay.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    /// Resources crossed, each with what a unit of rate takes of its capacity.
    pub uses: &'a [(ResourceId, f64)],
    /// Seconds before the first byte moves; nothing is shared meanwhile.
    pub delay: f64,
    /// What is to move.
    pub amount: f64,
    /// Progress made for each unit of rate: the amount shrinks by `efficiency * rate`.
    pub efficiency: f64,
    /// Weight in the sharing: a flow of twice the weight gets half the rate.
    pub weight: f64,
    /// Highest rate, perhaps infinite.
    pub bound: f64,
}

/// Sequential work on one of a node's cores.
#[derive(Debug, Clone, Copy)]
pub struct Execution {
    /// All cores together: shared by the work on the node.
    pub cores: ResourceId,
    /// A fat pipe as fast as one core: no piece of work is faster than that.
    pub core: ResourceId,
    /// Operations to do.
    pub amount: f64,
}

/// The kernel's record of an activity: one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Activity {
    pub(crate) phase: Phase,
    /// What there was to move in all.
    pub(crate) amount: f64,
    /// Left to move, as of `since`.
    pub(crate) remaining: f64,
    /// Shrinkage of `remaining` per second since `since`.
    pub(crate) speed: f64,
    pub(crate) since: f64,
    pub(crate) efficiency: f64,
    pub(crate) then: Then,
    /// The clock it goes by (`clocks.rs`); none if it has a speed of its own.
    pub(crate) clock: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The slot is free.
    Free,
    /// Its date is known: a timer.
    Timer,
    /// A timer that does not keep the simulation alive.
    Background,
    /// A transfer whose first byte has not moved.
    Delayed,
    /// Taking its share.
    Moving,
    /// Set aside by the user, holding no share.
    Suspended,
    /// Not an activity: the convoy that others travel with.
    Convoy,
}

impl ActivityId {
    /// The sharing flow of an activity has the activity's number.
    pub(crate) fn flow(self) -> FlowId {
        FlowId(self.0)
    }
}
