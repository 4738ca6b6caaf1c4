//! The summary of a run as JSON. The book's page "The JSON summary" explains every field.

use std::collections::BTreeMap;

use foretell_apps::{Configuration, Solved};
use foretell_launch::{CollectiveUse, Energy, PstateUse, RankTimes, Spread, Times};
use serde::Serialize;

use crate::options::InEffect;
use crate::run::{JobTime, Outcome};

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
    collectives: Vec<CollectiveUse>,
    cpu_s: f64,
    total_cpu_s: f64,
    wall_s: f64,
    peak_rss_bytes: Option<u64>,
    times: Times<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_rank: Option<Times<Vec<f64>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hpl: Vec<Hpl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    jobs: Vec<Job<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<&'a Energy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pstates: Option<PstateUse>,
    provenance: Provenance<'a>,
}

/// One of several traces.
#[derive(Serialize)]
struct Job<'a> {
    trace: &'a str,
    ranks: u32,
    start_s: f64,
    end_s: f64,
    seconds: f64,
}

impl<'a> From<&'a JobTime> for Job<'a> {
    fn from(job: &'a JobTime) -> Self {
        let JobTime { trace, ranks, start, end } = job;
        let seconds = end - start;
        Self { trace, ranks: *ranks, start_s: *start, end_s: *end, seconds }
    }
}

/// One line of HPL's results.
#[derive(Serialize)]
struct Hpl {
    variant: String,
    n: usize,
    nb: usize,
    p: usize,
    q: usize,
    time_s: f64,
    gflops: f64,
    messages: u64,
    bytes: u64,
}

impl From<&Solved> for Hpl {
    fn from(solved: &Solved) -> Self {
        let Configuration { n, nb, p, q, .. } = solved.configuration;
        let variant = solved.configuration.variant();
        Self {
            variant,
            n,
            nb,
            p,
            q,
            time_s: solved.seconds,
            gflops: solved.gflops(),
            messages: solved.sent.iter().map(|sent| sent.messages).sum(),
            bytes: solved.sent.iter().map(|sent| sent.bytes).sum(),
        }
    }
}

#[derive(Serialize)]
struct Provenance<'a> {
    version: &'static str,
    command: &'a str,
    skeleton: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a str>,
    platform: PlatformNames<'a>,
    mapping: &'a str,
    seed: Option<u64>,
    options: &'a [InEffect],
    collectives: BTreeMap<&'static str, String>,
}

/// The machine: its own name, and what was asked for.
#[derive(Serialize)]
pub(crate) struct PlatformNames<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: &'a str,
}

impl<'a> Summary<'a> {
    fn new(outcome: &'a Outcome, command: &'a str) -> Self {
        let Outcome { about, report, measured, solved, actions, jobs, usage, energy } = outcome;
        let ranks: Vec<RankTimes> = report.ranks.iter().map(RankTimes::from).collect();
        Self {
            sim_s: measured.seconds,
            simulated_s: report.seconds,
            ranks: about.ranks,
            messages: report.counters.messages,
            bytes: report.counters.bytes,
            timed_messages: measured.messages,
            dates: report.dates,
            links_used: report.links_used,
            collectives: report.collectives.iter().map(CollectiveUse::from).collect(),
            cpu_s: measured.cpu,
            total_cpu_s: usage.cpu_s,
            wall_s: usage.wall_s,
            peak_rss_bytes: usage.peak_rss_bytes,
            times: Times::over(&ranks),
            per_rank: Times::listed(&ranks),
            hpl: solved.iter().map(Hpl::from).collect(),
            actions: *actions,
            jobs: jobs.iter().map(Job::from).collect(),
            energy: energy.as_ref().map(|found| &found.energy),
            pstates: report.pstates.as_ref().map(PstateUse::from),
            provenance: Provenance {
                version: env!("CARGO_PKG_VERSION"),
                command,
                skeleton: about.skeleton,
                trace: about.trace.as_deref(),
                platform: PlatformNames { name: &about.machine, path: &about.asked_as },
                mapping: &about.placement,
                seed: about.seed,
                options: &about.options,
                collectives: about.collectives.iter().cloned().collect(),
            },
        }
    }
}
