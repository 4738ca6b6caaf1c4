//! `foretell tracer`: what a real run did is told by its trace, and replayed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{foretell, json, printed, refused};

const PROGRAM: &str = include_str!("tracers/talk.c");

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
    fs::write(here.join("talk.c"), PROGRAM).unwrap();
    printed(&format!("tracer --cc mpicc.mpich -o {place}/tracer.so"));
    done(Command::new("mpicc.mpich").args(["-w", "-o", "talk", "talk.c"]).current_dir(here));
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
