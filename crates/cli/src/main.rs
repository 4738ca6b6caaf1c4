//! The `foretell` command: tells how long an MPI application will run on a machine you do not
//! have.
//!
//! Each sub-command has a file of its own. They write to standard output through the [`output`]
//! module, so that a closed pipe ends the command quietly, and say what is wrong through
//! [`notes`]. Only this crate measures the simulator: see [`meters`].
#![forbid(unsafe_code)]

mod app_command;
mod args;
mod demo;
mod documents;
mod exit;
mod figures;
mod hostfile;
mod idle_options;
mod interrupt;
mod json;
mod mapping;
mod meters;
mod notes;
mod options;
mod output;
mod panics;
mod platform_command;
mod platform_file;
mod progress;
mod run;
mod run_options;
mod skeleton;
mod summary;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    panics::explain();
    let words = words::understood(std::env::args_os());
    let cli = Cli::parse_from(words);
    match dispatch(cli) {
        Ok(code) => code,
        Err(error) => exit::told(&error),
    }
}

fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::App(command) => app_command::run(*command),
        Command::Platform(command) => platform_command::run(command),
        Command::Demo => demo::run(),
        Command::Completions { shell } => documents::completions(shell),
        Command::Man { dir } => documents::manual(dir.as_deref()),
    }
}
