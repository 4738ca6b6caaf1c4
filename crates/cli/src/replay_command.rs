//! `foretell replay`: does what a trace says.

use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Result;
use clap::Args;
use foretell_replay::Replay;
use foretell_trace::Trace;

use crate::app_command;
use crate::kernel_options::KernelOptions;
use crate::run::Work;
use crate::run_options::RunOptions;

/// `foretell replay …`.
#[derive(Debug, Args)]
pub(crate) struct ReplayCommand {
    /// A time-independent trace of SimGrid's form: one file with the actions of all ranks, a list
    /// of files, one for each rank, or a folder with such a list as index.txt; or a compact one
    #[arg(id = "replayed", value_name = "TRACE")]
    trace: PathBuf,
    #[command(flatten)]
    options: RunOptions,
}

/// Replays a trace and tells what was found.
pub(crate) fn run(command: &ReplayCommand) -> Result<ExitCode> {
    let trace = Trace::open(&command.trace)?;
    let work = Work::Replay(Rc::new(Replay::new(trace)), command.trace.clone());
    app_command::follow(work, &command.options, &KernelOptions::default())
}
