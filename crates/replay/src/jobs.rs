//! Several traces at once: jobs that share a machine.

use std::cell::RefCell;
use std::rc::Rc;

use foretell_mpi::{Comm, Error, Group, Result};

use crate::rank::Replay;

/// Traces that are replayed side by side, each with ranks and a world of its own.
///
/// The ranks of the first job come first, then those of the second, and so on.
#[derive(Debug)]
pub struct Jobs {
    jobs: Vec<Job>,
    /// When the first rank of each job began, and the last so far ended.
    spans: RefCell<Vec<(f64, f64)>>,
}

/// When a job starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// At this date, in seconds.
    At(f64),
    /// When each of its ranks has computed so many flops, as SimGrid delays jobs.
    After(f64),
}

#[derive(Debug)]
struct Job {
    replay: Rc<Replay>,
    start: Start,
    /// Its first rank among all.
    first: u32,
    group: Group,
}

impl Jobs {
    /// These traces, each with its start.
    pub fn new(traces: Vec<(Replay, Start)>) -> Self {
        let mut first = 0;
        let spans = RefCell::new(vec![(f64::INFINITY, 0.0); traces.len()]);
        let job = |(replay, start): (Replay, Start)| {
            let ranks = first..first + replay.ranks();
            let group = Group::new(ranks.clone().collect());
            first = ranks.end;
            Job { replay: Rc::new(replay), start, first: ranks.start, group }
        };
        Self { jobs: traces.into_iter().map(job).collect(), spans }
    }

    /// How many ranks all have together.
    pub fn ranks(&self) -> u32 {
        self.jobs.iter().map(|job| job.replay.ranks()).sum()
    }

    /// The traces, in order.
    pub fn replays(&self) -> impl Iterator<Item = &Replay> {
        self.jobs.iter().map(|job| &*job.replay)
    }

    /// When each job started and when its last rank ended.
    pub fn spans(&self) -> Vec<(f64, f64)> {
        self.spans.borrow().clone()
    }

    /// The life of one rank of all.
    ///
    /// # Errors
    ///
    /// As those of [`Replay::main`].
    pub async fn main(&self, world: Comm) -> Result<()> {
        let at = self.jobs.partition_point(|job| job.first <= world.rank()) - 1;
        let job = &self.jobs[at];
        let Some(own) = world.agreed(&job.group, at as i32) else {
            return Err(Error::BadArgument("a rank belongs to no job".into()));
        };
        match job.start {
            Start::At(date) if date > 0.0 => world.sleep(date).await,
            Start::After(flops) if flops > 0.0 => world.compute(flops).await,
            _ => {}
        }
        let start = world.now();
        job.replay.main_from(own, job.first).await?;
        let span = &mut self.spans.borrow_mut()[at];
        *span = (span.0.min(start), span.1.max(world.now()));
        Ok(())
    }
}
