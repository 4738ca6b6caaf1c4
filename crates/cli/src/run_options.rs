//! The options of a run.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use foretell_launch::EnergyRequest;
use foretell_mpi::{NOTED, Operation, PstateControl};
use foretell_platform::{Governor, GovernorChoice};
use foretell_units::Watt;

use crate::collectives_command::rules;
use crate::dvfs;
use crate::mapping::Placement;
use crate::options::InEffect;
use crate::timed_trace::TraceOptions;

/// Machine, ranks, settings, and what to print.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunOptions {
    /// How many ranks (also -np); pingpong takes 2 if not told
    #[arg(short = 'n', long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) ranks: Option<u32>,
    /// The machine: a platform file (.toml, SimGrid's .xml, Dimemas' .cfg) or a preset of
    /// `platform list`
    #[arg(short, long, value_name = "FILE|PRESET")]
    pub(crate) platform: Option<String>,
    /// Set an option by its SimGrid name, such as smpi/alltoall:pair; may be repeated
    #[arg(long = "cfg", value_name = "KEY:VALUE")]
    pub(crate) options: Vec<String>,
    /// Choose collective algorithms as a library does: a name of `collectives list`, or a file:
    /// rules of ours (.toml), Open MPI's dynamic rules or MPICH's tuning (JSON)
    #[arg(long, value_name = "LIBRARY|FILE")]
    pub(crate) collectives: Option<String>,
    /// Choose the algorithm of one collective operation, such as allreduce=rdb; may be repeated
    #[arg(long = "coll", value_name = "OPERATION=ALGORITHM")]
    pub(crate) coll: Vec<String>,
    /// Where ranks run: `cores` (the default), as many on each host as it has cores; `block:K`, K
    /// on each host; `block`, spread evenly; `cyclic`, rank after rank to host after host;
    /// `hostfile:FILE`; `hosts:a,b,c`
    #[arg(long, value_name = "HOW")]
    pub(crate) map: Option<Placement>,
    /// The same as --map hostfile:FILE; a line is a host, `host:count` or `host slots=count`
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    pub(crate) hostfile: Option<PathBuf>,
    /// Tell the energy of nodes and ranks, if the platform says what its nodes draw
    #[arg(long, help_heading = "Energy")]
    pub(crate) energy: bool,
    /// The class of work whose power counts, a name in the platform's `[nodes.power.workloads]`;
    /// implies --energy
    #[arg(long, value_name = "NAME", help_heading = "Energy")]
    pub(crate) workload: Option<String>,
    /// Write the power of nodes over time to a file (node, date, watts); implies --energy
    #[arg(long, value_name = "FILE.csv", help_heading = "Energy")]
    pub(crate) power: Option<PathBuf>,
    /// What nodes without ranks are [default: idle]; implies --energy
    #[arg(long, value_name = "STATE", help_heading = "Energy")]
    pub(crate) unused_nodes: Option<UnusedNodes>,
    /// Account for booting the nodes of ranks before the run and for shutting them down after it,
    /// apart from the energy of the run; implies --energy
    #[arg(long, help_heading = "Energy")]
    pub(crate) boot: bool,
    /// Let a governor choose the pstates of all nodes: performance, powersave, ondemand,
    /// conservative or communication-phase; with figures such as ondemand:period=10ms,up=0.9
    #[arg(long, value_name = "NAME[:KEY=VALUE,..]", help_heading = "Energy")]
    pub(crate) governor: Option<Governor>,
    /// Keep each node under so many watts by the fastest pstate that allows it
    #[arg(long, value_name = "WATTS", help_heading = "Energy", value_parser = cap)]
    pub(crate) power_cap: Option<f64>,
    /// Keep all nodes that ranks run on under so many watts together, by a pstate that none is
    /// faster than
    #[arg(long, value_name = "WATTS", help_heading = "Energy", value_parser = cap)]
    pub(crate) cluster_power_cap: Option<f64>,
    /// Where random numbers start [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Write the summary as JSON to a file; `-` prints it instead of the summary for people
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,
    /// Write what ranks do into a folder, as a time-independent trace of SimGrid's form, or into a
    /// compact file; `replay` takes both
    #[arg(long, value_name = "DIR|FILE.fti", help_heading = "Output")]
    pub(crate) trace_ti: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) timed: TraceOptions,
    /// Tell in the summary which collective algorithms ran, how often, and on what
    #[arg(long, help_heading = "Output")]
    pub(crate) show_collectives: bool,
    /// Print no summary and no progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// When to say how far a long run has come [default: auto]
    #[arg(long, value_name = "WHEN", help_heading = "Output")]
    pub(crate) progress: Option<Progress>,
}

/// What nodes without ranks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnusedNodes {
    /// Switched on, with nothing to do
    Idle,
    /// Switched off throughout
    Off,
}

/// When to say how far a run has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// On a terminal
    #[default]
    Auto,
    /// In any case, line by line where there is no terminal
    Always,
    /// Never
    Never,
}

impl RunOptions {
    /// These options, and where they say nothing those of `before`.
    pub(crate) fn over(self, before: RunOptions) -> RunOptions {
        let tells_where = self.map.is_some() || self.hostfile.is_some();
        let (map, hostfile) = match tells_where {
            true => (self.map, self.hostfile),
            false => (before.map, before.hostfile),
        };
        RunOptions {
            ranks: self.ranks.or(before.ranks),
            platform: self.platform.or(before.platform),
            options: before.options.into_iter().chain(self.options).collect(),
            collectives: self.collectives.or(before.collectives),
            coll: before.coll.into_iter().chain(self.coll).collect(),
            map,
            hostfile,
            energy: self.energy || before.energy,
            workload: self.workload.or(before.workload),
            power: self.power.or(before.power),
            unused_nodes: self.unused_nodes.or(before.unused_nodes),
            boot: self.boot || before.boot,
            governor: self.governor.or(before.governor),
            power_cap: self.power_cap.or(before.power_cap),
            cluster_power_cap: self.cluster_power_cap.or(before.cluster_power_cap),
            seed: self.seed.or(before.seed),
            json: self.json.or(before.json),
            trace_ti: self.trace_ti.or(before.trace_ti),
            timed: self.timed.over(before.timed),
            show_collectives: self.show_collectives || before.show_collectives,
            quiet: self.quiet || before.quiet,
            progress: self.progress.or(before.progress),
        }
    }

    /// All options in SimGrid's spelling, those about collectives behind the others.
    pub(crate) fn words(&self) -> Result<Vec<String>> {
        let mut words = self.options.clone();
        if let Some(asked) = &self.collectives {
            words.push(rules::word(asked)?);
        }
        if self.show_collectives || self.json.is_some() {
            words.push(format!("{NOTED}:yes"));
        }
        for choice in &self.coll {
            let Some((operation, algorithm)) = choice.split_once(['=', ':']) else {
                bail!("`--coll {choice}` names no algorithm; write --coll allreduce=rdb");
            };
            if Operation::named(operation).is_none() {
                let names = Operation::ALL.map(Operation::name).join(", ");
                bail!("there is no collective `{operation}`; there are: {names}");
            }
            words.push(format!("smpi/{operation}:{algorithm}"));
        }
        Ok(words)
    }

    /// Where ranks run, as asked for.
    pub(crate) fn placement(&self) -> Placement {
        let from_file = self.hostfile.clone().map(Placement::Hostfile);
        self.map.clone().or(from_file).unwrap_or_default()
    }

    /// Whether the user says where ranks run.
    pub(crate) fn says_where(&self) -> bool {
        self.map.is_some() || self.hostfile.is_some()
    }

    /// Whether anything about energy is asked for.
    pub(crate) fn wants_energy(&self) -> bool {
        let is_implied = self.power.is_some() || self.unused_nodes.is_some() || self.boot;
        self.energy || self.workload.is_some() || is_implied
    }

    /// Whether nodes without ranks are off.
    pub(crate) fn switches_unused_off(&self) -> bool {
        self.unused_nodes == Some(UnusedNodes::Off)
    }

    /// Who is to choose pstates, in a run with these options of SimGrid's spelling in effect.
    pub(crate) fn pstate_control(&self, options: &[InEffect]) -> PstateControl {
        let plugin = dvfs::Plugin::of(options);
        PstateControl {
            governors: GovernorChoice {
                asked: self.governor,
                usual: plugin.governor,
                reads_plugin: plugin.is_on,
            },
            node_cap: self.power_cap,
            cluster_cap: self.cluster_power_cap,
            workload: self.workload.clone(),
        }
    }

    /// What the child of a run is to find out about energy.
    pub(crate) fn energy_request(&self) -> Option<EnergyRequest> {
        let request = EnergyRequest {
            workload: self.workload.clone(),
            series: self.power.is_some(),
            unused_off: self.switches_unused_off(),
            boot: self.boot,
        };
        self.wants_energy().then_some(request)
    }

    /// Whether the JSON summary goes to standard output.
    pub(crate) fn prints_json(&self) -> bool {
        self.json.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }
}

/// A power above zero.
fn cap(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let watts = number.or_else(|| text.parse::<Watt>().ok().map(|watts| watts.get()));
    watts
        .filter(|watts| watts.is_finite() && *watts > 0.0)
        .ok_or_else(|| "expected watts above zero, like 150 or 1.5kW".to_owned())
}
