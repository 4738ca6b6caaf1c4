//! `foretell tracer`: what a real run did is told by its trace, and replayed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{foretell, json, printed, refused};

const PROGRAM: &str = include_str!("tracers/talk.c");
const LATER: &str = include_str!("tracers/later.c");

/// What rank 1 of four does, where nothing that it computes is worth a line.
const RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 comm_def 5 0:4:1
1 irecv 0 3 32768 6
1 isend 2 3 8000 6
1 wait 0 1 3
1 wait 1 2 3
1 irecv 0 TAG-4 80 6
1 send 2 TAG-4 40 6
1 wait 0 1 TAG-4
1 recv 0 9 40 6
1 irecv 0 5 7 6
1 wait 0 1 5
1 irecv 0 5 7 6
1 wait 0 1 5
1 barrier
1 recv 0 6 6 6
1 barrier
1 recv 0 TAG-11 16 6
1 irecv 0 TAG-12 32768 6
1 wait 0 1 TAG-12
1 bcast 800 1 6
1 allreduce 100 0 1
1 within 2
1 reduce 10 0 0 0
1 within 2
1 allgather 0 32 6 6
1 alltoall 8 8 6 6
1 allgatherv 8 0 8 16 24 6 6
1 gatherv 8 0 0 0 0 0 6 6
1 scatter 16 16 0 6 6
1 reducescatter 2 2 2 2 0 0
1 within 2
1 scan 1 0 0
1 finalize
";

/// What rank 1 of four does first in the other program, but for looks, which come as often as time
/// has it.
const LATER_RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 later 0
1 within 2
1 allreduce 1000 0 0
1 later 1
1 bcast 4000 0 6
1 irecv 1 5 24 6
1 send 1 5 24 6
1 await 0
1 await 1
1 wait 1 1 5
1 later 0
1 within 2
1 allreduce 1000 0 0
";

/// Whether the real library is there.
fn has_mpich() -> bool {
    let is_there = |tool: &str| Command::new(tool).arg("-version").output().is_ok();
    let both = is_there("mpicc.mpich") && is_there("mpirun.mpich");
    if !both {
        eprintln!("skipped: MPICH is not installed");
    }
    both
}

fn done(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Builds a program and the library that traces it.
fn build(folder: &Path, program: &str) {
    fs::write(folder.join("talk.c"), program).unwrap();
    printed(&format!("tracer --cc mpicc.mpich -o {}/tracer.so", folder.display()));
    done(Command::new("mpicc.mpich").args(["-w", "-o", "talk", "talk.c"]).current_dir(folder));
}

/// Runs the program on so many ranks of a real machine, traced into a folder.
fn trace(folder: &Path, ranks: &str, name: &str, variables: &[(&str, &str)]) {
    let mut run = Command::new("mpirun.mpich");
    run.args(["-np", ranks, "./talk"]).current_dir(folder);
    run.env("LD_PRELOAD", folder.join("tracer.so")).env("FORETELL_TRACE", name);
    done(run.envs(variables.iter().copied()).env_remove("LD_LIBRARY_PATH"));
}

#[test]
fn a_real_run_is_traced_replayed_and_drawn() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, place) = (folder.path(), folder.path().display());
    build(here, PROGRAM);
    let quiet = [("FORETELL_SPEED", "1e-9"), ("FORETELL_COMPUTATION", "time")];
    trace(here, "4", "four.ti", &quiet);
    let text = fs::read_to_string(here.join("four.ti/rank-1.txt")).unwrap();
    // Tags of other communicators than the world are made up: here, of number 5.
    let made_up = |tag: u64| (5 << 32 | tag).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34 | 1 << 30;
    let told: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let expected = [4, 11, 12].iter().fold(RANK_1.to_owned(), |text, tag| {
        text.replace(&format!("TAG-{tag} "), &format!("{} ", made_up(*tag)))
            .replace(&format!("TAG-{tag}\n"), &format!("{}\n", made_up(*tag)))
    });
    assert_eq!(told, expected);

    trace(here, "2", "two.ti", &[("FORETELL_SPEED", "1e9"), ("FORETELL_COMPUTATION", "time")]);
    for (name, ranks) in [("four.ti", 4), ("two.ti", 2)] {
        let line = format!("replay {place}/{name} -p star-64 --map block:1");
        let summary = json(&line);
        assert_eq!(summary["ranks"], ranks);
        assert!(summary["simulated_s"].as_f64().unwrap() > 1e-4, "{summary}");
        printed(&format!("{line} --trace {place}/{name}.html"));
        let page = fs::read_to_string(here.join(format!("{name}.html"))).unwrap();
        assert!(page.contains("MPI_Allreduce") || page.contains("allreduce"), "{name}");
        // The compact form knows communicators, too.
        printed(&format!("trace convert {place}/{name} {place}/small.fti"));
        let small = json(&line.replace(name, "small.fti"));
        assert_eq!(small["simulated_s"], summary["simulated_s"]);
    }
    let text = fs::read_to_string(here.join("two.ti/rank-0.txt")).unwrap();
    assert!(text.starts_with("# computation: seconds of CPU time times 1e+09\n0 init\n"), "{text}");
    assert!(text.contains("\n0 compute "), "{text}");
}

#[test]
fn collectives_that_go_on_beside_a_real_rank_are_told() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, place) = (folder.path(), folder.path().display());
    build(here, LATER);
    let quiet = [("FORETELL_SPEED", "1e-9"), ("FORETELL_COMPUTATION", "time")];
    trace(here, "4", "four.ti", &quiet);
    let text = fs::read_to_string(here.join("four.ti/rank-1.txt")).unwrap();
    let told: String = text
        .lines()
        .skip(1)
        .filter(|line| !line.contains(" look "))
        .map(|l| format!("{l}\n"))
        .collect();
    assert!(told.starts_with(LATER_RANK_1), "{told}");
    for (line, times) in [("1 later 15", 2), ("1 await 15", 2), ("1 within 2", 18)] {
        assert_eq!(told.lines().filter(|found| *found == line).count(), times, "{line}: {told}");
    }
    assert!(told.contains("1 passes 64 16 other\n1 reducescatter 2 2 2 2 0 0\n"), "{told}");
    let line = format!("replay {place}/four.ti -p star-64 --map block:1");
    let summary = json(&line);
    assert!(summary["simulated_s"].as_f64().unwrap() > 1e-4, "{summary}");
    printed(&format!("trace convert {place}/four.ti {place}/small.fti"));
    let small = json(&line.replace("four.ti", "small.fti"));
    assert_eq!(small["simulated_s"], summary["simulated_s"]);
}

#[test]
fn a_compiler_that_is_not_there_or_has_no_mpi_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("tracer.so");
    let err = refused(&format!("tracer --cc no-such-mpicc -o {}", output.display()), 2);
    assert!(err.contains("there is no `no-such-mpicc`; name the compiler"), "{err}");
    let said = foretell(&format!("tracer --cc false -o {}", output.display()));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`false` could not compile the tracer"), "{}", said.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
