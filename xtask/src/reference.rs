//! Predictions against stored figures of SimGrid, one case a line.
//!
//! A case is a program, or a trace that both sides replay. A point-to-point case or a replay passes when its simulated time is within 1 % of the stored one; nine cases
//! in ten must be within 0.1 %. For collectives it is 10 % and 2 %. The few that are further off and
//! understood stand in `docs/reference-exceptions.toml`, each with its reason.

mod case;
pub(crate) mod grid;
mod runner;
mod verdict;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace;
use case::Case;

pub(crate) use runner::Places;

/// Small parts of the figures that travel with the source.
pub(crate) const SAMPLES: [&str; 3] = [
    "tests/reference/simgrid-p2p-sample.jsonl",
    "tests/reference/simgrid-coll-sample.jsonl",
    "tests/reference/simgrid-replay-sample.jsonl",
];
/// Where the whole sets are looked for, beside the tree.
const WHOLE: [&str; 3] = [
    "reference/simgrid-p2p.jsonl",
    "reference/simgrid-coll.jsonl",
    "reference/simgrid-replay.jsonl",
];
const EXCEPTIONS: &str = "docs/reference-exceptions.toml";

/// Arguments of `cargo xtask reference`.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Figures to compare with (default: simgrid-p2p.jsonl, simgrid-coll.jsonl and
    /// simgrid-replay.jsonl of ../shared/reference, else the samples)
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Run only the cases whose description contains this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// How many cases run at once (default: one per core)
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Write every row to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// Runs the comparison; an error when a case or the distribution misses its bound.
pub(crate) fn run(options: &Options) -> Result<()> {
    let files = if options.file.is_empty() { default_files() } else { options.file.clone() };
    let binary = workspace::release_binary()?;
    let exceptions = verdict::Exceptions::read(&workspace::root().join(EXCEPTIONS))?;
    let mut missed = Vec::new();
    let mut rows = Vec::new();
    for file in &files {
        let cases = selected(file, options.only.as_deref())?;
        println!("{}: {} cases", file.display(), cases.len());
        let places = Places::new(&binary).traces(file);
        let outcomes = runner::all(&cases, &places, options.jobs.unwrap_or_else(cores).max(1));
        let bounds = verdict::Bounds::of(&cases);
        let verdict = verdict::Verdict::new(&outcomes, &exceptions, bounds);
        println!("{verdict}");
        missed.extend(verdict.misses());
        rows.extend(outcomes);
    }
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&rows)?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if !missed.is_empty() {
        bail!("reference: {}", missed.join("; "));
    }
    Ok(())
}

fn selected(file: &Path, only: Option<&str>) -> Result<Vec<Case>> {
    let mut cases = case::read(file)?;
    cases.retain(|case| only.is_none_or(|text| case.to_string().contains(text)));
    if cases.is_empty() {
        bail!("no case of {} is selected; try `--only` with a shorter text", file.display());
    }
    Ok(cases)
}

fn default_files() -> Vec<PathBuf> {
    let shared = workspace::shared();
    let each = |(whole, sample): (&str, &str)| {
        let beside = shared.as_ref().map(|folder| folder.join(whole));
        beside.filter(|path| path.is_file()).unwrap_or_else(|| {
            println!("skipped: ../shared/{whole} is not here; running the sample {sample}");
            workspace::root().join(sample)
        })
    };
    WHOLE.into_iter().zip(SAMPLES).map(each).collect()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
