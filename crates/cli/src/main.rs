//! The `foretell` command: tells how long an MPI application will run on a machine you do not
//! have.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    foretell_cli::foretell()
}
