//! Runs that do not come to their end, or in another place, or beside what is there already.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Library, build, has_mpich};
use crate::{printed, refused};

const PROGRAM: &str = include_str!("odd.c");

/// Runs the program in one of its ways; what was said.
fn run(folder: &Path, ranks: &str, how: &str) -> String {
    let mut run = Command::new(Library::Mpich.tool("mpirun"));
    run.args(["-np", ranks, "./talk", how]).current_dir(folder);
    run.env("LD_PRELOAD", folder.join("tracer.so")).env("FORETELL_TRACE", "run.ti");
    let output = run.env_remove("LD_LIBRARY_PATH").output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The first words of the lines of a rank, but for what it computes.
fn words(folder: &Path, rank: u32) -> Vec<String> {
    let text = fs::read_to_string(folder.join(format!("run.ti/rank-{rank}.txt"))).unwrap();
    let words = text.lines().filter(|line| !line.starts_with('#'));
    let words = words.filter_map(|line| line.split(' ').nth(1)).filter(|word| *word != "compute");
    words.map(str::to_owned).collect()
}

fn replay(folder: &Path) -> String {
    format!("replay {} -p star-64", folder.join("run.ti").display())
}

#[test]
fn programs_that_fork_or_change_their_folder_are_traced_whole() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), PROGRAM);
    for how in ["", "fork", "chdir"] {
        let said = run(folder.path(), "2", how);
        assert_eq!(words(folder.path(), 1), ["init", "allreduce", "barrier", "finalize"], "{said}");
        printed(&replay(folder.path()));
        fs::remove_dir_all(folder.path().join("run.ti")).unwrap();
    }
}

#[test]
fn a_run_without_its_end_leaves_no_trace_and_none_of_an_earlier_one() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), PROGRAM);
    run(folder.path(), "4", "");
    run(folder.path(), "2", "");
    assert!(!folder.path().join("run.ti/rank-2.txt").exists());
    printed(&format!("{} -n 2", replay(folder.path())));
    for (how, why) in [("abort", "calls MPI_Abort"), ("exit", "has not called MPI_Finalize")] {
        run(folder.path(), "2", "");
        let said = run(folder.path(), "2", how);
        assert!(said.contains(why) && said.contains("there is no trace in"), "{said}");
        let err = refused(&replay(folder.path()), 2);
        assert!(err.contains("there is no index.txt in this folder"), "{err}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_does_the_run_no_harm() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), PROGRAM);
    fs::write(folder.path().join("run.ti"), "in the way").unwrap();
    let said = run(folder.path(), "2", "");
    assert!(said.contains("cannot write") && said.contains("2 of 2 ranks lack theirs"), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("run.ti")).unwrap(), "in the way");
}
