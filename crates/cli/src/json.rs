//! The summary of a run as JSON. The book's page "The JSON summary" explains every field.

use std::collections::BTreeMap;

use foretell_mpi::RankTimes;
use serde::Serialize;

use crate::options::InEffect;
use crate::run::Outcome;

/// Up to this many ranks each has its times in the file.
const MOST_RANKS: usize = 4096;

/// The summary as one object.
pub(crate) fn text(outcome: &Outcome, command: &str) -> String {
    let summary = Summary::new(outcome, command);
    let mut text = serde_json::to_string_pretty(&summary).expect("plain data becomes JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Summary<'a> {
    sim_s: f64,
    simulated_s: f64,
    ranks: u32,
    messages: u64,
    bytes: u64,
    timed_messages: u64,
    dates: u64,
    links_used: usize,
    cpu_s: f64,
    total_cpu_s: f64,
    wall_s: f64,
    peak_rss_bytes: Option<u64>,
    times: Times<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_rank: Option<Times<Vec<f64>>>,
    provenance: Provenance<'a>,
}

/// Where time went: one figure or list for each kind.
#[derive(Serialize)]
struct Times<T> {
    computing_s: T,
    overhead_s: T,
    waiting_s: T,
    end_s: T,
}

#[derive(Serialize)]
struct Provenance<'a> {
    version: &'static str,
    command: &'a str,
    skeleton: &'static str,
    platform: PlatformNames<'a>,
    mapping: &'a str,
    seed: Option<u64>,
    options: &'a [InEffect],
    collectives: BTreeMap<&'static str, &'static str>,
}

#[derive(Serialize)]
struct PlatformNames<'a> {
    name: &'a str,
    path: &'a str,
}

/// A figure over all ranks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Looks over all ranks.
    pub(crate) fn of(ranks: &[RankTimes], figure: fn(&RankTimes) -> f64) -> Self {
        let all = || ranks.iter().map(figure);
        Self {
            mean: all().sum::<f64>() / ranks.len().max(1) as f64,
            min: all().reduce(f64::min).unwrap_or(0.0),
            max: all().reduce(f64::max).unwrap_or(0.0),
        }
    }
}

impl<T> Times<T> {
    fn each(figure: impl Fn(fn(&RankTimes) -> f64) -> T) -> Self {
        Self {
            computing_s: figure(|times| times.computing),
            overhead_s: figure(|times| times.overhead),
            waiting_s: figure(|times| times.waiting),
            end_s: figure(|times| times.end),
        }
    }
}

impl<'a> Summary<'a> {
    fn new(outcome: &'a Outcome, command: &'a str) -> Self {
        let Outcome { about, report, measured, usage } = outcome;
        let ranks = &report.ranks;
        let list = |figure: fn(&RankTimes) -> f64| ranks.iter().map(figure).collect();
        Self {
            sim_s: measured.seconds,
            simulated_s: report.seconds,
            ranks: about.ranks,
            messages: report.counters.messages,
            bytes: report.counters.bytes,
            timed_messages: measured.messages,
            dates: report.dates,
            links_used: report.links_used,
            cpu_s: measured.cpu,
            total_cpu_s: usage.cpu_s,
            wall_s: usage.wall_s,
            peak_rss_bytes: usage.peak_rss_bytes,
            times: Times::each(|figure| Spread::of(ranks, figure)),
            per_rank: (ranks.len() <= MOST_RANKS).then(|| Times::each(list)),
            provenance: Provenance {
                version: env!("CARGO_PKG_VERSION"),
                command,
                skeleton: about.skeleton,
                platform: PlatformNames { name: &about.machine, path: &about.asked_as },
                mapping: &about.placement,
                seed: about.seed,
                options: &about.options,
                collectives: about.collectives.iter().copied().collect(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_mean_least_and_most() {
        let ranks = [1.0, 2.0, 6.0].map(|end| RankTimes { end, ..RankTimes::default() });
        assert_eq!(Spread::of(&ranks, |times| times.end), Spread { mean: 3.0, min: 1.0, max: 6.0 });
    }
}
