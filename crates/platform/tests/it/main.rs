//! Behaviour of the crate as a whole, one file per matter.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod hostile;
mod malformed;
mod mutations;
mod properties;
mod routes;
mod scale;
mod toml_mistakes;
mod toml_mutations;
mod toml_reference;
mod xml;
