//! `foretell replay --what-if`: the same trace again and again, each time with one thing faster.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Result;
use foretell_platform::NetworkFactors;
use foretell_replay::{Factors, Replay};
use serde_json::json as value;

use crate::figures::{percent, result};
use crate::interrupt::Interrupt;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::output::{self, NewFile};
use crate::progress::Follower;
use crate::run::{Plan, Work};
use crate::run_options::{Progress, RunOptions};

/// With more parts, the rest are not tried.
const MOST_PARTS: usize = 64;

/// One thing that may be faster.
struct Variant {
    name: String,
    factors: Factors,
    network: NetworkFactors,
}

/// What came of it.
struct Found {
    name: String,
    seconds: f64,
    joules: Option<f64>,
}

/// Replays a trace as it is and with each change, and tells what helps most.
pub(super) fn run(
    replay: Replay,
    trace: &Path,
    network: NetworkFactors,
    options: &RunOptions,
) -> Result<ExitCode> {
    let options =
        RunOptions { trace_ti: None, timed: Default::default(), power: None, ..options.clone() };
    let file = match &options.json {
        Some(path) if !options.prints_json() => Some(NewFile::create(path)?),
        _ => None,
    };
    let factors = replay.factors().clone();
    let replay = Rc::new(replay);
    let name = "as it is".to_owned();
    let usual = Variant { name, factors: factors.clone(), network };
    let base = once(&replay, trace, usual, &options, Warnings::Told)?;
    let parts = replay.parts();
    let mut found = Vec::new();
    for variant in variants(&factors, network, &parts) {
        let again = Rc::new(replay.again(variant.factors.clone()));
        found.push(once(&again, trace, variant, &options, Warnings::Known)?);
    }
    found.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    if parts.len() > MOST_PARTS {
        let more = parts.len() - MOST_PARTS;
        notes::warning(&format!("{more} more parts of the program were not tried"));
    }
    if let Some(file) = file {
        file.write(&json(&base, &found))?;
    }
    if options.prints_json() {
        output::print(&json(&base, &found))?;
    } else if !options.quiet {
        output::print(&text(&base, &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn variants(factors: &Factors, network: NetworkFactors, parts: &[String]) -> Vec<Variant> {
    let mut all = Vec::new();
    let mut add = |name: String, factors: Factors, network: NetworkFactors| {
        all.push(Variant { name, factors, network });
    };
    let faster = Factors { all: factors.all * 2.0, ..factors.clone() };
    add("processors x2".into(), faster, network);
    let wider = NetworkFactors { bandwidth: network.bandwidth * 2.0, ..network };
    add("bandwidth x2".into(), factors.clone(), wider);
    let nearer = NetworkFactors { latency: network.latency / 2.0, ..network };
    add("latency /2".into(), factors.clone(), nearer);
    for part in parts.iter().take(MOST_PARTS) {
        let mut faster = factors.clone();
        *faster.parts.entry(part.clone()).or_insert(1.0) *= 2.0;
        add(format!("{part} x2"), faster, network);
    }
    all
}

/// Whether what the user should know is told: once is enough.
#[derive(Clone, Copy, PartialEq)]
enum Warnings {
    Told,
    Known,
}

fn once(
    replay: &Rc<Replay>,
    trace: &Path,
    variant: Variant,
    options: &RunOptions,
    warnings: Warnings,
) -> Result<Found> {
    let work = Work::Replay(replay.clone(), trace.to_owned(), variant.network);
    let plan = Plan::new(work, options, &KernelOptions::default())?;
    if warnings == Warnings::Told {
        plan.warnings.iter().for_each(|warning| notes::warning(warning));
    }
    let progress = match options.quiet {
        true => Progress::Never,
        false => options.progress.unwrap_or_default(),
    };
    let outcome = plan.run(Follower::new(progress, Interrupt::listen()))?;
    let joules = outcome.energy.as_ref().map(|found| found.energy.joules);
    Ok(Found { name: variant.name, seconds: outcome.report.seconds, joules })
}

fn text(base: &Found, found: &[Found]) -> String {
    let energy = if base.joules.is_some() { "energy" } else { "" };
    let title = format!("{:<28} {:>16} {:>10} {energy:>14}", "what if", "simulated time", "gain");
    let mut text = format!("{}\n", title.trim_end());
    for one in std::iter::once(base).chain(found) {
        let gain = match std::ptr::eq(one, base) {
            true => String::new(),
            false => signed(base.seconds - one.seconds, base.seconds),
        };
        let joules = one.joules.map_or_else(String::new, |joules| format!("{joules:.3} J"));
        let (name, time) = (&one.name, result(one.seconds));
        let line = format!("{name:<28} {time:>16} {gain:>10} {joules:>14}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A share that may be negative.
fn signed(part: f64, whole: f64) -> String {
    let sign = if part < 0.0 { "-" } else { "" };
    format!("{sign}{}", percent(part.abs(), whole))
}

fn json(base: &Found, found: &[Found]) -> String {
    let told = |one: &Found| {
        let gain = 1.0 - one.seconds / base.seconds;
        value!({
            "name": one.name, "simulated_s": one.seconds, "gain": gain, "joules": one.joules,
        })
    };
    let all = value!({
        "simulated_s": base.seconds, "joules": base.joules,
        "what_if": found.iter().map(told).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
