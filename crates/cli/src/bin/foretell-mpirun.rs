//! `foretell-mpirun`: the same as `foretell run`, as one word for scripts that want one.
#![forbid(unsafe_code)]

#[path = "../beside.rs"]
mod beside;

use std::process::ExitCode;

fn main() -> ExitCode {
    beside::become_foretell("run")
}
