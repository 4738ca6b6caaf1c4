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
    /// When the last rank of each job so far ended.
    ends: RefCell<Vec<f64>>,
}

#[derive(Debug)]
struct Job {
    replay: Rc<Replay>,
    /// Seconds after which it begins.
    start: f64,
    /// Its first rank among all.
    first: u32,
    group: Group,
}

impl Jobs {
    /// These traces, each with the date at which it starts.
    pub fn new(traces: Vec<(Replay, f64)>) -> Self {
        let mut first = 0;
        let ends = RefCell::new(vec![0.0; traces.len()]);
        let job = |(replay, start): (Replay, f64)| {
            let ranks = first..first + replay.ranks();
            let group = Group::new(ranks.clone().collect());
            first = ranks.end;
            Job { replay: Rc::new(replay), start, first: ranks.start, group }
        };
        Self { jobs: traces.into_iter().map(job).collect(), ends }
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
        let ends = self.ends.borrow();
        self.jobs.iter().zip(ends.iter()).map(|(job, end)| (job.start, *end)).collect()
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
        if job.start > 0.0 {
            world.sleep(job.start).await;
        }
        job.replay.main_from(own, job.first).await?;
        let end = &mut self.ends.borrow_mut()[at];
        *end = end.max(world.now());
        Ok(())
    }
}
