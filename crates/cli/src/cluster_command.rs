//! `foretell cluster`: how processors of a cluster differ, learnt from measurements and drawn again.

mod draw;
mod fit;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use foretell_diagnostics::{Diagnostic, Source, render_with};

use crate::exit::Drawn;
use crate::{notes, output};
use draw::Draw;
use fit::Fit;

/// What to do with clusters.
#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Learn how the models of a kernel vary between processors and days
    ///
    /// Reads a table with a line for each processor and day: columns `kernel`, `host` or `node`,
    /// `cpu`, `day`, and the coefficients of a model, as `--kernels` takes it. Finds the mean, the
    /// covariance between processors and that from day to day, for each kind of nodes.
    #[command(after_help = fit::EXAMPLES)]
    Fit(Fit),
    /// Draw a cluster from what was learnt, as models for --kernels
    ///
    /// The same seed gives the same cluster; the nodes of a cluster are also those of a larger one.
    #[command(after_help = draw::EXAMPLES)]
    Draw(Draw),
}

/// Does it.
pub(crate) fn run(command: ClusterCommand) -> Result<ExitCode> {
    match command {
        ClusterCommand::Fit(fit) => fit.run()?,
        ClusterCommand::Draw(draw) => draw.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The text of a file, and what it says.
fn read<T>(
    path: &Path,
    reader: impl FnOnce(&str) -> std::result::Result<T, Vec<Diagnostic>>,
) -> Result<T> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    reader(&text).map_err(|mistakes| {
        let source = Source::new(path.display().to_string(), text);
        Drawn(render_with(&source, &mistakes, notes::colour())).into()
    })
}

/// Writes a text to a file, or prints it.
fn put(text: &str, path: Option<&PathBuf>) -> Result<()> {
    match path {
        Some(path) => output::write(path, text),
        None => output::print(text),
    }
}
