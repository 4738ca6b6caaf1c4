//! How the command ends: its exit codes and last words.

use std::io;
use std::process::ExitCode;

use foretell_mpi::Failure;
use foretell_trace::Problem;

use crate::notes;

/// The simulated program failed.
pub(crate) const FAILED: u8 = 1;
/// Bad usage or bad input.
pub(crate) const BAD_INPUT: u8 = 2;
/// The simulated program is deadlocked.
pub(crate) const DEADLOCK: u8 = 3;
/// A check of the program found mistakes.
pub(crate) const MISTAKES: u8 = 4;
/// Interrupted from the keyboard, as shells count it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Mistakes that are already drawn, each with its place.
#[derive(Debug)]
pub(crate) struct Drawn(pub(crate) String);

impl std::fmt::Display for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Drawn {}

/// Tells what went wrong, and gives the exit code that goes with it.
pub(crate) fn told(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        // Whoever read our output has seen enough.
        return ExitCode::SUCCESS;
    }
    if error.is::<Drawn>() {
        notes::plain(&error.to_string());
    } else {
        notes::error(&format!("{error:#}"));
    }
    ExitCode::from(code(error))
}

fn code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Failure>() {
        Some(Failure::Deadlock(_)) => DEADLOCK,
        Some(Failure::Interrupted(_)) => INTERRUPTED,
        Some(Failure::Rank { .. }) => FAILED,
        None => BAD_INPUT,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<Problem>() {
        Some(Problem::Unwritable { error, .. }) => Some(error.kind()),
        _ => cause.downcast_ref::<io::Error>().map(io::Error::kind),
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use anyhow::Context;
    use foretell_mpi::{Deadlock, Error};

    use super::*;

    #[test]
    fn each_way_to_end_has_its_code() {
        let deadlock = Deadlock { date: 1.0, blocked: Vec::new(), cycle: Vec::new() };
        let rank =
            Failure::Rank { rank: 3, date: 1.0, call: "MPI_Send".into(), error: Error::BadTag(-3) };
        assert_eq!(code(&Failure::Deadlock(deadlock).into()), 3);
        assert_eq!(code(&Failure::Interrupted(1.0).into()), 130);
        assert_eq!(code(&rank.into()), 1);
        assert_eq!(code(&anyhow::anyhow!("no such file")), 2);
    }

    #[test]
    fn a_closed_pipe_is_seen_through_its_context() {
        let error = Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe))
            .context("cannot print")
            .unwrap_err();
        assert!(is_closed_pipe(&error));
        assert!(!is_closed_pipe(&io::Error::from(io::ErrorKind::NotFound).into()));
    }
}
