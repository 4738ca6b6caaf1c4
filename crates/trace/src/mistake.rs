//! What can be wrong with a trace.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mistake(pub(crate) String);

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A line makes no sense.
    #[error("{}:{line}: {mistake}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: u64,
        /// What was expected there.
        mistake: Mistake,
    },
    /// A byte of a file makes no sense.
    #[error("{}: byte {offset}: {reason}", path.display())]
    Byte {
        /// The file.
        path: PathBuf,
        /// The byte, counted from zero.
        offset: u64,
        /// What was expected there.
        reason: String,
    },
    /// The trace as a whole makes no sense.
    #[error("{}: {reason}", path.display())]
    Whole {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// There is no room for what is too large for memory, or no such place.
    #[error(
        "cannot keep a temporary file in {}: {error}; TMPDIR may name another folder",
        std::env::temp_dir().display()
    )]
    Temporary {
        /// Why not.
        error: io::Error,
    },
    /// A file cannot be read or written.
    #[error("cannot use {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

impl Problem {
    /// A file cannot be written since no draft of it can be made, whose name is nobody's concern.
    pub(crate) fn no_draft(path: &Path, error: io::Error) -> Self {
        let told = error.to_string();
        let error = match told.split_once(" at path ") {
            Some((plain, _)) => io::Error::new(error.kind(), plain),
            None => error,
        };
        Self::Unwritable { path: path.to_owned(), error }
    }
}
