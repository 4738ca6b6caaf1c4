//! A whole run: every rank of the launch, in this process.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use foretell_launch::{
    Channels, CollectiveUse, Ended, Energy, ExitCode, Launch, Outcome, Progress, PstateUse,
    RankTimes,
};
use foretell_mpi::{Error, Failure, Mapping, Report, Simulation};
use foretell_platform::{HostId, Platform};
use foretell_ranks::{Arguments, Ranks};
use foretell_replay::{CUT, Recorder, Tracer};

use crate::ahead;
use crate::check;
use crate::energy;
use crate::folding;
use crate::foresight::Foresight;
use crate::kernels;
use crate::life::Life;
use crate::lines;
use crate::machine;
use crate::memory::ProcessMemory;
use crate::meter;
use crate::place;
use crate::programs;
use crate::rank::{Phase, RankContext};
use crate::report;
use crate::start::Main;
use crate::surroundings;
use crate::threads;
use crate::timed_trace;

/// `argc` and `argv` of this process.
pub(crate) type Argv = (c_int, *mut *mut c_char);

static UNDER_WAY: AtomicBool = AtomicBool::new(false);
/// How many programs the launch has.
static PROGRAMS: AtomicUsize = AtomicUsize::new(1);

/// How many programs run together.
pub(crate) fn program_count() -> usize {
    PROGRAMS.load(Ordering::Relaxed)
}

/// Whether a launch was taken over.
pub(crate) fn is_under_way() -> bool {
    UNDER_WAY.load(Ordering::Relaxed)
}

/// What all ranks of a run share.
pub(crate) struct Crew {
    pub(crate) ranks: Rc<Ranks>,
    /// Arguments of each program, and its first rank.
    pub(crate) programs: Vec<(u32, Arguments)>,
    ended: RefCell<Ends>,
    pub(crate) foresight: Foresight,
}

/// How ranks have ended so far.
#[derive(Default)]
struct Ends {
    count: u64,
    bad: Vec<ExitCode>,
    /// Ranks that left without `MPI_Finalize`.
    unfinished: Vec<u32>,
}

thread_local! {
    static HOST_NAMES: RefCell<Option<Rc<Platform>>> = const { RefCell::new(None) };
}

/// The name of the host that a rank runs on.
pub(crate) fn host_name(here: &RankContext) -> String {
    HOST_NAMES.with_borrow(|platform| match platform {
        Some(platform) => platform.host_name(here.comm.host()),
        None => "localhost".into(),
    })
}

/// Runs all ranks, tells the parent what came of it, and ends the process.
pub(crate) fn all(main: Main, own: Argv, launch: Launch, channels: Channels) -> ! {
    UNDER_WAY.store(true, Ordering::Relaxed);
    PROGRAMS.store(launch.programs.len(), Ordering::Relaxed);
    detach();
    let (platform, selection) = match machine::read(&launch) {
        Ok(machine) => machine,
        Err(text) => report::fatal(&text),
    };
    let platform = Rc::new(platform);
    HOST_NAMES.set(Some(platform.clone()));
    if launch.wait_for_debugger {
        // SAFETY: stops this process until somebody lets it go on.
        unsafe { libc::raise(libc::SIGSTOP) };
    }
    ahead::set_up(&launch);
    let crew = match crew(main, own, &launch) {
        Ok(crew) => Rc::new(crew),
        Err(text) => report::fatal(&text),
    };
    if launch.check {
        check::begin();
    }
    meter::set_up(&launch);
    folding::set_up(&launch.memory);
    surroundings::set_up();
    let hosts: Vec<HostId> = launch.placement.hosts().map(HostId).collect();
    let channels = Rc::new(channels);
    let follow = follow(crew.clone(), channels.clone());
    let (shared, foreseer) = (crew.clone(), crew.clone());
    let recorder =
        launch.trace_ti.as_deref().map(|folder| Recorder::create(folder, launch.ranks()));
    let recorder = match recorder.transpose() {
        Ok(recorder) => recorder,
        Err(problem) => report::fatal(&problem.to_string()),
    };
    let mut simulation = Simulation::on(platform.clone())
        .ranks(launch.ranks())
        .mapping(Mapping::Explicit(hosts.clone()))
        .collectives(selection)
        .memory(ProcessMemory::default())
        .each_date(follow)
        .outside(threads::settle)
        .foresee(move |rank| foreseer.foresight.fetch(rank));
    if let Some(recorder) = &recorder {
        simulation = simulation.listener(recorder.clone());
    }
    let tracer = match timed_trace::begin(&launch, &platform, &hosts) {
        Ok(tracer) => tracer,
        Err(text) => report::fatal(&text),
    };
    if let Some(tracer) = &tracer {
        simulation = simulation.observer(tracer.clone());
    }
    let simulation = kernels::modelled(simulation, &launch, &platform, &hosts);
    let simulation = simulation.and_then(|it| energy::metered(it, &launch, &platform, &hosts));
    let simulation =
        match simulation.and_then(|it| energy::governed(it, &launch, &platform, &hosts)) {
            Ok(simulation) => simulation,
            Err(text) => report::fatal(&text),
        };
    let ended = simulation.run_lives(|comm| Life::new(&shared, comm));
    conclude(&launch, &crew, &channels, &platform, (recorder, tracer), ended)
}

/// Lets this process end with its parent, and programs that it starts run on their own.
fn detach() {
    // SAFETY: asks for a signal when the parent dies; changes the environment before ranks run.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let preloaded = std::env::var("LD_PRELOAD").unwrap_or_default();
        let others = preloaded.split([':', ' ']).filter(|path| !path.contains("libmpi_abi"));
        match others.collect::<Vec<_>>().join(":") {
            none if none.is_empty() => std::env::remove_var("LD_PRELOAD"),
            others => std::env::set_var("LD_PRELOAD", others),
        }
    }
}

/// Stacks and programs for all ranks.
fn crew(main: Main, own: Argv, launch: &Launch) -> Result<Crew, String> {
    let ranks = programs::ranks(main, launch)?;
    let mut first = 0;
    let mut programs = Vec::new();
    for (at, program) in launch.programs.iter().enumerate() {
        // A script may have given this process other arguments than the user gave the script.
        let argv = if at == 0 { arguments_of(own) } else { arguments(program)? };
        programs.push((first, Arguments { argv, environment: None }));
        first += program.ranks;
    }
    let foresight = Foresight::new(launch.ranks());
    Ok(Crew { ranks: Rc::new(ranks), programs, ended: RefCell::default(), foresight })
}

/// The arguments this process was started with.
fn arguments_of((count, argv): Argv) -> Vec<CString> {
    // SAFETY: the system gives the first code of an executable so many strings.
    let argument = |at: usize| unsafe { CStr::from_ptr(*argv.add(at)) };
    (0..count as usize).map(|at| argument(at).to_owned()).collect()
}

fn arguments(program: &foretell_launch::Program) -> Result<Vec<CString>, String> {
    let all = std::iter::once(&program.name).chain(&program.arguments);
    let texts = all.map(|text| CString::new(text.as_str()));
    texts.collect::<Result<_, _>>().map_err(|_| "an argument has a zero byte in it".into())
}

impl Crew {
    /// Notes how a rank has ended.
    pub(crate) fn note_end(&self, context: &RankContext, code: i32) {
        if check::is_on() {
            check::end(context, true);
        }
        let ended = &mut *self.ended.borrow_mut();
        let rank = context.number();
        ended.count += 1;
        if code != 0 {
            ended.bad.push(ExitCode { rank, code });
        }
        if context.phase.get() == Phase::Running {
            ended.unfinished.push(rank);
        }
    }
}

/// Tells the parent how far the run has come, now and then.
fn follow(crew: Rc<Crew>, channels: Rc<Channels>) -> impl FnMut(f64) -> bool {
    let mut dates = 0_u64;
    move |date| {
        dates += 1;
        if dates.is_multiple_of(4096) {
            let ended = crew.ended.borrow().count;
            let progress = Progress { date, ended, dates, ..Progress::default() };
            // A parent that has gone has nobody to show it to.
            let _ = channels.page.update(&progress);
        }
        true
    }
}

/// The last words: the outcome for the parent, who tells the user, and the exit code.
fn conclude(
    launch: &Launch,
    crew: &Crew,
    channels: &Channels,
    platform: &Platform,
    (recorder, tracer): (Option<Recorder>, Option<Tracer>),
    ended: Result<Report, Failure>,
) -> ! {
    let ends = &mut *crew.ended.borrow_mut();
    ends.bad.sort_by_key(|exit| exit.rank);
    let worst = ends.bad.first().map_or(0, |exit| exit.code);
    let has_left = matches!(ended, Err(Failure::Rank { error: Error::Left(_), .. }));
    let (how, code, report) = match ended {
        Ok(report) => (Ended::Completed, worst, Some(report)),
        Err(failure) => {
            let (how, code) = told(&failure);
            (how, code, None)
        }
    };
    let is_complete = how == Ended::Completed;
    let mut outcome = outcome(how, report.as_ref(), ends, warnings(launch, ends, has_left));
    let is_cut = recorder.is_some() && !is_complete;
    outcome.warnings.extend(is_cut.then(|| CUT.to_owned()));
    outcome.warnings.extend(recorder.and_then(|recorder| match recorder.finish() {
        Ok(recorded) => recorded.warning(),
        Err(problem) => Some(format!("there is no time-independent trace: {problem}")),
    }));
    outcome.warnings.extend(tracer.and_then(|tracer| match tracer.finish() {
        Ok(()) => None,
        Err(problem) => Some(format!("there is no trace: {problem}")),
    }));
    if !lines::are_known() {
        let text = "the trace has no lines of the source: compile the program with -g";
        outcome.warnings.push(text.into());
    }
    let found = report.as_ref().and_then(|report| Some((report.energy.as_ref()?, report.seconds)));
    if let Some((found, seconds)) = found {
        let (energy, series) = Energy::of_report(found, seconds, platform);
        (outcome.energy, outcome.power_series) = (Some(energy), series);
    }
    let chosen = report.as_ref().and_then(|report| report.pstates.as_ref());
    outcome.pstates = chosen.map(PstateUse::from);
    outcome.findings = check::is_on().then(|| check::conclude(is_complete));
    if let Err(error) = outcome.send(&channels.outcome) {
        report::say("warning", &error.to_string());
    }
    report::leave(code)
}

/// How a failure is told, and the exit code that goes with it.
fn told(failure: &Failure) -> (Ended, i32) {
    match failure {
        Failure::Deadlock(deadlock) => (Ended::Deadlock(place::located(deadlock).to_string()), 3),
        Failure::Rank { rank, date, error: Error::Aborted(code), .. } => {
            let place = place::of_abort();
            let text =
                format!("rank {rank} called MPI_Abort with code {code} at {date:.9} s{place}");
            (Ended::Aborted(text), code & 0xff)
        }
        Failure::Rank { rank, date, error: Error::Unhandled(error), .. } => {
            (Ended::Failed(format!("rank {rank} at {date:.9} s: {error}")), report::FAILED)
        }
        Failure::Rank { rank, date, error: Error::Left(code), .. } => {
            let text = format!(
                "rank {rank} ended with exit code {code} without MPI_Finalize at {date:.9} s; the \
                 other ranks were ended, as a launcher does"
            );
            (Ended::Failed(text), *code)
        }
        Failure::Rank { .. } => (Ended::Failed(failure.to_string()), report::FAILED),
        Failure::Interrupted(_) => (Ended::Interrupted, 130),
    }
}

/// What the user should know; how a rank left is told already if that ended the run.
fn warnings(launch: &Launch, ends: &Ends, has_left: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if let (Some(first), false) = (ends.unfinished.first(), has_left) {
        let count = ends.unfinished.len();
        let of_all = launch.ranks();
        warnings.push(match count {
            1 => format!("rank {first} ended without MPI_Finalize"),
            _ => {
                format!("{count} of {of_all} ranks ended without MPI_Finalize, rank {first} first")
            }
        });
    }
    warnings
}

/// The most memory this process ever had. What the kernel tells the parent includes its own.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

fn outcome(ended: Ended, report: Option<&Report>, ends: &Ends, warnings: Vec<String>) -> Outcome {
    let ranks = report.iter().flat_map(|report| &report.ranks);
    let times: Vec<RankTimes> = ranks.map(RankTimes::from).collect();
    Outcome {
        ended,
        seconds: report.map_or(0.0, |report| report.seconds),
        counters: report.map_or_else(Default::default, |report| foretell_launch::Counters {
            messages: report.counters.messages,
            bytes: report.counters.bytes,
            file_bytes_read: report.counters.read,
            file_bytes_written: report.counters.written,
        }),
        dates: report.map_or(0, |report| report.dates),
        links_used: report.map_or(0, |report| report.links_used as u64),
        collectives: report.map_or_else(Vec::new, |report| {
            report.collectives.iter().map(CollectiveUse::from).collect()
        }),
        times: foretell_launch::Times::over(&times),
        per_rank: foretell_launch::Times::listed(&times),
        exit_codes: ends.bad.clone(),
        findings: None,
        energy: None,
        pstates: None,
        power_series: Vec::new(),
        warnings,
        peak_rss_bytes: peak_memory(),
    }
}
