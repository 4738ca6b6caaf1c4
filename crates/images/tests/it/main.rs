//! Programs compiled by gcc and g++ when the tests run, executed in images.

#![allow(clippy::unwrap_used, reason = "a test may fail where it likes")]

mod c_programs;
mod cpp_programs;
mod kinds;
mod libraries;
mod many;
mod refusals;
mod support;
mod thread_locals;
