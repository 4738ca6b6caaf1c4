//! A walk over the tracked files that rejects what the house style rejects.

mod files;
mod lengths;
mod links;
mod rooms;
mod text;

use std::fmt;

use anyhow::{Result, bail};

use crate::workspace;

/// Something to mend: where, what, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    file: String,
    /// Line number from 1; 0 when the file as a whole is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// Runs every check and reports all findings together.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let files = files::tracked(root)?;
    let mut findings = files::names(&files);
    findings.extend(rooms::check(root, &files)?);
    let mut lengths = lengths::Lengths::default();
    for file in &files {
        // Not UTF-8: a picture or an archive, which has no lines to check.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        findings.extend(text::check(file, &text, &text::machine_paths(root)));
        findings.extend(links::check(file, &text, &files));
        if file.ends_with(".rs") {
            findings.extend(lengths.add(file, text.lines().count()));
        }
    }
    println!("{}", lengths.summary());
    findings.extend(lengths.verdict());
    findings.iter().for_each(|finding| println!("{finding}"));
    if !findings.is_empty() {
        bail!("tidy: {} things to mend in {} files", findings.len(), files.len());
    }
    println!("tidy: {} files, nothing to mend", files.len());
    Ok(())
}
