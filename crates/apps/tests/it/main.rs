//! Skeletons against the programs that they stand for.
#![allow(clippy::unwrap_used, reason = "a test may fail where it likes")]

mod hpl;
mod real;
