//! `foretell replay`: does what a trace says.

mod aftermath;
mod changes;
mod jobs;
mod what_if;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use foretell_replay::{Loads, Replay};
use foretell_trace::{Form, Trace};

use crate::app_command;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::run::Work;
use crate::run_options::RunOptions;

use changes::{Changes, Sort, SpeedUps};

/// `foretell replay …`.
#[derive(Debug, Args)]
pub(crate) struct ReplayCommand {
    /// A time-independent trace of SimGrid's form: one file with the actions of all ranks, a list
    /// of files, one for each rank, or a folder with such a list as index.txt; or a compact one;
    /// or an OTF2 archive, a Paraver .prv, a Dimemas .dim, a GOAL schedule, a DUMPI .meta
    #[arg(id = "replayed", value_name = "TRACE", required_unless_present = "job_list")]
    trace: Option<PathBuf>,
    /// What the trace is, where its beginning does not tell: ti, compact, otf2, paraver, dimemas,
    /// goal, dumpi or table
    #[arg(long, value_name = "FORMAT", value_parser = form)]
    format: Option<Form>,
    /// Another trace to replay at the same time, such as `b.ti,start=0.5,hosts=a:b`: from when
    /// on, in seconds, and on which hosts in turn (else placed behind the ranks before it); may be
    /// repeated
    #[arg(long = "job", value_name = "TRACE,…")]
    jobs: Vec<String>,
    /// Traces to replay at the same time, listed in a file of SimGrid's form: a line is a name, a
    /// trace, its number of ranks, a delay in flops; or, where numbers of hosts follow
    /// (`0,1,5`), the date of its start in seconds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["replayed", "format", "jobs"])]
    job_list: Option<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    options: RunOptions,
}

fn form(name: &str) -> Result<Form> {
    let names = Form::ALL.map(Form::name).join(", ");
    Form::named(name).ok_or_else(|| anyhow!("there is no format `{name}`; there are: {names}"))
}

/// Replays a trace and tells what was found.
pub(crate) fn run(command: &ReplayCommand) -> Result<ExitCode> {
    let (changes, options) = (&command.changes, &command.options);
    if changes.sort == Sort::Energy && !options.wants_energy() {
        bail!("there are no joules to sort by; add --energy");
    }
    let asked = SpeedUps::parse(&changes.speedup)?;
    let several = jobs::planned(command)?;
    if !several.is_empty() {
        if changes.what_if {
            bail!("--what-if is about one trace; leave out --job and --job-list");
        }
        return jobs::run(several, command, &asked);
    }
    let Some(trace) = &command.trace else { bail!("there is no trace to replay") };
    let Opened { replay, loads } = open(trace, command.format, changes, &asked)?;
    asked.check([replay.ranks()])?;
    if changes.what_if {
        return what_if::run(replay, trace, changes, options);
    }
    let replay = Rc::new(replay);
    let work = Work::Replay(replay.clone(), trace.clone(), changes.network());
    let code = app_command::follow(work, options, &KernelOptions::default())?;
    aftermath::tell(&[&replay], loads.as_slice(), options)?;
    Ok(code)
}

/// Says that a speed changes nothing.
pub(crate) fn tell_needless_speed(trace: &Path) {
    let file = trace.display();
    notes::warning(&format!(
        "--recorded-speed changes nothing: {file} tells computation in flops, not in seconds"
    ));
}

/// A trace, and how its work was spread if that is changed.
struct Opened {
    replay: Replay,
    loads: Option<Loads>,
}

/// Opens a trace.
fn open(path: &Path, form: Option<Form>, changes: &Changes, asked: &SpeedUps) -> Result<Opened> {
    let trace = match form {
        Some(form) => Trace::open_as(path, form)?,
        None => Trace::open(path)?,
    };
    if !trace.left_out().is_empty() {
        notes::warning(&format!("the replay leaves out {}", trace.left_out().join(", ")));
    }
    let factors = asked.of(trace.ranks());
    let mut replay = Replay::new(trace).with_factors(factors);
    if let Some(speed) = changes.recorded_speed {
        if !replay.is_in_seconds() {
            tell_needless_speed(path);
        }
        replay.record_speed(speed.get());
    }
    if changes.no_noise {
        if replay.has_schedules() {
            let file = path.display();
            notes::warning(&format!(
                "--no-noise changes nothing: {file} is a schedule, in which each computation is \
                 there once"
            ));
        }
        replay = replay.without_noise();
    }
    let loads = changes.balance.then(|| replay.loads()).transpose()?;
    if let Some(loads) = &loads {
        aftermath::warn_of_idle(loads, replay.ranks());
        let factors = loads.balanced(replay.factors());
        replay = replay.with_factors(factors);
    }
    Ok(Opened { replay, loads })
}
