//! Ranks that run compiled C and C++, and what must not leak between them.

#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod beside;
mod c_state;
mod clocks;
mod crash;
mod getopt;
mod images;
mod label;
mod life;
mod many;
mod program;
mod random;
mod switching;
mod takeover;
mod thread_locals;
mod threads;
