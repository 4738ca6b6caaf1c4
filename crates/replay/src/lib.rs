//! Ranks that do what a trace says.
//!
//! A rank of a [`Replay`] reads its actions one by one and carries each out, with messages that
//! have a size and no content.
#![forbid(unsafe_code)]

mod balance;
mod collective;
#[cfg(test)]
mod dimemas;
mod even;
mod factors;
mod file;
mod jobs;
mod later;
mod others;
#[cfg(test)]
mod paths;
mod pending;
mod rank;
mod recorder;
mod schedule;
mod several;
#[cfg(test)]
mod synthetic;
mod tracer;
mod turns;
mod window;

pub use balance::Loads;
pub use even::Evened;
pub use factors::Factors;
pub use jobs::{Jobs, Start};
pub use rank::Replay;
pub use recorder::{CUT, Recorded, Recorder};
pub use tracer::{Scene, Tracer};
