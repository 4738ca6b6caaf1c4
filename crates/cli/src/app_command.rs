//! `foretell app`: runs a skeleton.

use std::process::ExitCode;

use anyhow::Result;

use crate::args::AppCommand;
use crate::interrupt::Interrupt;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::output::{self, NewFile};
use crate::panics::command_line;
use crate::progress::Follower;
use crate::run::{Plan, Work};
use crate::run_options::{Progress, RunOptions};
use crate::{energy, json, summary};

/// Runs a skeleton and tells what was found.
pub(crate) fn run(command: AppCommand) -> Result<ExitCode> {
    let (app, options, kernels) = command.merged();
    follow(Work::App(app), &options, &kernels)
}

/// Simulates, and tells what was found as the options say.
pub(crate) fn follow(
    work: Work,
    options: &RunOptions,
    kernels: &KernelOptions,
) -> Result<ExitCode> {
    let plan = Plan::new(work, options, kernels)?;
    plan.warnings.iter().for_each(|warning| notes::warning(warning));
    let file = match &options.json {
        Some(path) if !options.prints_json() => Some(NewFile::create(path)?),
        _ => None,
    };
    let power_file = options.power.as_deref().map(NewFile::create).transpose()?;
    let progress = match options.quiet {
        true => Progress::Never,
        false => options.progress.unwrap_or_default(),
    };
    let outcome = plan.run(Follower::new(progress, Interrupt::listen()))?;
    if let Some(file) = file {
        file.write(&json::text(&outcome, &command_line()))?;
    }
    if let (Some(file), Some(found)) = (power_file, &outcome.energy) {
        file.write(&energy::csv(&found.series, outcome.report.seconds))?;
    }
    if options.prints_json() {
        output::print(&json::text(&outcome, &command_line()))?;
    } else if !options.quiet {
        output::print(&summary::text(&outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}
