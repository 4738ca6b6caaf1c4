//! One simulation: from what the user asked for to what was found.

use std::rc::Rc;

use anyhow::{Result, bail};
use foretell_apps::{App, Measured, Section, Solved};
use foretell_mpi::{Mapping, Operation, PowerModel, RankKernels, Report, Simulation};
use foretell_platform::Platform;

use crate::energy;
use crate::figures::counted;
use crate::kernel_options::KernelOptions;
use crate::mapping::Occupation;
use crate::meters::{self, Stopwatch, Usage};
use crate::options::{self, Heard, InEffect, Settings};
use crate::platform_file;
use crate::progress::Follower;
use crate::run_options::RunOptions;

/// A simulation about to run.
#[derive(Debug)]
pub(crate) struct Plan {
    app: App,
    platform: Platform,
    mapping: Mapping,
    kernels: RankKernels,
    settings: Settings,
    about: About,
    stopwatch: Stopwatch,
    power: Option<PowerModel>,
    /// What the user should know beforehand.
    pub(crate) warnings: Vec<String>,
}

/// Where the figures of a run come from.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// Name of the skeleton.
    pub(crate) skeleton: &'static str,
    pub(crate) ranks: u32,
    /// The machine's own name, and what the user called it.
    pub(crate) machine: String,
    pub(crate) asked_as: String,
    /// Where the ranks are: as asked for, and in words.
    pub(crate) placement: String,
    pub(crate) occupation: String,
    pub(crate) options: Vec<InEffect>,
    /// Every collective operation with the algorithm it runs, or the rules it goes by.
    pub(crate) collectives: Vec<(&'static str, String)>,
    /// Whether the summary has the algorithms that ran.
    pub(crate) shows_collectives: bool,
    pub(crate) seed: Option<u64>,
}

/// What a simulation found, and what it took.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) about: About,
    pub(crate) report: Report,
    pub(crate) measured: Measured,
    /// Systems that HPL solved.
    pub(crate) solved: Vec<Solved>,
    pub(crate) usage: Usage,
    pub(crate) energy: Option<energy::Measured>,
}

impl Plan {
    /// Makes sense of what the user asked for.
    pub(crate) fn new(mut app: App, options: &RunOptions, kernels: &KernelOptions) -> Result<Self> {
        let stopwatch = Stopwatch::start();
        let Some(asked) = &options.platform else {
            bail!(
                "which machine? give -p with a platform file or a preset; `foretell platform \
                 list` tells the presets"
            );
        };
        let mut machine = platform_file::open(asked)?;
        let settings = options::apply(&mut machine.platform, &options.words()?, &mut |_, _| {
            Ok(Heard::Unknown)
        })?;
        let seed = options.seed.unwrap_or(0);
        app.prepare(seed).map_err(anyhow::Error::msg)?;
        let ranks = match options.ranks.or(app.ranks()) {
            Some(ranks) => ranks,
            None => bail!("how many ranks? give -n; {}", room(&machine.platform)),
        };
        let placement = options.placement();
        let mapping = placement.mapping(ranks, &machine.platform)?;
        let hosts = mapping.hosts(ranks, &machine.platform);
        let kernels = kernels.resolve(&machine.platform, &hosts, seed)?;
        let occupation = Occupation::of(&hosts, &machine.platform);
        let mut warnings = settings.warnings.clone();
        warnings.extend(occupation.warning(&machine.platform));
        let power = energy::model(&machine.platform, options, &mut warnings)?;
        let algorithm = |operation: Operation| {
            (operation.name(), settings.selection.algorithm(operation).to_owned())
        };
        let about = About {
            skeleton: app.name(),
            ranks,
            machine: machine.name().to_owned(),
            asked_as: machine.asked_as.clone(),
            placement: placement.to_string(),
            occupation: occupation.words(&machine.platform),
            options: settings.in_effect.clone(),
            collectives: Operation::ALL.into_iter().map(algorithm).collect(),
            shows_collectives: options.show_collectives,
            seed: options.seed,
        };
        let platform = machine.platform;
        Ok(Self { app, platform, mapping, kernels, settings, about, stopwatch, power, warnings })
    }

    /// Runs to the end, unless the program fails or the follower has enough.
    pub(crate) fn run(self, mut follower: Follower) -> Result<Outcome> {
        let Plan { app, platform, mapping, kernels, settings, about, stopwatch, power, .. } = self;
        let platform = Rc::new(platform);
        let section = Section::new(meters::cpu_seconds);
        let shared = section.clone();
        let mut simulation = Simulation::on(platform.clone())
            .ranks(about.ranks)
            .mapping(mapping)
            .computation(settings.computation)
            .collectives(settings.selection)
            .kernels(kernels)
            .each_date(move |date| follower.goes_on(date));
        if let Some(power) = power {
            simulation = simulation.power(power);
        }
        let report = simulation.run(async move |world| app.main(world, &shared).await)?;
        let usage = stopwatch.usage();
        let (measured, solved) = (section.measured(), section.solved());
        let named = |found| energy::Measured::of(found, report.seconds, &platform);
        let energy = report.energy.as_deref().map(named);
        Ok(Outcome { about, report, measured, solved, usage, energy })
    }
}

/// How many ranks a machine takes.
fn room(platform: &Platform) -> String {
    let cores = platform.hosts().map(|host| u64::from(platform.host(host).cores)).sum();
    format!("the machine has {}", counted(cores, "core"))
}
