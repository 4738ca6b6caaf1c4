//! The first part of the demonstration: a C program that comes with foretell is compiled and run.
//!
//! Both are done by the command itself, in processes of their own, as a user would do it.

use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::figures::{count, result, time};
use crate::layout::Layout;
use crate::output::print;

/// The program, among the examples of the layout.
const SOURCE: &str = "heat.c";
/// What is shown of it: a sentence, and the words after `foretell run`.
const SCENES: [(&str, &str); 2] = [
    (
        "That program, unmodified, with 64 ranks on 16 nodes of the graphene cluster",
        "-n 64 -p graphene --clock cpu ./heat 1024 20",
    ),
    (
        "The same with 512 ranks on a torus, its messages alone",
        "-n 512 -p torus-512 --computation off ./heat 1024 20",
    ),
];

/// Why the program could not be shown.
#[derive(Debug)]
pub(super) struct Missing(pub(super) String);

/// Compiles the program and runs it on two machines.
///
/// What is missing here, such as a compiler, is told and is no error; a program that fails is one.
pub(super) fn run() -> Result<Option<Missing>> {
    let layout = match Layout::find() {
        Ok(layout) => layout,
        Err(error) => return Ok(Some(Missing(error.to_string()))),
    };
    let source = layout.examples.join(SOURCE);
    if !source.is_file() {
        return Ok(Some(Missing(format!("there is no {}", source.display()))));
    }
    let folder = tempfile::tempdir().context("cannot make a folder for the program")?;
    let shown = format!("foretell-mpicc -O2 {} -o heat -lm", source.display());
    print(&format!("How heat spreads over a plate: an MPI program in C\n  $ {shown}\n\n"))?;
    if let Some(missing) = compile(&source, &folder)? {
        return Ok(Some(missing));
    }
    for (title, words) in SCENES {
        print(&format!("{title}\n  $ foretell run {words}\n"))?;
        let told =
            simulate(words, &folder).with_context(|| format!("`foretell run {words}` failed"))?;
        print(&told)?;
    }
    Ok(None)
}

fn compile(source: &Path, folder: &TempDir) -> Result<Option<Missing>> {
    let built =
        own(folder)?.args(["cc", "-O2"]).arg(source).args(["-o", "heat", "-lm"]).output()?;
    if built.status.success() {
        return Ok(None);
    }
    let first = last_words(&built);
    Ok(Some(Missing(format!("the compiler did not build it: {first}"))))
}

/// Runs the program; what it printed, and what was found.
fn simulate(words: &str, folder: &TempDir) -> Result<String> {
    let summary = folder.path().join("summary.json");
    let mut command = own(folder)?;
    command.args(["run", "-q", "--json"]).arg(&summary).args(words.split_whitespace());
    let ran = command.output()?;
    if !ran.status.success() {
        bail!("{}", last_words(&ran));
    }
    let summary: Value = serde_json::from_slice(&std::fs::read(summary)?)?;
    let number = |key: &str| summary[key].as_f64().unwrap_or(f64::NAN);
    let printed = String::from_utf8_lossy(&ran.stdout);
    let lines: String = printed.lines().map(|line| format!("  {line}\n")).collect();
    Ok(format!(
        "{lines}  takes {} there with {} messages; {} here\n\n",
        result(number("simulated_s")),
        count(summary["messages"].as_u64().unwrap_or_default()),
        time(number("wall_s"))
    ))
}

/// This command, to be started in the folder of the program.
fn own(folder: &TempDir) -> Result<Command> {
    let path = std::env::current_exe().context("the system does not tell where foretell is")?;
    let mut command = Command::new(path);
    command.current_dir(folder.path()).stdin(std::process::Stdio::null());
    // Cargo names its own folders there, where another build of the library may lie.
    command.env_remove("LD_LIBRARY_PATH");
    Ok(command)
}

/// What a command said on standard error, in one line.
fn last_words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    first.map_or_else(|| output.status.to_string(), |line| line.replacen("error: ", "", 1))
}
