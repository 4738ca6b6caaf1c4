//! One simulation: from what the user asked for to what was found.

use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Result, anyhow, bail};
use foretell_apps::{App, Measured, Section, Solved};
use foretell_mpi::{
    Failure, Mapping, Operation, PowerModel, Pstates, RankKernels, Report, Simulation,
};
use foretell_platform::{DimemasMapping, HostId, ModelKind, NetworkFactors, Platform, dimemas_cfg};
use foretell_replay::{CUT, Jobs, Recorder, Replay, Scene, Tracer};

use crate::energy;
use crate::figures::counted;
use crate::kernel_options::KernelOptions;
use crate::mapping::{self, Occupation};
use crate::meters::{self, Stopwatch, Usage};
use crate::notes;
use crate::options::{self, Heard, InEffect, Settings};
use crate::platform_file;
use crate::progress::Follower;
use crate::run_options::RunOptions;

/// What ranks do.
#[derive(Debug)]
pub(crate) enum Work {
    /// A skeleton.
    App(App),
    /// What a trace says, which was asked for by this name, on a network that may be other than the
    /// platform's.
    Replay(Rc<Replay>, PathBuf, NetworkFactors),
    /// What several traces say, side by side.
    Jobs(JobsAsked),
}

/// Several traces, as they were asked for.
#[derive(Debug)]
pub(crate) struct JobsAsked {
    pub(crate) jobs: Rc<Jobs>,
    /// The traces by their names.
    pub(crate) names: Vec<String>,
    pub(crate) hosts: Vec<JobHosts>,
    pub(crate) network: NetworkFactors,
}

/// Where a job runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobHosts {
    /// As if all jobs were one run.
    Usual,
    /// On the hosts of these names, in turn.
    Named(Vec<String>),
    /// On the hosts of these numbers, counted from 0 in the order of their names, as SimGrid does.
    Numbered(Vec<usize>),
}

impl JobHosts {
    fn find(&self, platform: &Platform) -> Result<Vec<HostId>> {
        match self {
            JobHosts::Usual => Ok(Vec::new()),
            JobHosts::Named(names) => {
                names.iter().map(|name| mapping::find(name, platform)).collect()
            }
            JobHosts::Numbered(numbers) => {
                let mut hosts: Vec<HostId> = platform.hosts().collect();
                hosts.sort_by_cached_key(|host| platform.host_name(*host).to_string());
                let find = |number: &usize| {
                    let hint = "they are counted from 0, in the order of their names";
                    let none =
                        || anyhow!("there is no host {number} among {}; {hint}", hosts.len());
                    hosts.get(*number).copied().ok_or_else(none)
                };
                numbers.iter().map(find).collect()
            }
        }
    }
}

/// When a job ran.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JobTime {
    /// Its trace.
    pub(crate) trace: String,
    pub(crate) ranks: u32,
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Work {
    fn name(&self) -> &'static str {
        match self {
            Work::App(app) => app.name(),
            Work::Replay(..) | Work::Jobs(_) => "replay",
        }
    }

    /// The trace that is replayed, as it was asked for.
    fn trace(&self) -> Option<String> {
        match self {
            Work::App(_) => None,
            Work::Replay(_, path, _) => Some(path.display().to_string()),
            Work::Jobs(asked) => Some(asked.names.join(" : ")),
        }
    }

    /// Makes ready what depends on the seed.
    fn prepare(&mut self, seed: u64) -> Result<()> {
        match self {
            Work::App(app) => app.prepare(seed).map_err(anyhow::Error::msg),
            Work::Replay(..) | Work::Jobs(_) => Ok(()),
        }
    }

    /// Makes the network faster or slower, if that is asked for.
    fn change(&self, platform: &mut Platform) -> Result<()> {
        let factors = match self {
            Work::Replay(_, _, factors) => factors,
            Work::Jobs(asked) => &asked.network,
            Work::App(_) => return Ok(()),
        };
        if *factors == NetworkFactors::default() {
            return Ok(());
        }
        let mut spec = platform.spec().clone();
        spec.scale_network(*factors);
        let built = Platform::build(spec);
        *platform = built.map_err(|_| anyhow!("the machine cannot have such a network"))?;
        Ok(())
    }

    /// Seconds that were recorded stay what they are on the first rank's host, unless told
    /// otherwise.
    fn settle(&self, platform: &Platform, hosts: &[HostId]) {
        let Some(host) = hosts.first() else { return };
        let replays: Vec<&Replay> = match self {
            Work::Replay(replay, ..) => vec![replay],
            Work::Jobs(asked) => asked.jobs.replays().collect(),
            Work::App(_) => return,
        };
        for replay in replays {
            // Dimemas' processors are told by their ratio to the one that was recorded on.
            let speed = match platform.network().model {
                ModelKind::Dimemas => dimemas_cfg::REFERENCE,
                _ => platform.host(*host).speed(),
            };
            replay.record_speed_unless_known(speed);
        }
    }

    /// Jobs that name their hosts run there, whatever the mapping of all says.
    fn placed(&self, usual: Mapping, ranks: u32, platform: &Platform) -> Result<Mapping> {
        let Work::Jobs(asked) = self else { return Ok(usual) };
        let mut hosts = usual.hosts(ranks, platform).to_vec();
        let mut first = 0;
        for (replay, asked) in asked.jobs.replays().zip(&asked.hosts) {
            let own = first..first + replay.ranks() as usize;
            first = own.end;
            let named = asked.find(platform)?;
            if !named.is_empty() {
                let turns = named.iter().cycle();
                hosts[own].iter_mut().zip(turns).for_each(|(place, host)| *place = *host);
            }
        }
        Ok(Mapping::Explicit(hosts))
    }

    /// How many ranks there are; what was asked for must fit.
    fn ranks(&self, asked: Option<u32>, platform: &Platform) -> Result<u32> {
        match (self, asked) {
            (Work::Replay(replay, ..), Some(asked)) if asked != replay.ranks() => {
                let ranks = counted(replay.ranks().into(), "rank");
                bail!("the trace has {ranks}, not {asked}; -n may be left out")
            }
            (Work::Replay(replay, ..), _) => Ok(replay.ranks()),
            (Work::Jobs(asked), _) => Ok(asked.jobs.ranks()),
            (Work::App(app), asked) => match asked.or(app.ranks()) {
                Some(ranks) => Ok(ranks),
                None => bail!("how many ranks? give -n; {}", room(platform)),
            },
        }
    }
}

/// A simulation about to run.
#[derive(Debug)]
pub(crate) struct Plan {
    work: Work,
    platform: Platform,
    mapping: Mapping,
    kernels: RankKernels,
    settings: Settings,
    about: About,
    stopwatch: Stopwatch,
    /// Where a time-independent trace is to be written.
    trace: Option<PathBuf>,
    /// The trace with dates.
    tracer: Option<Tracer>,
    power: Option<PowerModel>,
    pstates: Option<Pstates>,
    /// What the user should know beforehand.
    pub(crate) warnings: Vec<String>,
}

/// Where the figures of a run come from.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// Name of the skeleton, or that it is a replay.
    pub(crate) skeleton: &'static str,
    /// The trace, if one is replayed.
    pub(crate) trace: Option<String>,
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
    /// Actions of a trace that were carried out.
    pub(crate) actions: Option<u64>,
    /// When each of several traces ran.
    pub(crate) jobs: Vec<JobTime>,
    pub(crate) usage: Usage,
    pub(crate) energy: Option<energy::Measured>,
}

impl Plan {
    /// Makes sense of what the user asked for.
    pub(crate) fn new(
        mut work: Work,
        options: &RunOptions,
        kernels: &KernelOptions,
    ) -> Result<Self> {
        let stopwatch = Stopwatch::start();
        let Some(asked) = &options.platform else {
            bail!(
                "which machine? give -p with a platform file or a preset; `foretell platform \
                 list` tells the presets"
            );
        };
        let mut machine = platform_file::open(asked)?;
        work.change(&mut machine.platform)?;
        let settings = options::apply(&mut machine.platform, &options.words()?, &mut |_, _| {
            Ok(Heard::Unknown)
        })?;
        let seed = options.seed.unwrap_or(0);
        work.prepare(seed)?;
        let ranks = work.ranks(options.ranks, &machine.platform)?;
        let placement = options.placement();
        let mapping = match options.says_where() {
            true => placement.mapping(ranks, &machine.platform)?,
            false => own_mapping(&machine.platform),
        };
        let mapping = work.placed(mapping, ranks, &machine.platform)?;
        let hosts = mapping.hosts(ranks, &machine.platform);
        work.settle(&machine.platform, &hosts);
        let kernels = kernels.resolve(&machine.platform, &hosts, seed)?;
        let occupation = Occupation::of(&hosts, &machine.platform);
        let mut warnings = settings.warnings.clone();
        warnings.extend(occupation.warning(&machine.platform));
        let power = energy::model(&machine.platform, &hosts, options, &mut warnings)?;
        let control = options.pstate_control(&settings.in_effect);
        let pstates = Pstates::new(&machine.platform, &hosts, &control)?;
        warnings.extend(pstates.iter().flat_map(|pstates| pstates.warnings().to_vec()));
        let algorithm = |operation: Operation| {
            (operation.name(), settings.selection.algorithm(operation).to_owned())
        };
        let about = About {
            skeleton: work.name(),
            trace: work.trace(),
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
        let trace = options.trace_ti.clone();
        let scene = Scene {
            program: about.skeleton,
            machine: &about.machine,
            platform: &platform,
            hosts: &hosts,
        };
        let asked = options.timed.asked()?;
        let tracer =
            asked.map(|(path, format)| Tracer::create(path, format, &scene)).transpose()?;
        Ok(Self {
            work,
            platform,
            mapping,
            kernels,
            settings,
            about,
            stopwatch,
            trace,
            tracer,
            power,
            pstates,
            warnings,
        })
    }

    /// Where ranks run.
    pub(crate) fn hosts(&self) -> Vec<HostId> {
        self.mapping.hosts(self.about.ranks, &self.platform).to_vec()
    }

    /// What the machine calls a host.
    pub(crate) fn name_of(&self, host: HostId) -> String {
        self.platform.host_name(host).to_string()
    }

    /// Runs to the end, unless the program fails or the follower has enough.
    pub(crate) fn run(self, mut follower: Follower) -> Result<Outcome> {
        let Plan { work, platform, mapping, kernels, settings, about, .. } = self;
        let recorder =
            self.trace.map(|folder| Recorder::create(&folder, about.ranks)).transpose()?;
        let platform = Rc::new(platform);
        let mut simulation = Simulation::on(platform.clone())
            .ranks(about.ranks)
            .mapping(mapping)
            .computation(settings.computation)
            .collectives(settings.selection)
            .kernels(kernels)
            .pstates(self.pstates)
            .each_date(move |date| follower.goes_on(date));
        if let Some(recorder) = &recorder {
            simulation = simulation.listener(recorder.clone());
        }
        if let Some(tracer) = &self.tracer {
            simulation = simulation.observer(tracer.clone());
        }
        if let Some(power) = self.power {
            simulation = simulation.power(power);
        }
        let found = match work {
            Work::App(app) => run_app(simulation, app),
            Work::Replay(replay, ..) => run_replay(simulation, replay),
            Work::Jobs(asked) => run_jobs(simulation, &asked),
        };
        // What a program did before it failed is worth a look: the trace is whole up to there.
        self.tracer.map_or(Ok(()), |tracer| tracer.finish())?;
        if let Some(recorder) = recorder.filter(|_| may_be_traced(&found)) {
            let warning = recorder.finish()?.warning();
            let cut = found.is_err().then(|| CUT.to_owned());
            cut.iter().chain(&warning).for_each(|warning| notes::warning(warning));
        }
        let Found { report, measured, solved, actions, jobs } = found?;
        let usage = self.stopwatch.usage();
        let named = |found| energy::Measured::of(found, report.seconds, &platform);
        let energy = report.energy.as_deref().map(named);
        Ok(Outcome { about, report, measured, solved, actions, jobs, usage, energy })
    }
}

/// What a simulation found; see [`Outcome`].
struct Found {
    report: Report,
    measured: Measured,
    solved: Vec<Solved>,
    actions: Option<u64>,
    jobs: Vec<JobTime>,
}

/// Whether what ranks did is worth a trace: they came to their end, failed or are stuck.
fn may_be_traced(found: &Result<Found>) -> bool {
    let Err(error) = found else { return true };
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| !matches!(failure, Failure::Interrupted(_)))
}

fn run_app(simulation: Simulation, app: App) -> Result<Found> {
    let section = Section::new(meters::cpu_seconds);
    let shared = section.clone();
    let report = simulation.run(async move |world| app.main(world, &shared).await)?;
    let (measured, solved) = (section.measured(), section.solved());
    Ok(Found { report, measured, solved, actions: None, jobs: Vec::new() })
}

/// A replay is timed from its beginning to its end. What is wrong with a trace is told as such,
/// and not as a failure of the rank that met it.
fn run_replay(simulation: Simulation, replay: Rc<Replay>) -> Result<Found> {
    let (before, shared) = (meters::cpu_seconds(), replay.clone());
    let outcome = simulation.run(move |world| shared.main(world));
    if let Some(problem) = replay.take_problem() {
        return Err(problem.into());
    }
    let report = outcome.map_err(|failure| located(failure, [&*replay]))?;
    let measured = all_of(&report, before);
    let (solved, actions, jobs) = (Vec::new(), Some(replay.actions()), Vec::new());
    Ok(Found { report, measured, solved, actions, jobs })
}

/// The same for several traces.
fn run_jobs(simulation: Simulation, asked: &JobsAsked) -> Result<Found> {
    let (before, shared) = (meters::cpu_seconds(), asked.jobs.clone());
    let outcome = simulation.run(async move |world| shared.main(world).await);
    if let Some(problem) = asked.jobs.replays().find_map(Replay::take_problem) {
        return Err(problem.into());
    }
    let report = outcome.map_err(|failure| located(failure, asked.jobs.replays()))?;
    let measured = all_of(&report, before);
    let replays = asked.jobs.replays().zip(asked.jobs.spans());
    let job = |(name, (replay, (start, end))): (&String, (&Replay, (f64, f64)))| JobTime {
        trace: name.clone(),
        ranks: replay.ranks(),
        start,
        end,
    };
    let jobs = asked.names.iter().zip(replays).map(job).collect();
    let actions = Some(asked.jobs.replays().map(Replay::actions).sum());
    Ok(Found { report, measured, solved: Vec::new(), actions, jobs })
}

/// How many places of a deadlock are looked up: it lists no more ranks.
const MOST_PLACES: usize = 32;

/// A deadlock with the places in these traces where ranks wait.
fn located<'a>(mut failure: Failure, replays: impl IntoIterator<Item = &'a Replay>) -> Failure {
    let Failure::Deadlock(deadlock) = &mut failure else { return failure };
    let mut first = 0;
    for replay in replays {
        let own = first..first + replay.ranks();
        first = own.end;
        let blocked = deadlock.blocked.iter_mut().take(MOST_PLACES);
        let mut blocked: Vec<_> = blocked.filter(|blocked| own.contains(&blocked.rank)).collect();
        let ranks: Vec<u32> = blocked.iter().map(|blocked| blocked.rank - own.start).collect();
        for (rank, place) in replay.places_left(&ranks) {
            let here = blocked.iter_mut().find(|blocked| blocked.rank - own.start == rank);
            here.into_iter().for_each(|blocked| blocked.call += &format!(" at {place}"));
        }
    }
    failure
}

/// The timed section of a run that is one as a whole.
fn all_of(report: &Report, before: f64) -> Measured {
    let (seconds, messages) = (report.seconds, report.counters.messages);
    Measured { seconds, messages, cpu: meters::cpu_seconds() - before }
}

/// Where ranks run if the user does not say: as the machine does, or core by core.
fn own_mapping(platform: &Platform) -> Mapping {
    let network = platform.network();
    match &network.dimemas.mapping {
        _ if network.model != ModelKind::Dimemas => Mapping::Cores,
        DimemasMapping::Fill => Mapping::Cores,
        DimemasMapping::PerNode(count) => Mapping::Block(*count),
        DimemasMapping::Interleaved => Mapping::Cyclic,
        DimemasMapping::Listed(nodes) => {
            Mapping::Explicit(nodes.iter().map(|node| HostId(*node)).collect())
        }
    }
}

/// How many ranks a machine takes.
fn room(platform: &Platform) -> String {
    let cores = platform.hosts().map(|host| u64::from(platform.host(host).cores)).sum();
    format!("the machine has {}", counted(cores, "core"))
}
