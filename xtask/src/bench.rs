//! Speed and memory, side by side with SimGrid on the same machine in the same series.
//!
//! Each configuration runs under both simulators in turn, several times; the least of each figure
//! counts. The rate is the messages of the application over the CPU time of the timed section, so
//! start-up is not in it. Where SimGrid is not installed, or would take too long, the figures of
//! SimGrid 4.1.1 that were recorded beforehand stand alone.

mod configuration;
mod instructions;
pub(crate) mod platforms;
mod race;
mod report;
mod simgrid;
mod table;
pub(crate) mod traces;
mod tracing;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::packages::{self, Policy};
use crate::workspace;
use configuration::{Configuration, Suite};

/// Arguments of `cargo xtask bench`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// One repetition of the small configurations only
    #[arg(long)]
    quick: bool,
    /// Run only this suite
    #[arg(long, value_enum)]
    suite: Option<Suite>,
    /// Run only the configurations whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write every row to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Repetitions of a run; the least of each figure counts
    #[arg(long, default_value_t = 3)]
    repeat: u32,
    /// CPU seconds after which a run of SimGrid is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 100)]
    cap: u64,
    /// Run SimGrid also where it takes minutes
    #[arg(long)]
    long: bool,
    /// Do not run SimGrid: compare with its recorded figures only
    #[arg(long)]
    alone: bool,
    /// Count instructions per message with valgrind instead of measuring time
    #[arg(long)]
    instructions: bool,
    /// Measure what traces with dates cost
    #[arg(long)]
    tracing: bool,
    /// Whether a missing Debian package may be installed
    #[arg(long, value_enum, default_value_t = Policy::Auto)]
    packages: Policy,
}

/// Runs the chosen configurations; an error when a row misses its bar.
pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = workspace::release_binary()?.to_string_lossy().into_owned();
    if options.instructions {
        return instructions::run(&binary, options.only.as_deref(), options.packages);
    }
    if options.tracing {
        return tracing::run(&binary, options.only.as_deref(), options.repeat);
    }
    let chosen: Vec<_> =
        table::configurations().into_iter().filter(|row| is_chosen(row, options)).collect();
    if chosen.is_empty() {
        bail!("no configuration is selected; leave out --only, --suite or --quick");
    }
    let folder = workspace::scratch("bench")?;
    let other = other_side(options, &folder)?;
    let repeat = if options.quick { 1 } else { options.repeat.max(1) };
    let course =
        race::Course { binary, folder, other, repeat, cap: options.cap, long: options.long };
    println!("{}", report::HEAD);
    let mut rows = Vec::new();
    for configuration in chosen {
        let row = report::Row::new(race::run(&configuration, &course)?, configuration);
        println!("{row}");
        rows.push(row);
    }
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let missed = rows.iter().filter(|row| !row.passes()).count();
    println!("{} of {} rows hold their bar", rows.len() - missed, rows.len());
    if missed > 0 {
        bail!("bench: {missed} rows miss");
    }
    Ok(())
}

/// Compares simulated times of a few small runs with the SimGrid that is installed.
///
/// `None` when SimGrid is not there. Speed is not looked at.
pub(crate) fn agreement(binary: &str, policy: Policy) -> Result<Option<usize>> {
    if !packages::SIMGRID.ready(policy) {
        return Ok(None);
    }
    let folder = workspace::scratch("bench")?;
    let other = Some(simgrid::SimGrid::build(&folder)?);
    let course =
        race::Course { binary: binary.to_owned(), folder, other, repeat: 1, cap: 60, long: false };
    let small: Vec<_> = table::configurations().into_iter().filter(|row| row.agreement).collect();
    for configuration in &small {
        let finish = race::run(configuration, &course)?;
        if let Some(why) = finish.disagreement(configuration) {
            bail!("{}: {why}", configuration.name);
        }
        println!("{}: simulated times agree", configuration.name);
    }
    Ok(Some(small.len()))
}

fn is_chosen(row: &Configuration, options: &Options) -> bool {
    (!options.quick || row.quick)
        && options.suite.is_none_or(|suite| row.suite == suite)
        && options.only.as_deref().is_none_or(|text| row.name.contains(text))
}

fn other_side(options: &Options, folder: &std::path::Path) -> Result<Option<simgrid::SimGrid>> {
    if options.alone {
        return Ok(None);
    }
    if !packages::SIMGRID.ready(options.packages) {
        println!("skipped: {}; recorded figures stand alone", packages::SIMGRID.hint());
        return Ok(None);
    }
    simgrid::SimGrid::build(folder).map(Some)
}
