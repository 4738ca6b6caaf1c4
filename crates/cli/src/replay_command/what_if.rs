//! `foretell replay --what-if`: the same trace again and again, each time with one thing other.

mod placements;
mod table;
mod variants;

use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::Result;
use foretell_platform::HostId;
use foretell_replay::Replay;

use super::aftermath;
use super::changes::Changes;
use crate::interrupt::Interrupt;
use crate::kernel_options::KernelOptions;
use crate::notes;
use crate::output::{self, NewFile};
use crate::progress::Follower;
use crate::run::{Plan, Work};
use crate::run_options::{Progress, RunOptions};

use table::{Found, Spread, Table};
use variants::{MOST_PARTS, Variant};

/// What the user asked for, whatever the variant.
struct Study<'a> {
    trace: &'a Path,
    options: RunOptions,
}

/// Replays a trace as it is and with each change, and tells what helps most.
pub(super) fn run(
    replay: Replay,
    trace: &Path,
    changes: &Changes,
    options: &RunOptions,
) -> Result<ExitCode> {
    let options =
        RunOptions { trace_ti: None, timed: Default::default(), power: None, ..options.clone() };
    let file = match &options.json {
        Some(path) if !options.prints_json() => Some(NewFile::create(path)?),
        _ => None,
    };
    let study = Study { trace, options };
    let replay = Rc::new(replay);
    let plan = study.plan(&replay, &Variant::as_it_is(&replay, changes.network()))?;
    plan.warnings.iter().for_each(|warning| notes::warning(warning));
    let places = Places::of(&plan);
    let base = study.run("as it is", plan)?;
    aftermath::warn_of_parts(&[&replay]);
    let loads = replay.loads()?;
    let (mut found, mut evened) = (Vec::new(), aftermath::evened(&[&replay]));
    for variant in variants::all(&replay, &loads, changes, &places) {
        let again = Rc::new(variant.of(&replay));
        let plan = study.plan(&again, &variant)?;
        found.push(study.run(&variant.name, plan)?);
        evened = evened.or_else(|| aftermath::evened(&[&again]));
    }
    if changes.no_noise {
        evened.into_iter().for_each(aftermath::warn_of_noise);
    }
    let more = replay.parts().len().saturating_sub(MOST_PARTS);
    if more > 0 {
        notes::warning(&format!("{more} more parts of the program were not tried"));
    }
    let table = Table::new(base, found, Spread { loads, evened }, changes.sort);
    tell(&table, file, &study.options)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(table: &Table, file: Option<NewFile>, options: &RunOptions) -> Result<()> {
    if let Some(file) = file {
        file.write(&table.json())?;
    }
    if options.prints_json() {
        output::print(&table.json())?;
    } else if !options.quiet {
        output::print(&table.text())?;
    }
    Ok(())
}

/// Where ranks are, on a machine whose hosts have these names.
struct Places {
    hosts: Vec<HostId>,
    names: Vec<String>,
}

impl Places {
    fn of(plan: &Plan) -> Self {
        let hosts = plan.hosts();
        let names = hosts.iter().map(|host| plan.name_of(*host)).collect();
        Self { hosts, names }
    }
}

impl Study<'_> {
    fn plan(&self, replay: &Rc<Replay>, variant: &Variant) -> Result<Plan> {
        let work = Work::Replay(replay.clone(), self.trace.to_owned(), variant.network);
        let mut options = self.options.clone();
        if let Some(placement) = &variant.placement {
            (options.map, options.hostfile) = (Some(placement.clone()), None);
        }
        Plan::new(work, &options, &KernelOptions::default())
    }

    fn run(&self, name: &str, plan: Plan) -> Result<Found> {
        let progress = match self.options.quiet {
            true => Progress::Never,
            false => self.options.progress.unwrap_or_default(),
        };
        let outcome = plan.run(Follower::new(progress, Interrupt::listen()))?;
        let joules = outcome.energy.as_ref().map(|found| found.energy.joules);
        Ok(Found { name: name.to_owned(), seconds: outcome.report.seconds, joules })
    }
}
