//! Traces that other tools have written: each is read, brought into the compact form, and replayed.
//!
//! They are looked for beside the tree, in `../shared/data/traces`, since they are not ours to give
//! away; `--folder` names another place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::test::End;
use crate::{foretell, shell, workspace};

/// Arguments of `cargo xtask samples`.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Folder with traces (default: ../shared/data/traces)
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Read only the traces whose path contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// A machine that has a host for each rank of most traces; further ranks share.
const MACHINE: &str = "star-4096";
/// What a recorded second is taken for, by replays and by the compact form alike.
const SPEED: &str = "1Gf";
/// The copy may take so much more or less time than the trace.
const CLOSE: f64 = 0.001;
/// What names of traces end in.
const TRACES: [&str; 6] = ["otf2", "prv", "dim", "goal", "meta", "fti"];
/// What names of time-independent texts end in, and of many other things.
const TEXTS: [&str; 4] = ["txt", "ti", "trace", "list"];
/// How the binary form of a GOAL schedule begins.
const COOKIE: [u8; 8] = 4223_u64.to_le_bytes();

/// Reads all; an error when one cannot be read or replayed.
pub(crate) fn run(options: &Options) -> Result<End> {
    let usual = workspace::shared().map(|shared| shared.join("data/traces"));
    let Some(folder) = options.folder.clone().or(usual).filter(|folder| folder.is_dir()) else {
        return Ok(End::Skipped("../shared/data/traces is not here".into()));
    };
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let (traces, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| is_trace(file));
    let binary = workspace::release_binary()?;
    let copies = workspace::scratch("samples")?;
    let mut failed = 0;
    let wanted = |path: &Path| match &options.only {
        Some(text) => path.to_string_lossy().contains(text.as_str()),
        None => true,
    };
    for trace in traces.iter().filter(|path| wanted(path)) {
        let name = trace.strip_prefix(&folder).unwrap_or(trace).display();
        match read(&binary, trace, &copies) {
            Ok(told) => println!("read    {name}: {told}"),
            Err(error) => {
                failed += 1;
                println!("FAILED  {name}: {error:#}");
            }
        }
    }
    println!("{} traces; {} files beside them are none by themselves", traces.len(), others.len());
    if failed > 0 {
        bail!("{failed} of {} traces cannot be read", traces.len());
    }
    match traces.len() {
        0 => Ok(End::Skipped(format!("{} has no traces", folder.display()))),
        _ => Ok(End::Passed),
    }
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot = || format!("cannot list {}", folder.display());
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Whether a file is what a user would name, and not a part of something else.
fn is_trace(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let start = || fs::read(path).unwrap_or_default();
    match ending {
        ending if TRACES.contains(&ending) => true,
        "bin" => start().starts_with(&COOKIE),
        ending if TEXTS.contains(&ending) => is_list(path, &start()) || is_merged(&start()),
        _ => false,
    }
}

/// Lines of a text, but for those that are empty or comments.
fn lines(text: &[u8]) -> impl Iterator<Item = &str> {
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether it names a file in each line.
fn is_list(path: &Path, text: &[u8]) -> bool {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut named = lines(text).map(|line| folder.join(line).is_file()).peekable();
    named.peek().is_some() && named.all(|is_there| is_there)
}

/// Whether its lines are actions of more ranks than one, or of rank 0 alone with its end.
fn is_merged(text: &[u8]) -> bool {
    let rank = |line: &str| line.split_whitespace().next()?.parse::<u32>().ok();
    let first = lines(text).next().and_then(rank);
    first.is_some() && lines(text).any(|line| rank(line).is_some_and(|other| Some(other) != first))
}

#[derive(Deserialize)]
struct Replayed {
    actions: u64,
    ranks: u32,
}

/// Reads and replays a trace, and its copy in the compact form; tells what is in it.
fn read(binary: &Path, trace: &Path, copies: &Path) -> Result<String> {
    let (seconds, text) = replay(binary, trace)?;
    let start = text.find('{').context("no JSON in the output")?;
    let Replayed { actions, ranks } = serde_json::from_str(&text[start..])?;
    if !is_schedule(trace) {
        let copy = copies.join("copy.fti");
        let mut convert = Command::new(binary);
        convert.args(["trace", "convert", "--recorded-speed", SPEED]).arg(trace).arg(&copy);
        shell::output(&mut convert)?;
        let (again, _) = replay(binary, &copy)?;
        if (again - seconds).abs() > CLOSE * seconds {
            bail!("it takes {seconds} s, and {again} s in the compact form");
        }
    }
    Ok(format!("{ranks} ranks, {actions} actions, {seconds} s on {MACHINE}"))
}

/// Simulated seconds, and the whole summary.
fn replay(binary: &Path, trace: &Path) -> Result<(f64, String)> {
    let mut command = Command::new(binary);
    command.arg("replay").arg(trace).args(["-p", MACHINE, "--map", "cyclic"]);
    command.args(["--recorded-speed", SPEED, "--quiet", "--json", "-"]);
    let text = shell::output(&mut command)?;
    Ok((foretell::answer(&text)?.sim_s, text))
}

/// Whether it tells graphs, which have no compact form.
fn is_schedule(trace: &Path) -> bool {
    trace.extension().is_some_and(|ending| ending == "goal" || ending == "bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_told_from_what_belongs_to_them() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, text: &[u8], expected: bool| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            assert_eq!(is_trace(&path), expected, "{name}");
        };
        check("a.prv", b"#Paraver", true);
        check("a.pcf", b"", false);
        check("rank-0.txt", b"0 init\n0 finalize\n", false);
        check("all.txt", b"# both\n0 init\n1 init\n", true);
        check("index.txt", b"rank-0.txt\n", true);
        check("README.txt", b"Where these are from\n", false);
        check("schedule.bin", &COOKIE, true);
        check("dumpi-0000.bin", b"\xff\xaa\xddDUMPI", false);
    }

    #[test]
    fn files_are_found_in_folders_of_folders() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c.prv"), "").unwrap();
        let mut files = Vec::new();
        collect(folder.path(), &mut files).unwrap();
        assert_eq!(files, [folder.path().join("a/b/c.prv")]);
    }
}
