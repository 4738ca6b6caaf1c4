//! `foretell run`: runs a compiled MPI program, every rank of it, in simulated time.
//!
//! The program's own process hosts the simulation: the command reads and checks all that was
//! asked for, writes it down as a [`foretell_launch::Launch`], starts the program, shows how far it
//! has come, and tells what it found. Standard output belongs to the program; all that is ours
//! goes to standard error.

mod child;
mod ending;
mod findings;
mod gdb;
mod machine;
mod options;
mod parts;
mod plan;
mod program;
mod report;
mod settings;
pub(crate) mod words;

use std::ffi::OsString;
use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use foretell_launch::{Launch, Outcome};
use foretell_trace::{INDEX, timed};

use crate::energy;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::output::{self, NewFile};
use crate::panics::command_line;
use crate::progress::Voice;
use crate::run_options::{Progress, RunOptions};
use options::ProgramOptions;
use plan::Plan;
use report::Report;

/// `foretell run …`.
#[derive(Debug, Args)]
#[command(mut_arg("ranks", |arg| arg.help(
    "How many ranks (also -np); if not told, as many as the host file has, or 1"
)))]
#[command(mut_arg("platform", |arg| arg.help(
    "The machine: a platform file (.toml, or SimGrid's .xml) or a preset of `platform list`; if \
     not told, a star with one node for each rank"
)))]
#[command(mut_arg("progress", |arg| arg.help(
    "When to say how far a long run has come [default: auto, while the program prints elsewhere]"
)))]
#[command(mut_arg("seed", |arg| arg.help("Where random numbers start")))]
pub(crate) struct RunCommand {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    kernels: KernelOptions,
    #[command(flatten)]
    program: ProgramOptions,
    /// The program and its arguments; `: -n M OTHER ARGS…` adds another
    // By now `--` stands before the program: see `words`.
    #[arg(value_name = "PROGRAM", required = true)]
    words: Vec<OsString>,
}

/// Runs a program and tells what was found.
pub(crate) fn run(command: RunCommand) -> Result<ExitCode> {
    let options = &command.run;
    let plan = Plan::new(&command)?;
    if !options.quiet {
        plan.warnings.iter().for_each(|warning| notes::warning(warning));
    }
    let file = match &options.json {
        Some(path) if !options.prints_json() => Some(NewFile::create(path)?),
        _ => None,
    };
    let power_file = options.power.as_deref().map(NewFile::create).transpose()?;
    if command.program.display_map {
        plan.placed.iter().for_each(|line| notes::plain(line));
    }
    let mut start = plan.start()?;
    let ran = child::run(&mut start, voice(options), &plan.stopwatch)?;
    sweep(&plan.launch, ran.process);
    let outcome = Outcome::receive(&start.channels.outcome)?;
    let end = ending::of(&ran, outcome.as_ref(), &plan);
    if let Some(outcome) = &outcome {
        let report = Report { plan: &plan, outcome, usage: ran.usage(outcome), code: end.code };
        if !options.quiet {
            outcome.warnings.iter().for_each(|warning| notes::warning(warning));
        }
        if let Some(file) = file {
            file.write(&report.json(&command_line()))?;
        }
        if let (Some(file), Some(_)) = (power_file, &outcome.energy) {
            file.write(&energy::csv(&outcome.power_series, outcome.seconds))?;
        }
        if options.prints_json() {
            output::print(&report.json(&command_line()))?;
        } else if !options.quiet && end.is_good() {
            notes::plain(report.summary().trim_end());
        }
    }
    end.messages.iter().for_each(|message| notes::error(message));
    if let Some(found) = outcome.and_then(|outcome| outcome.findings) {
        findings::tell(&found, &plan.launch.programs[0].name);
    }
    Ok(ExitCode::from(end.code))
}

/// Removes what a program that crashed has left of its traces.
fn sweep(launch: &Launch, process: u32) {
    let timed = launch.trace.as_ref().map(|trace| trace.path.as_path());
    let traces = timed.into_iter().chain(launch.trace_ti.as_deref());
    traces.for_each(|path| timed::sweep(path, process));
    // A folder that was there already has the files in it until they are complete.
    launch.trace_ti.iter().for_each(|folder| timed::sweep(&folder.join(INDEX), process));
}

/// Progress is drawn over the last line of the terminal, where the program may print too; so, if
/// not told, it is shown only while the program prints elsewhere.
fn voice(options: &RunOptions) -> Voice {
    let asked = options.progress.unwrap_or_default();
    Voice::new(match asked {
        _ if options.quiet => Progress::Never,
        Progress::Auto if stdout().is_terminal() => Progress::Never,
        asked => asked,
    })
}
