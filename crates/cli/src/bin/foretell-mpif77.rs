//! `foretell-mpif77`: an old name of `foretell-mpifort`, which compiles all dialects.
#![forbid(unsafe_code)]

#[path = "../beside.rs"]
mod beside;

use std::process::ExitCode;

fn main() -> ExitCode {
    beside::become_foretell("mpifort")
}
