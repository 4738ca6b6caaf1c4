//! Runs the simulations of a study, on several threads.
//!
//! Each simulation is one call on a machine of its own. All ranks call at the same date and know
//! from the start who shares their nodes; the time is that until the last rank has its result.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Result;
use foretell_apps::{Collective, Which};
use foretell_mpi::{Choice, Failure, Rules, Simulation};
use foretell_platform::Platform;

use super::rule_file;
use super::study::{Outcome, Table};
use crate::figures::counted;
use crate::interrupt::Interrupt;
use crate::mapping::Placement;
use crate::meters;
use crate::options::Settings;
use crate::progress::{Voice, next_stride};
use crate::run_options::Progress;

/// How often the one who waits looks up.
const GLANCE: Duration = Duration::from_millis(100);
/// As much as the main thread has.
const STACK: usize = 8 << 20;

/// How simulations are run.
pub(crate) struct Race<'a> {
    /// Makes the machine and the settings of one thread.
    pub(crate) machine: &'a (dyn Fn() -> Result<(Platform, Settings)> + Sync),
    pub(crate) placement: &'a Placement,
    pub(crate) threads: usize,
    /// CPU seconds for each simulation.
    pub(crate) limit: f64,
    /// To which share of their durations the ends of messages are rounded.
    pub(crate) rounding: f64,
    pub(crate) progress: Progress,
    pub(crate) interrupt: Interrupt,
}

/// One simulation: where its result belongs, and what it runs.
#[derive(Debug, Clone, Copy)]
struct Job {
    table: usize,
    point: usize,
    entry: usize,
    which: Which,
    choice: Choice,
    ranks: u32,
    bytes: u64,
}

impl Race<'_> {
    /// Runs all that is to be run and notes the outcomes. Gives how many simulations that were;
    /// those that an interrupt has kept from running are left as they are.
    pub(crate) fn run(&self, tables: &mut [Table]) -> Result<usize> {
        let jobs = jobs(tables);
        let (next, (sender, results)) = (AtomicUsize::new(0), mpsc::channel());
        let (jobs, next) = (&jobs[..], &next);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(jobs.len()) {
                let sender = sender.clone();
                let work = move || {
                    if let Err(error) = self.work(jobs, next, &sender) {
                        // Nobody listens any more if another thread has failed before.
                        sender.send(Err(error)).ok();
                    }
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
            }
            drop(sender);
            let mut voice = Voice::new(self.progress);
            let mut done = 0;
            loop {
                match results.recv_timeout(GLANCE) {
                    Ok(result) => {
                        let (job, outcome) = result?;
                        let Job { table, point, entry, .. } = jobs[job];
                        tables[table].points[point].entries[entry].outcome = outcome;
                        done += 1;
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(done),
                }
                voice.say(|elapsed| line(done, jobs.len(), elapsed));
            }
        })
    }

    /// Takes one job after the other until none is left.
    fn work(
        &self,
        jobs: &[Job],
        next: &AtomicUsize,
        results: &mpsc::Sender<Result<(usize, Outcome)>>,
    ) -> Result<()> {
        let (platform, settings) = (self.machine)()?;
        let platform = Rc::new(platform);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number).filter(|_| !self.interrupt.was_heard()) else {
                return Ok(());
            };
            let outcome = self.simulate(job, &platform, &settings)?;
            if let Some(outcome) = outcome
                && results.send(Ok((number, outcome))).is_err()
            {
                return Ok(());
            }
        }
    }

    /// None if an interrupt has ended it.
    fn simulate(
        &self,
        job: &Job,
        platform: &Rc<Platform>,
        settings: &Settings,
    ) -> Result<Option<Outcome>> {
        let mut selection = settings.selection.clone();
        let rule = rule_file::always(job.which.operation(), &job.choice);
        let rules = Rules::read("tune", &rule).map_err(|mistakes| anyhow::anyhow!("{mistakes}"))?;
        selection.follow(Rc::new(rules));
        let call = Collective { operation: job.which, bytes: job.bytes, iterations: 1 };
        let start = Rc::new(Cell::new(0.0));
        let begun = start.clone();
        let mut watch = Watch::new(self.limit, self.interrupt.clone());
        let report = Simulation::on(platform.clone())
            .ranks(job.ranks)
            .mapping(self.placement.mapping(job.ranks, platform)?)
            .computation(settings.computation)
            .collectives(selection)
            .rounding(self.rounding)
            .each_date(move |_| watch.goes_on())
            .run(async move |world| {
                world.know_nodes();
                begun.set(world.now());
                call.once(&world).await
            });
        Ok(match report {
            Ok(report) => Some(Outcome::Took(report.seconds - start.get())),
            Err(Failure::Interrupted(_)) if self.interrupt.was_heard() => None,
            Err(Failure::Interrupted(_)) => Some(Outcome::TooLong),
            Err(failure) => Some(Outcome::Failed(failure.to_string())),
        })
    }
}

/// All simulations, the long ones first: a long one that begins last would be waited for. Those of
/// many ranks are, and those of few bytes: short messages leave whoever receives them, and ranks
/// get out of step, where long ones let them wait for each other.
fn jobs(tables: &[Table]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (table, of) in tables.iter().enumerate() {
        for (point, at) in of.points.iter().enumerate() {
            let run = (0..at.entries.len()).filter(|entry| at.is_run(*entry));
            jobs.extend(run.map(|entry| Job {
                table,
                point,
                entry,
                which: of.which,
                choice: at.entries[entry].choice,
                ranks: at.ranks,
                bytes: at.bytes,
            }));
        }
    }
    jobs.sort_by_key(|job| (std::cmp::Reverse(job.ranks), job.bytes));
    jobs
}

/// Ends a simulation that takes too long.
struct Watch {
    end: f64,
    interrupt: Interrupt,
    /// Dates between two looks at the clock, and until the next.
    stride: u64,
    left: u64,
    last_look: Instant,
}

impl Watch {
    fn new(limit: f64, interrupt: Interrupt) -> Self {
        let end = meters::thread_cpu_seconds() + limit;
        Self { end, interrupt, stride: 1, left: 1, last_look: Instant::now() }
    }

    fn goes_on(&mut self) -> bool {
        self.left -= 1;
        self.left > 0 || self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = Instant::now();
        self.stride = next_stride(self.stride, now - self.last_look);
        (self.left, self.last_look) = (self.stride, now);
        !self.interrupt.was_heard() && meters::thread_cpu_seconds() < self.end
    }
}

fn line(done: usize, all: usize, elapsed: Duration) -> String {
    let all = counted(all as u64, "simulation");
    format!("{done} of {all} in {:.0} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_ends_when_its_time_is_up_or_the_user_has_had_enough() {
        assert!(!Watch::new(0.0, Interrupt::default()).goes_on());
        assert!(Watch::new(3600.0, Interrupt::default()).goes_on());
        let interrupt = Interrupt::default();
        interrupt.press();
        assert!(!Watch::new(3600.0, interrupt).goes_on());
    }
}
