//! `foretell check`: which MPI functions a compiled file uses, and which of them we have.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::binary::{Binary, Kind};
use crate::exit::FAILED;
use crate::figures::counted;
use crate::layout::Layout;
use crate::output;

/// How names begin that an MPI library is asked for.
const PREFIXES: [&str; 8] =
    ["MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPI_T_", "smpi_", "foretell_", "SKELETON_"];
/// How names in Fortran begin.
const FORTRAN: [&str; 2] = ["mpi_", "pmpi_"];

/// `foretell check …`.
#[derive(Debug, Args)]
pub(crate) struct CheckCommand {
    /// Programs, shared libraries, object files, static libraries
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare with this library instead of our own
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// What was found about a file.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Finding {
    file: String,
    kind: &'static str,
    position_independent: bool,
    /// The MPI library that it names.
    mpi_library: Option<String>,
    /// MPI functions that it uses.
    used: Vec<String>,
    /// Those of them that the library does not have.
    missing: Vec<String>,
    #[serde(skip)]
    notes: Vec<String>,
}

/// Checks all files; a missing function is a failure.
pub(crate) fn run(command: &CheckCommand) -> Result<ExitCode> {
    let library = match &command.library {
        Some(path) => path.clone(),
        None => Layout::find()?.library(),
    };
    let ours = Binary::open(&library)?;
    if ours.kind != Kind::Library {
        bail!("{} is {}, not a shared library", library.display(), ours.kind.words());
    }
    let mut findings = Vec::new();
    for file in &command.files {
        findings.push(Finding::of(file, &ours.exports)?);
    }
    let text = match command.json {
        true => serde_json::to_string_pretty(&findings).context("cannot write JSON")? + "\n",
        false => findings.iter().map(Finding::text).collect::<Vec<_>>().join("\n"),
    };
    output::print(&text)?;
    let all_there = findings.iter().all(|finding| finding.missing.is_empty());
    Ok(if all_there { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

impl Finding {
    fn of(file: &Path, ours: &BTreeSet<String>) -> Result<Self> {
        let binary = Binary::open(file)?;
        let used: Vec<String> =
            binary.imports.iter().filter(|name| is_of_mpi(name)).cloned().collect();
        let missing = used.iter().filter(|name| !ours.contains(*name)).cloned().collect();
        Ok(Self {
            file: file.display().to_string(),
            kind: binary.kind.words(),
            position_independent: !matches!(binary.kind, Kind::FixedPosition | Kind::Static),
            mpi_library: binary.mpi_library().map(str::to_owned),
            used,
            missing,
            notes: notes(&binary),
        })
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.file, self.kind);
        let mut say = |line: &str| {
            let _ = writeln!(text, "  {line}");
        };
        self.notes.iter().for_each(|note| say(note));
        match (self.used.len(), self.missing.len()) {
            (0, _) => say("uses no MPI function"),
            (used, 0) => say(&format!("uses {}, all there", functions(used))),
            (used, missing) => {
                say(&format!("uses {}, {missing} of them missing:", functions(used)));
                self.missing.iter().for_each(|name| say(&format!("  {name}")));
            }
        }
        if !self.used.is_empty() {
            say("functions used:");
            self.used.iter().for_each(|name| say(&format!("  {name}")));
        }
        text
    }
}

fn functions(count: usize) -> String {
    counted(count as u64, "MPI function")
}

fn is_of_mpi(name: &str) -> bool {
    let fortran = FORTRAN.iter().any(|prefix| name.starts_with(prefix)) && name.ends_with('_');
    fortran || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// What else stands between the file and a run.
fn notes(binary: &Binary) -> Vec<String> {
    let mut notes = Vec::new();
    match binary.mpi_library() {
        Some(name) if binary.uses_standard_abi() => notes.push(format!("linked to {name}")),
        Some(name) => notes
            .push(format!("linked to {name}, another MPI library: rebuild it with foretell-mpicc")),
        None if binary.kind.is_program() => {
            notes.push("names no MPI library; `foretell run` gives it ours".into());
        }
        None => {}
    }
    match binary.kind {
        Kind::FixedPosition => notes.push(
            "its globals cannot be private: link without -no-pie, or run with --privatise off"
                .into(),
        ),
        Kind::Static => notes.push("cannot run as ranks: link without -static".into()),
        _ => {}
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_mpi_are_told_from_others() {
        for name in ["MPI_Send", "PMPI_Send", "MPI_Send_c", "smpi_execute", "mpi_send_"] {
            assert!(is_of_mpi(name), "{name}");
        }
        for name in ["printf", "mpi_helper", "MPIR_x", "xMPI_Send"] {
            assert!(!is_of_mpi(name), "{name}");
        }
    }
}
