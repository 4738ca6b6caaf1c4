//! Runs one configuration under both simulators in turn and keeps the least of each figure.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;

use super::configuration::{Beside, Configuration};
use super::platforms;
use super::simgrid::{self, SimGrid};
use super::traces;
use crate::foretell::{self, Request};
use crate::measure::{self, End, Run};

/// CPU seconds after which a run of ours is stopped: a bug, not a slow configuration.
const OWN_CAP: u64 = 600;
/// A run of SimGrid longer than this is not repeated.
const LONG_RUN: f64 = 20.0;
/// Simulated times may differ by this much, relatively.
const AGREEMENT: f64 = 0.01;

/// What all configurations of a series share.
#[derive(Debug)]
pub(super) struct Course {
    /// Our binary.
    pub(super) binary: String,
    /// Where platforms and programs are kept.
    pub(super) folder: PathBuf,
    /// SimGrid, where it runs.
    pub(super) other: Option<SimGrid>,
    /// How often each side runs.
    pub(super) repeat: u32,
    /// CPU seconds that a run of SimGrid may take.
    pub(super) cap: u64,
    /// Whether SimGrid runs also where it takes minutes.
    pub(super) long: bool,
}

/// Figures of one side, each the least over its runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Figures {
    /// CPU seconds of the timed section.
    pub(super) section_s: f64,
    /// CPU seconds of the whole run.
    pub(super) total_s: f64,
    /// Seconds from start to end.
    pub(super) wall_s: f64,
    /// Peak memory.
    pub(super) rss_mib: f64,
    /// Simulated seconds of the timed section.
    pub(super) sim_s: f64,
}

/// How SimGrid's side ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) enum Other {
    /// With figures.
    Ran(Figures),
    /// Not in the time it was given, in CPU seconds.
    Capped(u64),
    /// With an error.
    Failed(String),
    /// It was not run.
    Skipped,
}

/// Both sides of one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Finish {
    /// Our figures.
    pub(super) own: Figures,
    /// SimGrid's.
    pub(super) other: Other,
}

impl Finish {
    /// Why the simulated times do not agree, if they do not.
    pub(super) fn disagreement(&self, row: &Configuration) -> Option<String> {
        let live = if let Other::Ran(other) = &self.other { Some(other.sim_s) } else { None };
        let recorded = row.recorded.map(|recorded| recorded.sim_s);
        let own = self.own.sim_s;
        let off = |sim_s: &f64| (own - sim_s).abs() > AGREEMENT * sim_s + 1e-9;
        let sim_s = live.into_iter().chain(recorded).find(off)?;
        Some(format!("simulated {own:.9} s, SimGrid {sim_s:.9} s"))
    }
}

/// Runs a configuration.
pub(super) fn run(row: &Configuration, course: &Course) -> Result<Finish> {
    let mut own_command = own_command(row, course, None)?;
    if row.is_replay {
        let trace = traces::folder(row, &course.folder);
        traces::capture(own_command, &trace, &course.folder)?;
        own_command = self::own_command(row, course, Some(&trace.to_string_lossy()))?;
    }
    let runs_beside = row.beside == Beside::Always || (row.beside == Beside::Long && course.long);
    let mut other = Other::Skipped;
    let mut other_again = runs_beside;
    let mut own: Option<Figures> = None;
    for _ in 0..course.repeat {
        if let Some(simgrid) = course.other.as_ref().filter(|_| other_again) {
            let run = measure::program(&simgrid.command(row)?, &course.folder, course.cap)?;
            other = least_other(other, theirs(&run, row, course.cap));
            other_again = matches!(&other, Other::Ran(figures) if figures.total_s < LONG_RUN);
        }
        let run = measure::program(&own_command, &course.folder, OWN_CAP)?;
        let figures = ours(&run, row)?;
        own = Some(own.map_or(figures, |best| least(best, figures)));
    }
    Ok(Finish { own: own.expect("a course has at least one round"), other })
}

/// The words that run a configuration, or replay a trace of it.
fn own_command(row: &Configuration, course: &Course, trace: Option<&str>) -> Result<Vec<String>> {
    let platform = platforms::write(row.platform, &course.folder)?;
    let placement = format!("block:{}", row.per_host);
    let request = Request {
        program: row.program,
        trace,
        args: if trace.is_some() { "" } else { row.args },
        ranks: row.ranks,
        platform: &platform.to_string_lossy(),
        placement: &placement,
        options: row.options.clone(),
    };
    Ok(request.command(&course.binary))
}

fn ours(run: &Run, row: &Configuration) -> Result<Figures> {
    match &run.account.end {
        End::Well => {
            let answer = foretell::answer(&run.stdout)?;
            let section_s = if row.is_replay { run.account.cpu_s } else { answer.cpu_s };
            Ok(figures(run, section_s, answer.sim_s))
        }
        End::Capped => bail!("{}: foretell was stopped after {OWN_CAP} CPU seconds", row.name),
        End::Badly(how) => bail!("{}: foretell failed ({how}): {}", row.name, run.stderr.trim()),
    }
}

fn theirs(run: &Run, row: &Configuration, cap: u64) -> Other {
    let read = |key| simgrid::value(&run.stdout, key);
    match &run.account.end {
        End::Well if row.is_replay => {
            match traces::simulated(&format!("{}{}", run.stdout, run.stderr)) {
                Ok(sim_s) => Other::Ran(figures(run, run.account.cpu_s, sim_s)),
                Err(error) => Other::Failed(format!("{error:#}")),
            }
        }
        End::Well => match (read("cpu_s"), read("sim_s")) {
            (Ok(section_s), Ok(sim_s)) => Other::Ran(figures(run, section_s, sim_s)),
            (Err(error), _) | (_, Err(error)) => Other::Failed(format!("{error:#}")),
        },
        End::Capped => Other::Capped(cap),
        End::Badly(how) => Other::Failed(how.clone()),
    }
}

fn figures(run: &Run, section_s: f64, sim_s: f64) -> Figures {
    let rss_mib = run.account.peak_rss_bytes as f64 / f64::from(1 << 20);
    let measure::Account { cpu_s, wall_s, .. } = run.account;
    Figures { section_s, total_s: cpu_s, wall_s, rss_mib, sim_s }
}

fn least(a: Figures, b: Figures) -> Figures {
    Figures {
        section_s: a.section_s.min(b.section_s),
        total_s: a.total_s.min(b.total_s),
        wall_s: a.wall_s.min(b.wall_s),
        rss_mib: a.rss_mib.min(b.rss_mib),
        sim_s: b.sim_s,
    }
}

fn least_other(a: Other, b: Other) -> Other {
    match (a, b) {
        (Other::Ran(a), Other::Ran(b)) => Other::Ran(least(a, b)),
        (Other::Ran(a), _) => Other::Ran(a),
        (_, b) => b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::table;

    fn side(section_s: f64, sim_s: f64) -> Figures {
        Figures { section_s, total_s: section_s + 0.1, wall_s: 1.0, rss_mib: 10.0, sim_s }
    }

    #[test]
    fn the_least_of_each_figure_is_kept() {
        let both = least(side(0.5, 1.0), Figures { wall_s: 0.2, ..side(0.7, 1.0) });
        assert_eq!(both, Figures { wall_s: 0.2, ..side(0.5, 1.0) });
    }

    #[test]
    fn a_capped_repetition_does_not_spoil_a_good_one() {
        let good = Other::Ran(side(0.5, 1.0));
        assert_eq!(least_other(good.clone(), Other::Capped(100)), good);
        assert_eq!(least_other(Other::Skipped, Other::Capped(9)), Other::Capped(9));
    }

    #[test]
    fn simulated_times_must_agree_with_both_witnesses() {
        let row = table::configurations().remove(0);
        let sim_s = row.recorded.unwrap().sim_s;
        let finish = |own, other| Finish { own: side(0.1, own), other };
        let agrees = finish(sim_s * 1.001, Other::Ran(side(1.0, sim_s)));
        assert_eq!(agrees.disagreement(&row), None);
        assert!(finish(sim_s * 1.1, Other::Skipped).disagreement(&row).is_some());
        let live = finish(sim_s, Other::Ran(side(1.0, sim_s * 2.0)));
        assert!(live.disagreement(&row).is_some());
    }
}
