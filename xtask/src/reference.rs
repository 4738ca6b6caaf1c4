//! Predictions against stored figures of SimGrid, one case a line.
//!
//! A case passes when its simulated time is within 1 % of the stored one; nine cases in ten must
//! be within 0.1 %. The few that are further off and understood stand in
//! `docs/reference-exceptions.toml`, each with its reason.

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

/// A small part of the figures that travels with the source.
pub(crate) const SAMPLE: &str = "tests/reference/simgrid-p2p-sample.jsonl";
/// Where the whole set is looked for, beside the tree.
const WHOLE: &str = "reference/simgrid-p2p.jsonl";
const EXCEPTIONS: &str = "docs/reference-exceptions.toml";

/// Arguments of `cargo xtask reference`.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Figures to compare with (default: ../shared/reference/simgrid-p2p.jsonl, else the sample)
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
    let files = if options.file.is_empty() { vec![default_file()] } else { options.file.clone() };
    let binary = workspace::release_binary()?;
    let exceptions = verdict::Exceptions::read(&workspace::root().join(EXCEPTIONS))?;
    let mut missed = Vec::new();
    let mut rows = Vec::new();
    for file in &files {
        let cases = selected(file, options.only.as_deref())?;
        println!("{}: {} cases", file.display(), cases.len());
        let places = Places::new(&binary);
        let outcomes = runner::all(&cases, &places, options.jobs.unwrap_or_else(cores).max(1));
        let verdict = verdict::Verdict::new(&outcomes, &exceptions);
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

fn default_file() -> PathBuf {
    match workspace::shared().map(|folder| folder.join(WHOLE)).filter(|path| path.is_file()) {
        Some(whole) => whole,
        None => {
            println!("skipped: ../shared/{WHOLE} is not here; running the sample {SAMPLE}");
            workspace::root().join(SAMPLE)
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
