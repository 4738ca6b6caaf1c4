//! `foretell-mpifort`: the Fortran compiler, with what MPI programs need.
#![forbid(unsafe_code)]

#[path = "../beside.rs"]
mod beside;

use std::process::ExitCode;

fn main() -> ExitCode {
    beside::become_foretell("mpifort")
}
