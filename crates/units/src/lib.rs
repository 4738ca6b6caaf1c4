//! Quantities of the simulated world: seconds, bytes, flops, watts.
//!
//! Each is a newtype over `f64` in its base unit, so that a latency cannot be passed where a
//! bandwidth is meant. All of them read and print the notation of platform files:
//!
//! ```
//! use foretell_units::{BytesPerSecond, Seconds};
//!
//! let latency: Seconds = "15us".parse().unwrap();
//! let bandwidth: BytesPerSecond = "10Gbps".parse().unwrap();
//! assert_eq!(latency.get(), 1.5e-5);
//! assert_eq!(bandwidth.to_string(), "1.25 GB/s");
//! ```
//!
//! `B` is a byte and `b` a bit; `k M G T P E` are powers of 1000 and `Ki Mi Gi …` of 1024. What
//! [`Display`](std::fmt::Display) prints, [`FromStr`](std::str::FromStr) reads back to the same
//! bits.
#![forbid(unsafe_code)]

mod parse;
mod print;
mod quantity;

pub use parse::{ParseError, Problem, has_unit};
pub use quantity::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Joule, Seconds, Watt};
