//! Ranks that do what a trace says, and traces of what ranks do.
//!
//! A rank of a [`Replay`] reads its actions one by one and carries each out, with messages that
//! have a size and no content. [`Recorder`] is the other way: it hears the calls of a simulation
//! and writes them as a trace.
#![forbid(unsafe_code)]

mod collective;
mod pending;
mod rank;

pub use rank::Replay;
