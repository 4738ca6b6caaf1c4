//! The table of MPI functions: what the headers declare, what the library exports for C and for
//! Fortran, and which programs of `tests/mpi` call it. Nothing of it is written by hand.

mod page;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use self::words::Dialect;
use crate::{shell, workspace};

/// Headers with functions, in the order of `mpi.h`, and what the page calls them.
const CHAPTERS: [(&str, &str); 12] = [
    ("environment", "Environment, sessions, info"),
    ("point_to_point", "Point-to-point and partitioned communication"),
    ("datatypes", "Datatypes"),
    ("communicators", "Groups, communicators, processes"),
    ("collectives", "Collectives and operations"),
    ("topologies", "Topologies"),
    ("attributes", "Attributes, error handlers, names"),
    ("one_sided", "One-sided communication"),
    ("files", "Files"),
    ("tools", "Tools"),
    ("languages", "Languages and the ABI"),
    ("removed", "Deprecated and removed"),
];

/// A function and what is known of it.
struct Function {
    name: String,
    /// What the library exports of it.
    has: Has,
    /// Programs that call it.
    tests: Tests,
}

/// Which faces of a function the library has.
#[derive(Default)]
struct Has {
    c: bool,
    /// `PMPI_…`.
    twin: bool,
    /// `mpif.h` and the module `mpi`.
    old_fortran: bool,
    /// The module `mpi_f08`.
    new_fortran: bool,
}

/// Names of programs by their language.
#[derive(Default)]
struct Tests {
    c: BTreeSet<String>,
    old_fortran: BTreeSet<String>,
    new_fortran: BTreeSet<String>,
}

/// The page as it should be, for a library.
pub(super) fn page(library: &Path) -> Result<String> {
    let exported = exported(library)?;
    let mut chapters = Vec::new();
    let mut calls = calls(&workspace::root().join("tests/mpi"))?;
    for (file, title) in CHAPTERS {
        let path = workspace::root().join(format!("crates/libmpi/include/foretell/mpi_{file}.h"));
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let functions = declared(&text).into_iter().map(|name| Function {
            has: has(&name, &exported),
            tests: calls.remove(&name.to_lowercase()).unwrap_or_default(),
            name,
        });
        chapters.push((title, functions.collect::<Vec<_>>()));
    }
    Ok(page::written(&chapters))
}

/// Names that the library exports.
fn exported(library: &Path) -> Result<BTreeSet<String>> {
    let mut list = Command::new("nm");
    let listing = shell::output(list.args(["-D", "--defined-only", "-P"]).arg(library))?;
    Ok(listing.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

/// Functions that a header declares, in its order.
fn declared(text: &str) -> Vec<String> {
    let declarations = text.split("\nFORETELL_MPI(").skip(1);
    let names = declarations.filter_map(|rest| rest.split(',').nth(1));
    names.map(|name| format!("MPI_{}", name.trim())).collect()
}

fn has(name: &str, exported: &BTreeSet<String>) -> Has {
    let symbol = name.to_lowercase();
    let any =
        |endings: &[&str]| endings.iter().any(|end| exported.contains(&(symbol.clone() + end)));
    Has {
        c: exported.contains(name),
        twin: exported.contains(&format!("P{name}")),
        old_fortran: any(&["_"]),
        new_fortran: any(&["_f08_", "_f08ts_"]),
    }
}

/// Which programs call what, by the name of the function in lower case.
fn calls(folder: &Path) -> Result<BTreeMap<String, Tests>> {
    let mut calls: BTreeMap<String, Tests> = BTreeMap::new();
    for below in ["", "own", "mistakes", "parts"] {
        let folder = folder.join(below);
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let Some(dialect) = Dialect::of(&path) else { continue };
            let text = std::fs::read_to_string(&path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = Path::new(below).join(&*name).display().to_string();
            for word in words::names(&text, dialect) {
                let tests = calls.entry(word).or_default();
                let place = match dialect {
                    Dialect::C => &mut tests.c,
                    _ if words::uses_f08(&text) => &mut tests.new_fortran,
                    _ => &mut tests.old_fortran,
                };
                place.insert(name.clone());
            }
        }
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_their_functions() {
        let text = "\nFORETELL_MPI(int, Send, (const void *buf,\n    int count))\n\
                    FORETELL_MPI(double, Wtime, (void))\n";
        assert_eq!(declared(text), ["MPI_Send", "MPI_Wtime"]);
    }

    #[test]
    fn faces_are_found_by_their_symbols() {
        let exported = ["MPI_Send", "PMPI_Send", "mpi_send_f08ts_"].map(String::from).into();
        let found = has("MPI_Send", &exported);
        assert!(found.c && found.twin && found.new_fortran && !found.old_fortran);
    }
}
