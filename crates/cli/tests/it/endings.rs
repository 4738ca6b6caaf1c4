//! Deadlock, Ctrl-C, a closed pipe: how runs end that do not come to their end.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::{file, foretell, refused};

/// Two nodes, the second of which goes off after a millisecond.
const FAILING: &str = "[nodes]\ncount = 2\nspeed = '1Gf'\n[network]\nbandwidth = '1GBps'\n\
    latency = '1us'\n[[profile]]\nnode = 'node-1'\nstate = [['1ms', 'off']]\n";

#[test]
fn a_deadlock_is_reported_rank_by_rank() {
    let (_folder, path) = file("a.toml", FAILING);
    let err = refused(&format!("app ep -n 2 -p {} 20", path.display()), 3);
    assert!(err.contains("deadlock at 0.0"), "{err}");
    assert!(err.contains("rank 0 in MPI_Allreduce waits for a message from rank 1"), "{err}");
    assert!(err.contains("rank 1 in computing waits for"), "{err}");
}

#[test]
fn an_interrupted_run_tells_how_far_it_got() {
    let binary = assert_cmd::cargo::cargo_bin!("foretell");
    let mut child = Command::new(binary)
        .args("app ring -n 64 -p star-64 --progress always 100000000 1024".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap()).lines();
    // The first line of progress says that the run is well under way.
    let progress = err.next().unwrap().unwrap();
    assert!(progress.contains("simulated in") && progress.contains("dates/s"), "{progress}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let last = err.map(Result::unwrap).last().unwrap();
    assert!(
        last.starts_with("error: interrupted at 0.") && last.ends_with("simulated time"),
        "{last}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_command_quietly() {
    // The reader is gone before the command begins: how far it comes is no matter of luck.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(assert_cmd::cargo::cargo_bin!("foretell"))
        .args(["demo"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn short_runs_show_no_progress() {
    assert_eq!(foretell("app init -n 2 -p star-64 --progress always").err, "");
}
