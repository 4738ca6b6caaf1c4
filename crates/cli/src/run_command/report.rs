//! What a run found: the summary for people, and as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use foretell_launch::{
    CollectiveUse, Computation, Ended, Energy, ExitCode, Finding, Outcome, Program, PstateUse,
    Scale, Spread, Times,
};
use foretell_units::FlopPerSecond;
use serde::Serialize;

use super::machine;
use super::plan::Plan;
use crate::energy;
use crate::figures::{count, counted, data, result};
use crate::json::PlatformNames;
use crate::meters::Usage;
use crate::options::InEffect;
use crate::summary;

/// Ranks that ended badly are named up to this many.
const MOST_NAMED: usize = 5;

/// A run, what it found and what it took.
pub(super) struct Report<'a> {
    pub(super) plan: &'a Plan,
    pub(super) outcome: &'a Outcome,
    pub(super) usage: Usage,
    /// The exit code of the command.
    pub(super) code: u8,
}

impl Report<'_> {
    /// What was found, where the time went, what the simulation took.
    pub(super) fn summary(&self) -> String {
        let mut text = self.heading();
        text.push('\n');
        for (title, value) in self.found() {
            summary::line(&mut text, title, &value);
        }
        text.push('\n');
        text.push_str(&summary::where_time_went(&self.outcome.times, self.outcome.seconds));
        if let Some(found) = &self.outcome.energy {
            text.push('\n');
            for (title, value) in energy::lines(found) {
                summary::line(&mut text, title, &value);
            }
        }
        if let Some(chosen) = &self.outcome.pstates {
            if self.outcome.energy.is_none() {
                text.push('\n');
            }
            summary::line(&mut text, "pstates", &energy::pstates(chosen));
        }
        text.push('\n');
        if self.plan.about.shows_collectives {
            text.push_str(&summary::collectives(&self.outcome.collectives));
            text.push('\n');
        }
        summary::line(&mut text, "simulator", &summary::used(&self.usage));
        summary::line(&mut text, "", &counted(self.outcome.dates, "date"));
        text
    }

    fn heading(&self) -> String {
        let (launch, about) = (&self.plan.launch, &self.plan.about);
        let name = |program: &Program| {
            let file = Path::new(&program.name).file_name();
            file.map_or_else(|| program.name.clone(), |file| file.to_string_lossy().into_owned())
        };
        let names = launch.programs.iter().map(name).collect::<Vec<_>>().join(" : ");
        let ranks = counted(launch.ranks().into(), "rank");
        let machine = summary::machine(&about.asked_as, &about.machine);
        format!("{names}: {ranks} on {} of {machine}\n", about.occupation)
    }

    fn found(&self) -> Vec<(&'static str, String)> {
        let outcome = self.outcome;
        let messages = count(outcome.counters.messages);
        let volume = data(outcome.counters.bytes as f64);
        let links = counted(outcome.links_used, "link");
        let mut lines = vec![
            ("simulated time", result(outcome.seconds)),
            ("messages", format!("{messages} in all, {volume}, over {links}")),
            ("computation", computation(self.plan.launch.computation)),
        ];
        let (read, written) =
            (outcome.counters.file_bytes_read, outcome.counters.file_bytes_written);
        if read + written > 0 {
            let (read, written) = (data(read as f64), data(written as f64));
            lines.insert(2, ("files", format!("{read} read, {written} written")));
        }
        if self.plan.about.assumed {
            lines.push(("machine", machine::ASSUMED.to_owned()));
        }
        if !outcome.exit_codes.is_empty() {
            lines.push(("exit codes", exit_codes(&outcome.exit_codes)));
        }
        lines
    }

    /// The summary as one JSON object.
    pub(super) fn json(&self, command: &str) -> String {
        let mut text =
            serde_json::to_string_pretty(&Json::new(self, command)).expect("plain data is JSON");
        text.push('\n');
        text
    }
}

fn computation(computation: Computation) -> String {
    match computation {
        Computation::Off => "not simulated".to_owned(),
        Computation::Measured(Scale::Ratio(1.0)) => {
            "measured; every host is as fast as this computer".to_owned()
        }
        Computation::Measured(Scale::Ratio(ratio)) => {
            format!("measured; a second here is {ratio} s there")
        }
        Computation::Measured(Scale::HostSpeed(speed)) => {
            format!("measured; this computer makes {}", FlopPerSecond::new(speed))
        }
    }
}

fn exit_codes(all: &[ExitCode]) -> String {
    let named = all.iter().take(MOST_NAMED).map(|e| format!("rank {} gave {}", e.rank, e.code));
    let mut text = named.collect::<Vec<_>>().join(", ");
    if all.len() > MOST_NAMED {
        text.push_str(&format!(", and {} more", count((all.len() - MOST_NAMED) as u64)));
    }
    text
}

#[derive(Serialize)]
struct Json<'a> {
    simulated_s: f64,
    ranks: u32,
    messages: u64,
    bytes: u64,
    file_bytes_read: u64,
    file_bytes_written: u64,
    dates: u64,
    links_used: u64,
    collectives: &'a [CollectiveUse],
    total_cpu_s: f64,
    wall_s: f64,
    peak_rss_bytes: Option<u64>,
    exit_code: u8,
    ended: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    exit_codes: &'a [ExitCode],
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<&'a [Finding]>,
    warnings: &'a [String],
    times: &'a Times<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_rank: Option<&'a Times<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<&'a Energy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pstates: Option<&'a PstateUse>,
    provenance: Provenance<'a>,
}

#[derive(Serialize)]
struct Provenance<'a> {
    version: &'static str,
    command: &'a str,
    programs: &'a [Program],
    platform: PlatformNames<'a>,
    mapping: &'a str,
    computation: Computation,
    seed: Option<u64>,
    options: &'a [InEffect],
    collectives: BTreeMap<&'static str, String>,
}

impl<'a> Json<'a> {
    fn new(report: &'a Report<'_>, command: &'a str) -> Self {
        let Report { plan, outcome, usage, code } = report;
        let (about, launch) = (&plan.about, &plan.launch);
        let (ended, why) = ended(&outcome.ended);
        Self {
            simulated_s: outcome.seconds,
            ranks: launch.ranks(),
            messages: outcome.counters.messages,
            bytes: outcome.counters.bytes,
            file_bytes_read: outcome.counters.file_bytes_read,
            file_bytes_written: outcome.counters.file_bytes_written,
            dates: outcome.dates,
            links_used: outcome.links_used,
            collectives: &outcome.collectives,
            total_cpu_s: usage.cpu_s,
            wall_s: usage.wall_s,
            peak_rss_bytes: usage.peak_rss_bytes,
            exit_code: *code,
            ended,
            why,
            exit_codes: &outcome.exit_codes,
            findings: outcome.findings.as_deref(),
            warnings: &outcome.warnings,
            times: &outcome.times,
            per_rank: outcome.per_rank.as_ref(),
            energy: outcome.energy.as_ref(),
            pstates: outcome.pstates.as_ref(),
            provenance: Provenance {
                version: env!("CARGO_PKG_VERSION"),
                command,
                programs: &launch.programs,
                platform: PlatformNames { name: &about.machine, path: &about.asked_as },
                mapping: &about.placement,
                computation: launch.computation,
                seed: launch.seed,
                options: &about.options,
                collectives: about.collectives.iter().cloned().collect(),
            },
        }
    }
}

fn ended(ended: &Ended) -> (&'static str, Option<&str>) {
    match ended {
        Ended::Completed => ("completed", None),
        Ended::Failed(why) => ("failed", Some(why)),
        Ended::Deadlock(why) => ("deadlock", Some(why)),
        Ended::Aborted(why) => ("aborted", Some(why)),
        Ended::Interrupted => ("interrupted", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_computation_is_counted_is_told() {
        let told = |scale| computation(Computation::Measured(scale));
        assert!(told(Scale::Ratio(1.0)).contains("as fast as this computer"));
        assert!(told(Scale::Ratio(0.5)).ends_with("a second here is 0.5 s there"));
        assert!(
            told(Scale::HostSpeed(9.8e9)).contains("9.8 Gf"),
            "{}",
            told(Scale::HostSpeed(9.8e9))
        );
        assert_eq!(computation(Computation::Off), "not simulated");
    }

    #[test]
    fn few_of_many_exit_codes_are_named() {
        let all: Vec<_> = (0..7).map(|rank| ExitCode { rank, code: 3 }).collect();
        assert_eq!(exit_codes(&all[..1]), "rank 0 gave 3");
        assert!(exit_codes(&all).ends_with("rank 4 gave 3, and 2 more"));
    }
}
