//! A run about to start: from what the user asked for to what the child is told.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, anyhow, bail};
use foretell_launch::{
    Channels, LargePages, Launch, Placement, Program as Described, PstateRequest, VARIABLE,
};
use foretell_mpi::{Mapping, Operation, Pstates};
use foretell_platform::{HostId, Platform};
use foretell_replay::Recorder;
use tempfile::NamedTempFile;

use super::RunCommand;
use super::gdb;
use super::machine;
use super::options::ProgramOptions;
use super::parts::{self, Part};
use super::program::Program;
use super::settings::Settings;
use crate::energy;
use crate::layout::Layout;
use crate::mapping::Occupation;
use crate::meters::Stopwatch;
use crate::options::{self, InEffect};

/// A run about to start.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) launch: Launch,
    pub(super) about: About,
    pub(super) stopwatch: Stopwatch,
    /// What the user should know beforehand.
    pub(super) warnings: Vec<String>,
    /// The host of each rank, in words, if they were asked for.
    pub(super) placed: Vec<String>,
    pub(super) programs: Vec<Program>,
    parts: Vec<Part>,
    options: ProgramOptions,
}

/// Where the figures of a run come from.
#[derive(Debug, Clone)]
pub(super) struct About {
    /// The machine's own name, and what the user called it.
    pub(super) machine: String,
    pub(super) asked_as: String,
    /// Nobody named a machine.
    pub(super) assumed: bool,
    /// Where the ranks are: as asked for, and in words.
    pub(super) placement: String,
    pub(super) occupation: String,
    pub(super) options: Vec<InEffect>,
    pub(super) collectives: Vec<(&'static str, String)>,
    /// Whether the summary has the algorithms that ran.
    pub(super) shows_collectives: bool,
}

/// A child about to be started, and the ways to hear from it.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) command: Command,
    pub(super) channels: Channels,
    /// Whether the child stops for a debugger.
    pub(super) stops: bool,
    /// Open until the child has it.
    _launch: OwnedFd,
    /// There until the debugger has read it.
    _gdb: Option<NamedTempFile>,
}

impl Plan {
    /// Makes sense of what the user asked for.
    pub(super) fn new(command: &RunCommand) -> Result<Self> {
        let stopwatch = Stopwatch::start();
        let (run, own) = (&command.run, &command.program);
        let parts = parts::read(run.ranks, &command.words)?;
        let placement = match &own.host {
            Some(hosts) => format!("hosts:{hosts}").parse().map_err(|why: String| anyhow!(why))?,
            None => run.placement(),
        };
        let counted = parts.iter().map(|part| part.ranks.unwrap_or(1)).sum();
        let (mut machine, described) = machine::open(run.platform.as_deref(), counted)?;
        let mut how = Settings::default();
        let words = run.words()?;
        let settings =
            options::apply(&mut machine.platform, &words, &mut |key, value| how.hear(key, value))?;
        how.take(own);
        let platform = &machine.platform;
        let mapping = placement.mapping(counted, platform)?;
        let ranks = ranks(&parts, &mapping);
        let hosts = mapping.hosts(ranks.iter().sum(), platform);
        let occupation = Occupation::of(&hosts, platform);
        let mut warnings = settings.warnings.clone();
        warnings.extend(occupation.warning(platform));
        // The child reads them again; mistakes are told here.
        energy::model(platform, &hosts, run, &mut warnings)?;
        let control = run.pstate_control(&settings.in_effect);
        let pstates = Pstates::new(platform, &hosts, &control)?;
        warnings.extend(pstates.iter().flat_map(|pstates| pstates.warnings().to_vec()));
        command.kernels.resolve(platform, &hosts, run.seed.unwrap_or(0))?;
        let programs = programs(&parts, &how)?;
        let algorithm = |operation: Operation| {
            (operation.name(), settings.selection.algorithm(operation).to_owned())
        };
        let about = About {
            machine: machine.name().to_owned(),
            asked_as: machine.asked_as.clone(),
            assumed: run.platform.is_none(),
            placement: placement.to_string(),
            occupation: occupation.words(platform),
            options: settings.in_effect.clone(),
            collectives: Operation::ALL.into_iter().map(algorithm).collect(),
            shows_collectives: run.show_collectives,
        };
        let pairs = options::pairs(&words).into_iter();
        let launch = Launch {
            version: env!("CARGO_PKG_VERSION").into(),
            machine: described,
            options: pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            programs: described_programs(&programs, &parts, &ranks),
            placement: Placement::of(hosts.iter().map(|host| host.0)),
            computation: how.computation(own.computation, settings.computation),
            clock: how.clock,
            threshold: how.threshold,
            region_factors: how.region_factors,
            stack_size: how.stack_size,
            guard: how.guard,
            privacy: how.privacy,
            libraries: how.libraries,
            memory: how.memory,
            large_pages: own.large_pages.map_or_else(LargePages::default, LargePages::from),
            check: own.check,
            trace_ti: run.trace_ti.as_deref().map(untimed_trace).transpose()?,
            trace: run.timed.request(own.trace_lines)?,
            label: own.label,
            seed: run.seed,
            quiet: run.quiet,
            kernels: command.kernels.request()?,
            energy: run.energy_request(),
            pstates: PstateRequest::from(&control),
            cores: if own.gdb || own.wrapper.is_some() { Some(1) } else { own.cores },
            wait_for_debugger: own.debug,
        };
        let placed = if own.display_map { placed(&hosts, platform) } else { Vec::new() };
        let options = own.clone();
        Ok(Self { launch, about, stopwatch, warnings, placed, programs, parts, options })
    }

    /// Everything that the child needs.
    pub(super) fn start(&self) -> Result<Start> {
        let (launch, channels) = self.launch.send()?;
        let preload = self.programs[0].preload(Layout::find().ok().as_ref());
        let gdb = self.options.gdb.then(gdb::script).transpose()?;
        let script = gdb.as_ref().map(|file| file.path());
        let preloaded = preload.as_deref().map(|path| path.as_os_str());
        let mut command = self.command(preloaded, script)?;
        command.env(VARIABLE, launch.as_raw_fd().to_string());
        spare_spinning(&mut command);
        match self.launch.large_pages {
            LargePages::Auto if self.launch.ranks() < MANY => {}
            LargePages::Auto | LargePages::Always => ask_for_large_pages(&mut command),
            LargePages::Never => {}
        }
        if !self.options.blas.is_empty() {
            command.env(BLAS, self.options.blas.join(" "));
        }
        for word in &self.options.environment {
            match word.split_once('=') {
                Some((name, value)) if !name.is_empty() => command.env(name, value),
                // As elsewhere, a bare name passes on what is there; all of that is.
                None if !word.is_empty() => &mut command,
                _ => bail!("`-x {word}` names no variable; write -x NAME=VALUE"),
            };
        }
        if let Some(folder) = &self.options.wdir {
            if !folder.is_dir() {
                bail!("cannot run in {}: there is no such folder", folder.display());
            }
            command.current_dir(folder);
        }
        let stops = self.options.debug;
        Ok(Start { command, channels, stops, _launch: launch, _gdb: gdb })
    }

    /// The program, or what starts it.
    fn command(&self, preload: Option<&OsStr>, script: Option<&Path>) -> Result<Command> {
        let (program, part) = (&self.programs[0], &self.parts[0]);
        let wrapper = match script {
            Some(script) => gdb::words(script, preload.map(preloads)),
            None => self.wrapper(),
        };
        let mut command = match wrapper.split_first() {
            None => {
                let mut command = Command::new(&program.path);
                command.arg0(&part.program);
                command
            }
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&program.path);
                command
            }
        };
        command.args(&part.arguments);
        // The debugger itself is no rank: it sets the variable for the program alone.
        match (script, preload) {
            (Some(_), _) => _ = command.env(gdb::VARIABLE, "1"),
            (None, Some(library)) => _ = command.env("LD_PRELOAD", preloads(library)),
            (None, None) => {}
        }
        Ok(command)
    }

    fn wrapper(&self) -> Vec<OsString> {
        let text = self.options.wrapper.as_deref().unwrap_or_default();
        text.split_whitespace().map(OsString::from).collect()
    }
}

/// Our library before those that the user preloads.
fn preloads(library: &OsStr) -> OsString {
    let mut list = library.to_owned();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        list.push(":");
        list.push(others);
    }
    list
}

/// How many ranks run each program. One that is not told fills the hosts of a list, as other
/// launchers do, or is alone.
fn ranks(parts: &[Part], mapping: &Mapping) -> Vec<u32> {
    let alone = match (parts, mapping) {
        ([_], Mapping::Explicit(hosts)) => hosts.len() as u32,
        _ => 1,
    };
    parts.iter().map(|part| part.ranks.unwrap_or(alone)).collect()
}

fn programs(parts: &[Part], how: &Settings) -> Result<Vec<Program>> {
    let programs: Vec<Program> = parts
        .iter()
        .map(|part| Program::find(&part.program, how.privacy))
        .collect::<Result<_>>()?;
    let script = programs.iter().position(Program::is_script);
    if let Some(index) = script.filter(|_| programs.len() > 1) {
        bail!(
            "{} is a script; several programs at once must be compiled ones",
            parts[index].program.to_string_lossy()
        );
    }
    Ok(programs)
}

/// Where the child writes a time-independent trace, after a look whether it can.
fn untimed_trace(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path)?;
    drop(Recorder::create(&path, 0)?);
    Ok(path)
}

fn described_programs(programs: &[Program], parts: &[Part], ranks: &[u32]) -> Vec<Described> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let each = programs.iter().zip(parts).zip(ranks);
    each.map(|((program, part), ranks)| Described {
        path: program.path.clone(),
        name: text(&part.program),
        arguments: part.arguments.iter().map(text).collect(),
        ranks: *ranks,
    })
    .collect()
}

fn placed(hosts: &[HostId], platform: &Platform) -> Vec<String> {
    let line = |(rank, host): (usize, &HostId)| {
        format!("rank {rank} runs on {}", platform.host_name(*host))
    };
    hosts.iter().enumerate().map(line).collect()
}

/// Lets OpenMP's threads sleep while they wait: the simulation goes on when a rank is quiet, and
/// threads that spin are not. Who has chosen otherwise is not overruled.
fn spare_spinning(command: &mut Command) {
    let is_set = |name| std::env::var_os(name).is_some();
    if !is_set("OMP_WAIT_POLICY") && !is_set("GOMP_SPINCOUNT") {
        command.env("OMP_WAIT_POLICY", "passive");
    }
}

/// What `libforetell_blas` looks at.
const BLAS: &str = "FORETELL_BLAS";

/// So many ranks, and their memory is better kept in large pages.
const MANY: u32 = 256;

/// Lets the C library ask for large pages for its heap. Every turn of one of many ranks touches
/// memory that was last used long ago, and with small pages the processor must first look up where
/// each of it is. Few ranks gain nothing, and pay for clearing the pages. Who has chosen settings
/// of that library keeps them.
fn ask_for_large_pages(command: &mut Command) {
    const VARIABLE: &str = "GLIBC_TUNABLES";
    if std::env::var_os(VARIABLE).is_none() {
        command.env(VARIABLE, "glibc.malloc.hugetlb=1");
    }
}
