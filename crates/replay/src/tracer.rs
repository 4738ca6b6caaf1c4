//! From what is seen of a run to a trace with dates.
//!
//! The simulation does no more than keep notes of what happens. A thread of its own makes a trace
//! of them, so that a run takes little longer where another core is free.

mod aside;
mod flights;
mod numbers;
mod scribe;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use foretell_mpi::{Group, Happening, Mark, Observer};
use foretell_platform::{HostId, Platform};
use foretell_trace::Problem;
use foretell_trace::timed::{self, Cast, Format};

use aside::{Aside, Note};
use scribe::Scribe;

/// Writes what happens in a simulation into a trace with dates.
///
/// Clones write the same trace: one watches the simulation, another is asked at its end.
#[derive(Clone)]
pub struct Tracer(Rc<RefCell<Option<Aside>>>);

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
    /// If it cannot be written where it is to be, or there can be no thread for it.
    pub fn create(path: &Path, format: Format, scene: &Scene<'_>) -> Result<Self, Problem> {
        let (cast, nodes) = scene.cast();
        let writer = timed::create(path, format, cast)?;
        let scribe = Scribe::new(writer, scene.hosts.len(), nodes);
        let aside = Aside::begin(scribe)
            .map_err(|error| Problem::Unwritable { path: path.to_owned(), error })?;
        Ok(Self(Rc::new(RefCell::new(Some(aside)))))
    }

    /// Ends the trace, at the last date that was seen.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before. Nothing is left behind then.
    pub fn finish(&self) -> Result<(), Problem> {
        self.0.take().map_or(Ok(()), Aside::finish)
    }

    #[inline]
    fn note(&mut self, note: Note) {
        if let Some(aside) = &mut *self.0.borrow_mut() {
            aside.note(note);
        }
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer").finish_non_exhaustive()
    }
}

impl Observer for Tracer {
    fn observe(&mut self, date: f64, what: Happening) {
        self.note(Note::Happens(date, what));
    }

    fn observe_comm(&mut self, date: f64, comm: u32, groups: [Option<&Group>; 2]) {
        let of = |group: &Group| -> Vec<u32> {
            (0..group.size()).map(|rank| group.world_rank(rank)).collect()
        };
        let members = groups.into_iter().flatten().flat_map(of).collect();
        self.note(Note::Forms(date, comm, members));
    }

    fn observe_mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        self.note(Note::Marks(date, rank, mark, name.into()));
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
