//! Models of compute kernels, as asked for on the command line.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use foretell_diagnostics::{Source, render_with};
use foretell_launch::KernelModels;
use foretell_mpi::{ComputeKernels, RankKernels};
use foretell_platform::{HostId, Platform};

use crate::exit::Drawn;
use crate::notes;

/// How long calls of compute kernels take.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct KernelOptions {
    /// Models of compute kernels: a file in TOML, or a table (.csv); without, kernels take the
    /// time of their operations on a core
    #[arg(long, value_name = "FILE")]
    pub(crate) kernels: Option<PathBuf>,
    /// The day whose models count, if the file tells days apart
    #[arg(long, value_name = "DAY", requires = "kernels")]
    pub(crate) day: Option<String>,
    /// Let every call of a kernel take its mean time
    #[arg(long)]
    pub(crate) no_noise: bool,
}

impl KernelOptions {
    /// These options, and where they say nothing those of `before`.
    pub(crate) fn over(self, before: KernelOptions) -> KernelOptions {
        KernelOptions {
            kernels: self.kernels.or(before.kernels),
            day: self.day.or(before.day),
            no_noise: self.no_noise || before.no_noise,
        }
    }

    /// What a child that runs a program is told of it.
    pub(crate) fn request(&self) -> Result<Option<KernelModels>> {
        let Some(path) = &self.kernels else { return Ok(None) };
        Ok(Some(KernelModels {
            text: text(path)?,
            is_table: is_table(path),
            day: self.day.clone(),
            has_noise: !self.no_noise,
        }))
    }

    /// The models for ranks on these hosts.
    pub(crate) fn resolve(
        &self,
        platform: &Platform,
        hosts: &[HostId],
        seed: u64,
    ) -> Result<RankKernels> {
        let kernels = match &self.kernels {
            Some(path) => read(path)?,
            None => ComputeKernels::default(),
        };
        let kernels = if self.no_noise { kernels.without_noise() } else { kernels };
        Ok(RankKernels::new(&kernels, platform, hosts, self.day.as_deref(), seed)?)
    }
}

fn read(path: &Path) -> Result<ComputeKernels> {
    let (name, text) = (path.display().to_string(), text(path)?);
    let read = match is_table(path) {
        true => ComputeKernels::from_csv(&text),
        false => ComputeKernels::from_toml(&text),
    };
    read.map_err(|mistakes| {
        Drawn(render_with(&Source::new(name, text), &mistakes, notes::colour())).into()
    })
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "csv")
}
