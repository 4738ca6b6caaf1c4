//! What can go wrong between parent and child.

use std::io;

/// Why a launch or an outcome did not arrive.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The variable holds something else than the number of a file.
    #[error(
        "FORETELL_LAUNCH is `{0}`, not the number of an open file; unset it, and start programs \
         with `foretell run`"
    )]
    NoFile(String),
    /// Another process took the same launch over and still runs.
    #[error(
        "process {0} already runs as the ranks of this launch; a script may start one MPI program \
         after another, not two at once (`foretell run -n 2 ./a : -n 2 ./b` does that)"
    )]
    Taken(u32),
    /// The command and the library are of different versions.
    #[error(
        "the command is foretell {parent}, and the program uses the libmpi_abi of foretell {child}; \
         install both from one build, or rebuild the program with its foretell-mpicc"
    )]
    Versions {
        /// Version of the command.
        parent: String,
        /// Version of the library in the program.
        child: String,
    },
    /// The text is not what we write.
    #[error("the {what} is not as expected: {error}")]
    Malformed {
        /// Launch or outcome.
        what: &'static str,
        /// Where and why.
        error: serde_json::Error,
    },
    /// The system refused.
    #[error("cannot {what}: {error}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why not.
        error: io::Error,
    },
}

impl LaunchError {
    /// Wraps a refusal of the system.
    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::System { what, error }
    }
}
