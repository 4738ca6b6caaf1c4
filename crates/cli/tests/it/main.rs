//! The command as users meet it: what it prints, what it writes, how it ends.
#![allow(clippy::unwrap_used, reason = "a test may fail where it likes")]

mod browser;
mod checks;
mod clusters;
mod compilers;
mod demo;
mod documents;
mod endings;
mod energy;
mod imports;
mod mistakes;
mod options;
mod placement;
mod platforms;
mod prefix;
mod programs;
mod replays;
mod runs;
mod summaries;
mod timed;
mod tracers;
mod tuning;
mod what_if;

use std::path::{Path, PathBuf};

/// What a command said, and its exit code.
#[derive(Debug)]
struct Said {
    out: String,
    err: String,
    code: i32,
}

/// Runs `foretell` with the words of a line.
fn foretell(line: &str) -> Said {
    foretell_words(&line.split_whitespace().collect::<Vec<_>>())
}

/// Runs `foretell` with these words.
fn foretell_words(words: &[&str]) -> Said {
    let output = assert_cmd::cargo::cargo_bin_cmd!("foretell").args(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("the command is not ended by a signal");
    Said { out: text(output.stdout), err: text(output.stderr), code }
}

/// Runs a line that must go well, and gives what it printed.
fn printed(line: &str) -> String {
    let said = foretell(line);
    assert_eq!(said.code, 0, "{line}: {}", said.err);
    said.out
}

/// Runs a line that must fail with this code, and gives its last words.
fn refused(line: &str, code: i32) -> String {
    let said = foretell(line);
    assert_eq!(said.code, code, "{line}: {}{}", said.out, said.err);
    assert_eq!(said.out, "", "{line}");
    said.err
}

/// The JSON summary of a run.
fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(&printed(&format!("{line} --json -"))).unwrap()
}

/// A fresh folder with one file in it, and that file.
fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// A file of the project.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/platforms").join(name)
}

/// Writes a program for a test to start.
///
/// Another process does the writing: were the file open here while a parallel test forks, the
/// system would refuse to start it as busy.
fn write_script(path: &Path, body: &str) {
    let mut writer = std::process::Command::new("sh");
    writer.args(["-e", "-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\"; chmod 755 \"$0\""]);
    assert!(writer.arg(path).arg(body).status().unwrap().success());
}
