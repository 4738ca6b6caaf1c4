//! `foretell cluster fit`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use foretell_models::{ClusterModel, Observations};

use super::{put, read};
use crate::notes;

pub(super) const EXAMPLES: &str = "\
Examples:
  foretell cluster fit dgemm-by-day.csv --output cluster.toml
  foretell cluster fit dgemm-by-day.csv --kinds 2 > with-slow-nodes.toml";

/// What to learn from.
#[derive(Debug, Args)]
pub(crate) struct Fit {
    /// The table of coefficients
    #[arg(value_name = "TABLE.csv")]
    table: PathBuf,
    /// The kernel, if the table is about several or does not say
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Kinds of nodes to tell apart, such as 2 where some are slow
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
    kinds: u16,
    /// Write the model to a file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Fit {
    /// Learns, and writes what was learnt.
    pub(super) fn run(&self) -> Result<()> {
        let observations =
            read(&self.table, |text| Observations::from_csv(text, self.kernel.as_deref()))?;
        let kinds = usize::from(self.kinds);
        let model = ClusterModel::fit(&observations, kinds)?;
        if model.daily.rows().flatten().all(|element| *element == 0.0) {
            notes::warning("no processor was measured twice: nothing is known of days");
        }
        if model.kinds.len() < kinds {
            notes::warning(&format!("only {} kinds of nodes can be told apart", model.kinds.len()));
        }
        put(&model.to_toml(), self.output.as_ref())
    }
}
