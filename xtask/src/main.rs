//! The project's chores, run as `cargo xtask <command>`.
//!
//! Nothing here is part of the simulator: these commands check the tree, run the tests, compare
//! predictions with stored reference figures, measure speed side by side with SimGrid, install the
//! binary and build the book.

#![forbid(unsafe_code)]
// A chore talks to a person at a terminal; printing is its result.
#![allow(clippy::print_stdout)]

mod bench;
mod choices;
mod docs;
mod foretell;
mod fortran;
mod install;
mod launches;
mod measure;
mod packages;
mod parity;
mod reference;
mod rsmpi;
mod samples;
mod shell;
mod suite;
mod test;
mod tidy;
mod traces;
mod validate;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the foretell project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the tracked files: rooms, lengths, headers, white space, unfinished marks
    Tidy,
    /// Run everything that must pass: format, lints, tidy, tests, examples, reference figures
    Test(test::Options),
    /// Compare predictions with stored reference figures, case by case
    Reference(reference::Options),
    /// Run the programs of tests/mpi and compare them with a real MPI
    Parity(parity::Options),
    /// Observe which collective algorithms a real MPI library chooses
    Choices(choices::Options),
    /// Try the ways to build and start a program: CMake, configure, gdb, several programs, …
    Launches,
    /// Build and run the examples of the crate `mpi` from the registry
    Rsmpi(rsmpi::Options),
    /// Build and run tests of MPICH's own suite
    Suite(suite::Options),
    /// Write MPI's Fortran face from the C prototypes
    Fortran(fortran::Options),
    /// Measure speed and memory side by side with SimGrid
    Bench(bench::Options),
    /// Predict measured runs from calibrations, and report how close it comes
    Validate(validate::Options),
    /// Capture traces and replay them, by us and by SimGrid
    Traces(traces::Options),
    /// Read and replay traces that other tools have written
    Samples(samples::Options),
    /// Install the release binary, its manual pages and its shell completions
    Install(install::Options),
    /// Write the generated pages and build the book
    Docs(docs::Options),
    /// Run one program and report what it used (how `bench` starts its children)
    #[command(hide = true)]
    Measure(measure::Options),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Tidy => tidy::run(),
        Command::Test(options) => test::run(&options),
        Command::Reference(options) => reference::run(&options),
        Command::Parity(options) => parity::run(&options),
        Command::Choices(options) => choices::run(&options),
        Command::Launches => launches::run().map(|end| end.told()),
        Command::Rsmpi(options) => rsmpi::run(&options).map(|end| end.told()),
        Command::Suite(options) => suite::run(&options).map(|end| end.told()),
        Command::Fortran(options) => fortran::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Validate(options) => validate::run(&options),
        Command::Traces(options) => traces::run(&options).map(|end| end.told()),
        Command::Samples(options) => samples::run(&options).map(|end| end.told()),
        Command::Install(options) => install::run(&options),
        Command::Docs(options) => docs::run(&options),
        Command::Measure(options) => measure::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
