//! `foretell cluster draw`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use foretell_models::{ClusterModel, Drawing, expanded_hosts};
use foretell_platform::HostId;

use super::{put, read};
use crate::platform_file;

pub(super) const EXAMPLES: &str = "\
Examples:
  foretell cluster draw cluster.toml -p dahu --seed 7 --output kernels.toml
  foretell cluster draw cluster.toml --hosts 'node-[0-1023]' --days 10 --output kernels.csv
  foretell app hpl -p dahu -N 50000 -P 32 -Q 32 --kernels kernels.toml";

/// What to draw.
#[derive(Debug, Args)]
pub(crate) struct Draw {
    /// What `cluster fit` has learnt
    #[arg(value_name = "MODEL.toml")]
    model: PathBuf,
    /// Draw the hosts of a machine: a platform file or a preset
    #[arg(short, long, value_name = "FILE|PRESET", required_unless_present = "hosts")]
    platform: Option<String>,
    /// Draw hosts of these names: a name, or many as in 'node-[0-1023]'
    #[arg(long, value_name = "NAMES", conflicts_with = "platform")]
    hosts: Option<String>,
    /// Processors of a node [default: as many as the model has seen]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    cpus: Option<u32>,
    /// Draw so many days, named 1, 2, … for --day; without, one day that needs no name
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10_000))]
    days: u32,
    /// Factor on the deviation between processors: 0 makes them alike
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    spatial: f64,
    /// Factor on the deviation from day to day
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    daily: f64,
    /// Where random numbers start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the models to a file, a table if its name ends in .csv, instead of printing them
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Draw {
    /// Draws, and writes what was drawn.
    pub(super) fn run(&self) -> Result<()> {
        let model = read(&self.model, ClusterModel::from_toml)?;
        let drawn = model.draw(&Drawing {
            hosts: self.host_names()?,
            cpus: self.cpus.unwrap_or(model.cpus),
            days: self.days,
            spatial: self.spatial,
            daily: self.daily,
            seed: self.seed,
        });
        let is_table =
            self.output.as_ref().is_some_and(|path| path.extension() == Some("csv".as_ref()));
        let text = if is_table { drawn.to_csv() } else { drawn.to_kernels_toml() };
        put(&text, self.output.as_ref())
    }

    fn host_names(&self) -> Result<Vec<String>> {
        if let Some(asked) = &self.platform {
            let machine = platform_file::open(asked)?;
            let count = machine.platform.host_count() as u32;
            let name = |number| machine.platform.host_name(HostId(number)).to_string();
            return Ok((0..count).map(name).collect());
        }
        let names = self.hosts.as_deref().unwrap_or_default();
        match expanded_hosts(names) {
            Some(hosts) => Ok(hosts),
            None => bail!("`{names}` is no range of hosts; write --hosts 'node-[0-1023]'"),
        }
    }
}

fn factor(text: &str) -> std::result::Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| (0.0..=1e6).contains(factor));
    factor.ok_or_else(|| "expected a factor, zero or more".into())
}
