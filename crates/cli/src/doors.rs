//! The entrances: what each command does with its words.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::args::{Cli, Command};
use crate::compiler::{self, Language};
use crate::{
    app_command, check_command, cluster_command, collectives_command, demo, documents, exit,
    panics, platform_command, replay_command, run_command, trace_command, tracer_command, words,
};

/// The `foretell` command.
pub fn foretell() -> ExitCode {
    panics::explain();
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some((language, rest)) = compiler_words(&words) {
        return ended(compiler::run(language, rest));
    }
    let words = match words.get(1).is_some_and(|word| word == "run") {
        true => match run_command::words::understood(&words) {
            Ok(words) => words,
            Err(error) => return exit::told(&error),
        },
        false => words::understood(words),
    };
    ended(dispatch(Cli::parse_from(words)))
}

fn ended(result: Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => exit::told(&error),
    }
}

fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        Command::Run(command) => run_command::run(*command),
        Command::App(command) => app_command::run(*command),
        Command::Replay(command) => replay_command::run(&command),
        Command::Platform(command) => platform_command::run(command),
        Command::Trace(command) => trace_command::run(command),
        Command::Tracer(command) => tracer_command::run(&command),
        Command::Cluster(command) => cluster_command::run(command),
        Command::Collectives(command) => collectives_command::run(command),
        Command::Check(command) => check_command::run(&command),
        Command::Cc(words) => compiler::run(Language::C, &words.words),
        Command::Cxx(words) => compiler::run(Language::Cxx, &words.words),
        Command::Fc(words) => compiler::run(Language::Fortran, &words.words),
        Command::Demo => demo::run(),
        Command::Completions { shell } => documents::completions(shell),
        Command::Man { dir } => documents::manual(dir.as_deref()),
    }
}

/// The words for a compiler, which are not ours to read; help about ourselves is.
fn compiler_words(words: &[OsString]) -> Option<(Language, &[OsString])> {
    let rest = words.get(2..)?;
    let language = match words.get(1)?.to_str()? {
        // The wrappers come here as `mpicc`, `mpicxx` and `mpifort`: all their words are the compiler's.
        "mpicc" => return Some((Language::C, rest)),
        "mpicxx" => return Some((Language::Cxx, rest)),
        "mpifort" => return Some((Language::Fortran, rest)),
        "cc" => Language::C,
        "cxx" => Language::Cxx,
        "fc" => Language::Fortran,
        _ => return None,
    };
    let is_help = matches!(rest, [word] if word == "--help" || word == "-h");
    (!is_help).then_some((language, rest))
}
