//! From what is seen of a run to a trace with dates.
//!
//! Where the process may use more than one processor, a thread of its own makes records of what is
//! seen, so that a run takes little longer; otherwise the simulation's own thread does, in between.
//! The trace is the same.

mod aside;
mod flights;
mod hearer;
mod scribe;
mod states;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use foretell_mpi::{Group, Interests, Mark, Notes, Observer, Place};
use foretell_platform::{HostId, Platform};
use foretell_trace::Problem;
use foretell_trace::timed::{self, Cast, Errand, Format, Writer};

use aside::Aside;
use hearer::{Hearer, Hired};
use scribe::Scribe;

/// Writes what happens in a simulation into a trace with dates.
///
/// Clones write the same trace: one watches the simulation, another is asked at its end.
#[derive(Clone)]
pub struct Tracer(Rc<RefCell<Option<Box<dyn Hearer>>>>);

/// What runs where.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// What runs.
    pub program: &'a str,
    /// Name of the machine.
    pub machine: &'a str,
    /// The machine.
    pub platform: &'a Platform,
    /// The host of each rank.
    pub hosts: &'a [HostId],
}

impl Tracer {
    /// Begins a trace.
    ///
    /// # Errors
    ///
    /// If it cannot be written where it is to be.
    pub fn create(path: &Path, format: Format, scene: &Scene<'_>) -> Result<Self, Problem> {
        let (cast, nodes) = scene.cast();
        let scribe = timed::begin(path, format, cast, Hire { ranks: scene.hosts.len(), nodes })?;
        Ok(Self::told_to(match std::thread::available_parallelism() {
            Ok(processors) if processors.get() > 1 => {
                let cannot = |error| Problem::Unwritable { path: path.to_owned(), error };
                Box::new(Aside::begin(scribe).map_err(cannot)?)
            }
            _ => scribe,
        }))
    }

    /// One whose trace is made by somebody else.
    fn told_to(hearer: Box<dyn Hearer>) -> Self {
        Self(Rc::new(RefCell::new(Some(hearer))))
    }

    /// Ends the trace, at the last date that was seen.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before. Nothing is left behind then.
    pub fn finish(&self) -> Result<(), Problem> {
        self.0.take().map_or(Ok(()), Hearer::finish)
    }

    /// Ends the trace of a program that has crashed, as far as it goes; nothing if the crash was while
    /// something was told of it.
    pub fn rescue(&self) {
        if let Ok(mut hearer) = self.0.try_borrow_mut() {
            // Whoever asks has nobody to tell of a failure.
            let _ = hearer.take().map_or(Ok(()), Hearer::finish);
        }
    }

    /// Lets the scribe hear of something, unless the trace has ended.
    fn tell(&mut self, tell: impl FnOnce(&mut dyn Hearer)) {
        if let Some(scribe) = &mut *self.0.borrow_mut() {
            tell(&mut **scribe);
        }
    }
}

/// Finds a scribe for a writer.
struct Hire {
    ranks: usize,
    nodes: Vec<Option<u32>>,
}

impl Errand for Hire {
    type Outcome = Hired;

    fn run(self, writer: impl Writer + Send + 'static) -> Hired {
        Box::new(Scribe::new(writer, self.ranks, self.nodes))
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer").finish_non_exhaustive()
    }
}

impl Observer for Tracer {
    fn interests(&self) -> Interests {
        self.0.borrow().as_ref().map_or(Interests::ALL, |scribe| scribe.interests())
    }

    fn observe(&mut self, notes: &mut Notes) {
        self.tell(|scribe| scribe.hear(notes));
    }

    fn observe_comm(&mut self, date: f64, comm: u32, groups: [Option<&Group>; 2]) {
        let of = |group: &Group| -> Vec<u32> {
            (0..group.size()).map(|rank| group.world_rank(rank)).collect()
        };
        let members: Vec<u32> = groups.into_iter().flatten().flat_map(of).collect();
        self.tell(|scribe| scribe.form(date, comm, &members));
    }

    fn observe_place(&mut self, number: u32, place: &Place<'_>) {
        self.tell(|scribe| scribe.place(number, place));
    }

    fn observe_mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        self.tell(|scribe| scribe.mark(date, rank, mark, name));
    }
}

impl Scene<'_> {
    /// Who runs where, and for each host its place among the nodes with ranks.
    fn cast(&self) -> (Cast, Vec<Option<u32>>) {
        let mut used: Vec<HostId> = self.hosts.to_vec();
        used.sort_unstable();
        used.dedup();
        let mut nodes = vec![None; self.platform.host_count()];
        (0..).zip(&used).for_each(|(place, host)| nodes[host.0 as usize] = Some(place));
        let cast = Cast {
            program: self.program.to_owned(),
            machine: self.machine.to_owned(),
            nodes: used.iter().map(|host| self.platform.host_name(*host)).collect(),
            places: self.hosts.iter().filter_map(|host| nodes[host.0 as usize]).collect(),
        };
        (cast, nodes)
    }
}

#[cfg(test)]
mod tests;
