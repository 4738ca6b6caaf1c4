//! Dated changes of a machine: speeds, bandwidths, latencies, failures.

use crate::machine::{HostId, LinkId};

/// A series of dated values for one property of one host or link.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// What the values replace.
    pub target: ProfileTarget,
    /// `(date in seconds, value)` in increasing date order, dates counted from the start of a turn.
    pub events: Vec<(f64, f64)>,
    /// Seconds from the last event to the start of the next turn; `None` plays the series once.
    pub repeat_after: Option<f64>,
}

/// What a profile changes, and the meaning of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProfileTarget {
    /// Values are shares of the nominal speed.
    HostSpeed(HostId),
    /// 0 is off, anything else is on.
    HostState(HostId),
    /// Values in bytes per second.
    LinkBandwidth(LinkId),
    /// Values in seconds.
    LinkLatency(LinkId),
    /// 0 is off, anything else is on.
    LinkState(LinkId),
}
