//! Writes MPI's Fortran face from the C prototypes: `mpif.h`, the interfaces of the modules `mpi`
//! and `mpi_f08`, and the table of entry points of the library.
//!
//! One set of rules (`fortran/kind.rs`) says what each argument is in Fortran; what no rule covers
//! is written by hand and listed in `fortran/by_hand.rs`.

mod by_hand;
mod constants;
mod kind;
mod modules;
mod prototype;
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::prototype::Function;
use crate::{shell, workspace};

/// Arguments of `cargo xtask fortran`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Only compare the files with what would be written
    #[arg(long)]
    check: bool,
}

/// Chapters with functions that programs call, in the order of `mpi.h`: header and table.
const CHAPTERS: [&str; 11] = [
    "environment",
    "point_to_point",
    "datatypes",
    "communicators",
    "collectives",
    "topologies",
    "attributes",
    "one_sided",
    "files",
    "languages",
    "removed",
];

/// A file as it should be.
#[derive(Debug)]
struct File {
    path: PathBuf,
    text: String,
}

/// Writes the files, or tells which differ.
pub(crate) fn run(options: &Options) -> Result<()> {
    let provided = exported()?;
    let files = files(workspace::root(), |name| provided.contains(name))?;
    if options.check {
        let differing = differing(&files);
        if !differing.is_empty() {
            bail!("not as `cargo xtask fortran` writes them: {}", differing.join(", "));
        }
        println!("fortran: {} files are as they should be", files.len());
        return Ok(());
    }
    for file in &files {
        if let Some(folder) = file.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&file.path, &file.text)
            .with_context(|| format!("cannot write {}", file.path.display()))?;
        println!("wrote {}", file.path.display());
    }
    Ok(())
}

/// Names of files that are not as they should be.
fn differing(files: &[File]) -> Vec<String> {
    let differs =
        |file: &&File| std::fs::read_to_string(&file.path).ok().as_ref() != Some(&file.text);
    files.iter().filter(differs).map(|file| file.path.display().to_string()).collect()
}

/// The C functions that the library exports, which is built first.
fn exported() -> Result<BTreeSet<String>> {
    let library = workspace::release_binary()?.with_file_name("libmpi_abi.so");
    let listing =
        shell::output(Command::new("nm").args(["-D", "--defined-only", "-P"]).arg(&library))?;
    let names = listing.lines().filter_map(|line| line.split(' ').next());
    Ok(names.filter(|name| name.starts_with("MPI_")).map(str::to_owned).collect())
}

/// All files, for a library that provides what `provided` says.
fn files(root: &Path, provided: impl Fn(&str) -> bool) -> Result<Vec<File>> {
    let home = root.join("crates/libmpi");
    let headers = home.join("include/foretell");
    let read = |name: &str| {
        let path = headers.join(format!("mpi_{name}.h"));
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let constants = constants::read(&read("handles")?, &read("constants")?)?;
    let modules = home.join("fortran");
    let mut files = vec![
        File { path: home.join("include/mpif.h"), text: constants::mpif(&constants) },
        File { path: modules.join("mpi_constants.inc"), text: constants::module(&constants) },
        File { path: modules.join("mpi_f08_constants.inc"), text: constants::f08(&constants) },
    ];
    let mut tables = Vec::new();
    for chapter in CHAPTERS {
        let functions = prototype::functions(&read(chapter)?, chapter)?;
        let inc = |name: &str| modules.join(format!("{name}_{chapter}.inc"));
        files.push(File { path: inc("mpi"), text: modules::mpi(chapter, &functions) });
        if functions.iter().any(Function::is_in_f08) {
            files.push(File { path: inc("mpi_f08"), text: modules::f08(chapter, &functions) });
        }
        if let Some(text) = table::rows(chapter, &functions, &provided) {
            tables.push(chapter);
            let path = home.join(format!("src/fortran/table/{chapter}.rs"));
            files.push(File { path, text });
        }
    }
    files.push(File { path: home.join("src/fortran/table.rs"), text: table::list(tables) });
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_as_the_generator_writes_them() {
        let root = workspace::root();
        let table =
            |chapter: &&str| root.join(format!("crates/libmpi/src/fortran/table/{chapter}.rs"));
        // The library's own test compares the table with what the library provides.
        let rows: String = CHAPTERS
            .iter()
            .filter_map(|chapter| std::fs::read_to_string(table(chapter)).ok())
            .collect();
        let provided = |name: &str| rows.contains(&format!("    {name} "));
        let differing = differing(&files(root, provided).unwrap());
        assert!(differing.is_empty(), "run `cargo xtask fortran`: {differing:?} differ");
    }
}
