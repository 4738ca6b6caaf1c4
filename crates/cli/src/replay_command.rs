//! `foretell replay`: does what a trace says.

mod jobs;
mod what_if;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use foretell_platform::NetworkFactors;
use foretell_replay::{Factors, Replay};
use foretell_trace::{Form, Trace};
use foretell_units::FlopPerSecond;

use crate::app_command;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::run::Work;
use crate::run_options::RunOptions;

/// `foretell replay …`.
#[derive(Debug, Args)]
pub(crate) struct ReplayCommand {
    /// A time-independent trace of SimGrid's form: one file with the actions of all ranks, a list
    /// of files, one for each rank, or a folder with such a list as index.txt; or a compact one;
    /// or an OTF2 archive, a Paraver .prv, a Dimemas .dim, a GOAL schedule, a DUMPI .meta
    #[arg(id = "replayed", value_name = "TRACE")]
    trace: PathBuf,
    /// What the trace is, where its beginning does not tell: ti, compact, otf2, paraver, dimemas,
    /// goal, dumpi or table
    #[arg(long, value_name = "FORMAT", value_parser = form)]
    format: Option<Form>,
    /// Another trace to replay at the same time, such as `b.ti,start=0.5,hosts=a:b`: from when
    /// on, in seconds, and on which hosts in turn (else placed behind the ranks before it); may be
    /// repeated
    #[arg(long = "job", value_name = "TRACE,…")]
    jobs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    options: RunOptions,
}

/// What is to be other than recorded.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Replay")]
pub(crate) struct Changes {
    /// The speed of the processor that a trace with dates was recorded on, such as 10Gf: a
    /// recorded second is so many flops [default: the speed of rank 0's host, so that recorded
    /// seconds stay what they are]
    #[arg(long, value_name = "SPEED")]
    recorded_speed: Option<FlopPerSecond>,
    /// Compute faster than recorded: `2` all ranks, `rank:3=2` one of them, `ranks:0-7=2` several,
    /// `solve=2` a part of the program; may be repeated
    #[arg(long, value_name = "WHAT=FACTOR")]
    speedup: Vec<String>,
    /// Multiply the bandwidth of all links
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    link_bandwidth: Option<f64>,
    /// Multiply the latency of all links
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    link_latency: Option<f64>,
    /// Tell what would help most: replay again with all processors twice as fast, with half the
    /// latency, with twice the bandwidth, with each part of the program twice as fast, and sort
    /// them by what they gain
    #[arg(long)]
    what_if: bool,
}

fn form(name: &str) -> Result<Form> {
    let names = Form::ALL.map(Form::name).join(", ");
    Form::named(name).ok_or_else(|| anyhow!("there is no format `{name}`; there are: {names}"))
}

/// Replays a trace and tells what was found.
pub(crate) fn run(command: &ReplayCommand) -> Result<ExitCode> {
    let replay = open(&command.trace, command.format, &command.changes)?;
    let network = NetworkFactors {
        bandwidth: command.changes.link_bandwidth.unwrap_or(1.0),
        latency: command.changes.link_latency.unwrap_or(1.0),
    };
    if !command.jobs.is_empty() {
        if command.changes.what_if {
            bail!("--what-if is about one trace; leave out --job");
        }
        return jobs::run(replay, command, network);
    }
    if command.changes.what_if {
        return what_if::run(replay, &command.trace, network, &command.options);
    }
    let work = Work::Replay(Rc::new(replay), command.trace.clone(), network);
    app_command::follow(work, &command.options, &KernelOptions::default())
}

/// Opens a trace.
fn open(path: &Path, form: Option<Form>, changes: &Changes) -> Result<Replay> {
    let trace = match form {
        Some(form) => Trace::open_as(path, form)?,
        None => Trace::open(path)?,
    };
    if !trace.left_out().is_empty() {
        notes::warning(&format!("the replay leaves out {}", trace.left_out().join(", ")));
    }
    let replay = Replay::new(trace).with_factors(factors(&changes.speedup)?);
    if let Some(speed) = changes.recorded_speed {
        replay.record_speed(speed.get());
    }
    Ok(replay)
}

/// A factor such as `2` or `x0.5`.
fn factor(text: &str) -> Result<f64> {
    let number = text.strip_prefix('x').unwrap_or(text).parse::<f64>().ok();
    let factor = number.filter(|factor| factor.is_normal() && *factor > 0.0);
    factor.ok_or_else(|| anyhow!("`{text}` is no factor; write 2 or x0.5"))
}

/// Makes sense of speed-ups.
pub(crate) fn factors(words: &[String]) -> Result<Factors> {
    let mut factors = Factors::default();
    for word in words {
        let (what, number) = word.rsplit_once('=').unwrap_or(("", word));
        let Ok(factor) = factor(number) else {
            bail!("`--speedup {word}` has no factor; write --speedup solve=2 or rank:3=1.5");
        };
        if what.is_empty() || what == "all" {
            factors.all *= factor;
        } else if let Some(ranks) = what.strip_prefix("ranks:").or(what.strip_prefix("rank:")) {
            let (first, last) = ranks.split_once('-').unwrap_or((ranks, ranks));
            let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
                bail!("`--speedup {word}` names no ranks; write rank:3=2 or ranks:0-7=2");
            };
            if last < first || last - first > 100_000_000 {
                bail!("`--speedup {word}` names no ranks; the first comes first");
            }
            (first..=last).for_each(|rank| *factors.ranks.entry(rank).or_insert(1.0) *= factor);
        } else {
            factors.parts.insert(what.to_owned(), factor);
        }
    }
    Ok(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_ups_are_of_all_of_ranks_and_of_parts() {
        let words = ["2", "rank:3=4", "ranks:2-3=x0.5", "a=b=1.5"].map(str::to_owned);
        let found = factors(&words).unwrap();
        assert_eq!((found.all, found.parts["a=b"]), (2.0, 1.5));
        assert_eq!((found.ranks[&2], found.ranks[&3]), (0.5, 2.0));
        for word in ["solve", "solve=0", "rank:x=2", "ranks:5-2=2", "=nan"] {
            assert!(factors(&[word.to_owned()]).is_err(), "{word}");
        }
    }
}
