//! `foretell platform`: machines listed, shown, checked, converted.

mod check;
mod convert;
mod list;
mod route;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// What to do with machines.
#[derive(Debug, Subcommand)]
pub(crate) enum PlatformCommand {
    /// Name the machines that come with foretell
    List,
    /// Describe a machine: its sizes, its network, its distances
    Show {
        /// A platform file or a preset
        #[arg(value_name = "FILE|PRESET")]
        platform: String,
        /// Draw the machine into this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Print the figures as JSON
        #[arg(long)]
        json: bool,
    },
    /// Tell all that is wrong or odd in platform files, at once
    ///
    /// Ends with exit code 2 if a file cannot be used, with 0 if there are only warnings.
    Check {
        /// Platform files or presets
        #[arg(value_name = "FILE|PRESET", required = true)]
        platforms: Vec<String>,
    },
    /// Write a machine in the other format, as the name of the new file says
    ///
    /// What ends in .xml is SimGrid's format, what ends in .toml is foretell's. What the new
    /// format cannot express is told.
    Convert {
        /// A platform file or a preset
        #[arg(value_name = "FROM")]
        from: String,
        /// The new file, .toml or .xml [default: prints .toml, or .xml if FROM is .toml]
        #[arg(value_name = "TO")]
        to: Option<PathBuf>,
    },
    /// Tell the links a message crosses from one host to another
    Route {
        /// A platform file or a preset
        #[arg(value_name = "FILE|PRESET")]
        platform: String,
        /// The host that sends
        from: String,
        /// The host that receives
        to: String,
    },
}

/// Does it.
pub(crate) fn run(command: PlatformCommand) -> Result<ExitCode> {
    match command {
        PlatformCommand::List => list::run(),
        PlatformCommand::Show { platform, svg, json: false } => show::text(&platform, svg),
        PlatformCommand::Show { platform, svg, json: true } => show::json(&platform, svg),
        PlatformCommand::Check { platforms } => check::run(&platforms),
        PlatformCommand::Convert { from, to } => convert::run(&from, to.as_deref()),
        PlatformCommand::Route { platform, from, to } => route::run(&platform, &from, &to),
    }
}
