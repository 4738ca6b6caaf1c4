//! Standard output, and files that are whole or not there.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use foretell_trace::timed::Draft;

/// Prints a text on standard output. A closed pipe is an error, which ends the command quietly.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot print")
}

/// A file about to be written: it appears under its name when it is complete.
#[derive(Debug)]
pub(crate) struct NewFile(Draft);

impl NewFile {
    /// Makes sure that the file can be written, before the work that fills it is done.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        Ok(Self(Draft::create(path)?))
    }

    /// Writes the whole text and gives the file its name.
    pub(crate) fn write(mut self, text: &str) -> Result<()> {
        self.0.write(text.as_bytes());
        Ok(self.0.finish()?)
    }
}

/// Writes a text to a file, or nothing at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    NewFile::create(path)?.write(text)
}
