//! Traces of other tools: replayed, they take as long as the runs that they were made of.

use std::path::Path;

use crate::{file, json, printed, refused};

/// Runs a skeleton with a trace, replays that, and compares.
fn check(app: &str, name: &str, most: f64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let run = json(&format!("app {app} --trace {}", path.display()));
    let again = json(&format!("replay {} {}", path.display(), machine(app)));
    let seconds = |summary: &serde_json::Value| summary["simulated_s"].as_f64().unwrap();
    let (run, again) = (seconds(&run), seconds(&again));
    let error = (again / run - 1.0).abs();
    assert!(error <= most, "{app}, {name}: {run} s, replayed {again} s");
}

/// The machine of a line.
fn machine(app: &str) -> String {
    let words: Vec<&str> = app.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "-p").unwrap();
    format!("-p {}", words[at + 1])
}

#[test]
fn archives_of_ours_replay_in_the_same_time() {
    check("ring -n 8 -p star-64 20 4096", "ring.otf2", 1e-3);
    check("lu-wave -n 16 -p star-64 4 4 8 60 2", "wave.otf2", 1e-3);
    check("halo3d -n 8 -p star-64 --map block:1 2 2 2 8 1 3", "halo.otf2", 1e-3);
    check("collectives -n 8 -p star-64 2 1000", "collectives.otf2", 1e-3);
}

#[test]
fn paraver_traces_of_ours_replay_in_the_same_time() {
    check("ring -n 8 -p star-64 20 4096", "ring.prv", 1e-3);
    check("lu-wave -n 16 -p star-64 4 4 8 60 2", "wave.prv", 1e-3);
}
