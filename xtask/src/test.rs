//! Everything that must pass before a change is good, in one command.
//!
//! Steps go from fast to slow. A step that cannot run here (no SimGrid, no reference figures) is
//! skipped and says so; a step that fails does not hide the later ones.

mod examples;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use clap::Args;

use crate::packages::{self, Policy};
use crate::{
    bench, docs, launches, parity, reference, rsmpi, samples, shell, suite, tidy, traces, workspace,
};

/// Arguments of `cargo xtask test`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Whether missing Debian packages may be installed
    #[arg(long, value_enum, default_value_t = Policy::Auto)]
    packages: Policy,
}

/// How a step ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It ran and passed.
    Passed,
    /// It could not run here, and why.
    Skipped(String),
}

impl End {
    /// Says why a step that was run by itself did nothing.
    pub(crate) fn told(self) {
        if let End::Skipped(why) = self {
            println!("skipped: {why}");
        }
    }
}

/// A check with the name it has in the summary.
type Step<'a> = (&'static str, Box<dyn Fn() -> Result<End> + 'a>);

/// Runs all steps and prints a summary; an error when one failed.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = workspace::release_binary;
    let steps: Vec<Step<'_>> = vec![
        ("format", Box::new(format)),
        ("tidy", Box::new(|| tidy::run().map(|()| End::Passed))),
        ("lints", Box::new(lints)),
        ("tests", Box::new(|| tests(options.packages))),
        ("documentation tests", Box::new(documentation_tests)),
        ("release binary", Box::new(|| binary().map(|_| End::Passed))),
        ("examples", Box::new(|| examples::run(&binary()?))),
        ("commands shown in the documents", Box::new(|| examples::shown_commands(&binary()?))),
        (
            "parity with a real MPI",
            Box::new(|| parity::run(&parity::Options::all(options.packages)).map(|()| End::Passed)),
        ),
        ("ways to build and start programs", Box::new(launches::run)),
        (
            "examples of the crate mpi",
            Box::new(|| rsmpi::run(&rsmpi::Options::all(options.packages))),
        ),
        (
            "MPICH's suite, sample",
            Box::new(|| suite::run(&suite::Options::sample(options.packages))),
        ),
        ("reference figures, sample", Box::new(sample)),
        ("reference figures, all", Box::new(whole_reference)),
        (
            "traces there and back",
            Box::new(|| traces::run(&traces::Options::all(options.packages))),
        ),
        ("traces of other tools", Box::new(|| samples::run(&samples::Options::default()))),
        ("SimGrid side by side", Box::new(|| side_by_side(&binary()?, options.packages))),
        ("book", Box::new(book)),
    ];
    summary(steps)
}

fn summary(steps: Vec<Step<'_>>) -> Result<()> {
    let mut lines = Vec::new();
    let mut failed = 0;
    for (name, step) in steps {
        println!("== {name}");
        lines.push(match step() {
            Ok(End::Passed) => format!("passed   {name}"),
            Ok(End::Skipped(why)) => format!("skipped  {name}: {why}"),
            Err(error) => {
                failed += 1;
                println!("{error:#}");
                format!("FAILED   {name}: {error:#}")
            }
        });
    }
    println!("== summary\n{}", lines.join("\n"));
    if failed > 0 {
        bail!("{failed} of {} steps failed", lines.len());
    }
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<End> {
    shell::run(shell::cargo().current_dir(workspace::root()).args(arguments))?;
    Ok(End::Passed)
}

/// Whether cargo has a sub-command, after asking rustup for the component that brings it.
fn component(subcommand: &str, name: &str) -> bool {
    let mut add = Command::new("rustup");
    add.args(["component", "add", name]);
    shell::cargo_has(subcommand) || (shell::run(&mut add).is_ok() && shell::cargo_has(subcommand))
}

fn format() -> Result<End> {
    if !component("fmt", "rustfmt") {
        return Ok(End::Skipped("this toolchain has no rustfmt".into()));
    }
    cargo(&["fmt", "--all", "--", "--check"])
}

fn lints() -> Result<End> {
    if !component("clippy", "clippy") {
        return Ok(End::Skipped("this toolchain has no clippy".into()));
    }
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn tests(policy: Policy) -> Result<End> {
    for tool in packages::FOR_TRACES {
        if !tool.ready(policy) {
            println!("skipped: {}; tests that use it say so", tool.hint());
        }
    }
    if shell::cargo_has("nextest") {
        cargo(&["nextest", "run", "--workspace"])
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--examples"])
    }
}

fn documentation_tests() -> Result<End> {
    cargo(&["test", "--workspace", "--doc"])
}

fn sample() -> Result<End> {
    let file = reference::SAMPLES.map(|sample| workspace::root().join(sample)).into();
    reference::run(&reference::Options { file, ..Default::default() })?;
    Ok(End::Passed)
}

fn whole_reference() -> Result<End> {
    if workspace::shared().is_none_or(|folder| !folder.join("reference").is_dir()) {
        return Ok(End::Skipped("../shared/reference is not here".into()));
    }
    reference::run(&reference::Options::default())?;
    Ok(End::Passed)
}

fn side_by_side(binary: &Path, policy: Policy) -> Result<End> {
    Ok(match bench::agreement(&binary.to_string_lossy(), policy)? {
        Some(_) => End::Passed,
        None => End::Skipped(packages::SIMGRID.hint()),
    })
}

fn book() -> Result<End> {
    docs::run(&docs::Options { check: true })?;
    if shell::exists("mdbook") {
        Ok(End::Passed)
    } else {
        Ok(End::Skipped("mdbook is not here; only the generated pages were checked".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_fails_the_whole_and_hides_nothing() {
        let last = std::cell::Cell::new(false);
        let steps: Vec<Step<'_>> = vec![
            ("good", Box::new(|| Ok(End::Passed))),
            ("bad", Box::new(|| bail!("broken"))),
            (
                "after",
                Box::new(|| {
                    last.set(true);
                    Ok(End::Skipped("not here".into()))
                }),
            ),
        ];
        let error = summary(steps).unwrap_err();
        assert_eq!(error.to_string(), "1 of 3 steps failed");
        assert!(last.get());
    }

    #[test]
    fn a_skipped_step_is_no_failure() {
        let steps: Vec<Step<'_>> = vec![("away", Box::new(|| Ok(End::Skipped("not here".into()))))];
        assert!(summary(steps).is_ok());
    }
}
