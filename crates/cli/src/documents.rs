//! `foretell completions` and `foretell man`: written from the definition of the command line.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::output;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "foretell", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page, or writes those of all sub-commands into a folder.
pub(crate) fn manual(folder: Option<&Path>) -> Result<ExitCode> {
    match folder {
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut text)?;
            output::print(&String::from_utf8_lossy(&text))?;
        }
        Some(folder) => {
            let cannot = || format!("cannot write manual pages into {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
