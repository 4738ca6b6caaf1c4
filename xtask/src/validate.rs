//! Predictions against measured runs of HPL.
//!
//! A folder of data has a table of runs, `hpl.csv`, and the calibrations that it names: platform
//! files and models of compute kernels. Each line of the table is predicted by `foretell app hpl`
//! from its calibrations alone, and the prediction is put beside what was measured, and beside what
//! SimGrid predicted where that is known.

mod case;
mod plot;
mod prediction;
mod report;
mod score;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace;
use case::Case;
use prediction::{Prediction, Predictor};

/// The table of runs in a folder of data.
const TABLE: &str = "hpl.csv";
/// Where the report goes, with its plots beside it in a folder of the same name.
const REPORT: &str = "docs/validation.md";

/// Arguments of `cargo xtask validate`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder with hpl.csv and the calibrations that it names (default: ../shared/data)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Run only the cases whose description contains this text; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Run only matrices up to this order
    #[arg(long, value_name = "N")]
    largest: Option<u64>,
    /// How many cases run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Run nothing: report what earlier runs with this data gave
    #[arg(long)]
    stored: bool,
    /// Write docs/validation.md and its plots
    #[arg(long)]
    write: bool,
}

/// Predicts the chosen cases and reports them; says so and does nothing where there are no data.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(folder) = folder(options.data.as_deref())? else {
        println!(
            "skipped: there is no ../shared/data with {TABLE}; give a folder with --data, such as \
             tests/validation (the book's page on validation describes its files)"
        );
        return Ok(());
    };
    let table = folder.join(TABLE);
    let text =
        fs::read_to_string(&table).with_context(|| format!("cannot read {}", table.display()))?;
    let cases = case::read(&text).with_context(|| format!("in {}", table.display()))?;
    let chosen: Vec<&Case> = cases.iter().filter(|case| is_chosen(case, options)).collect();
    if chosen.is_empty() {
        bail!("no case of {} is selected; leave out --only or --largest", table.display());
    }
    let predictor = Predictor::new(&folder, workspace::scratch("validate")?)?;
    if !options.stored {
        predictor.run_all(&chosen, &workspace::release_binary()?, options.jobs.max(1))?;
    }
    let mut predicted: Vec<(&Case, Prediction)> = Vec::new();
    for case in &cases {
        predicted.extend(predictor.stored(case)?.map(|prediction| (case, prediction)));
    }
    let sets = by_set(&predicted);
    for (name, rows) in &sets {
        println!("\n{}", report::text(name, rows));
    }
    if options.write {
        report::write(&workspace::root().join(REPORT), &sets, cases.len())?;
        println!("written: {REPORT}");
    }
    Ok(())
}

/// Predicted cases of a set, with their predictions.
type Rows<'a> = Vec<(&'a Case, Prediction)>;

/// The sets in the order of the table.
fn by_set<'a>(predicted: &[(&'a Case, Prediction)]) -> Vec<(&'a str, Rows<'a>)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sets: Vec<(&str, Rows<'a>)> = Vec::new();
    for (case, prediction) in predicted {
        let place = *places.entry(&case.set).or_insert_with(|| {
            sets.push((&case.set, Vec::new()));
            sets.len() - 1
        });
        sets[place].1.push((case, prediction.clone()));
    }
    sets
}

/// The folder of data: the one that was asked for, or the one beside the tree if it is there.
fn folder(asked: Option<&Path>) -> Result<Option<PathBuf>> {
    match asked {
        Some(folder) if folder.join(TABLE).is_file() => Ok(Some(folder.to_owned())),
        Some(folder) => bail!(
            "{} has no {TABLE}; the book's page on validation describes the files of such a folder",
            folder.display()
        ),
        None => {
            let beside = workspace::shared().map(|shared| shared.join("data"));
            Ok(beside.filter(|folder| folder.join(TABLE).is_file()))
        }
    }
}

fn is_chosen(case: &Case, options: &Options) -> bool {
    let described = case.to_string();
    let told = options.only.is_empty() || options.only.iter().any(|text| described.contains(text));
    told && options.largest.is_none_or(|largest| case.n <= largest)
}
