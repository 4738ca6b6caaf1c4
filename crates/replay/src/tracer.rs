//! From what is seen of a run to a trace with dates.

mod flights;
mod numbers;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use foretell_mpi::{Doing, Group, Happening, Mark, Observer};
use foretell_platform::{HostId, Platform};
use foretell_trace::Problem;
use foretell_trace::timed::{self, Cast, Collective, Event, Format, Lane, Taken, Writer};

use flights::Flights;
use numbers::Numbers;

/// No state.
const NOWHERE: u32 = u32::MAX;

/// Writes what happens in a simulation into a trace with dates.
///
/// Clones write the same trace: one watches the simulation, another is asked at its end.
#[derive(Clone)]
pub struct Tracer(Rc<RefCell<Notes>>);

struct Notes {
    writer: Option<Box<dyn Writer>>,
    ranks: Vec<Own>,
    flights: Flights,
    states: Numbers,
    /// Communicators by their numbers in the simulation.
    comms: Vec<Option<u32>>,
    comm_count: u32,
    /// Where each host is in the list of nodes.
    nodes: Vec<Option<u32>>,
    date: f64,
}

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

/// What is known of a rank.
#[derive(Debug, Clone, Copy)]
struct Own {
    state: u32,
    since: f64,
    waited: f64,
    joined: Option<Joined>,
    /// Parts of the program that it is in.
    parts: u32,
    has_ended: bool,
}

/// A collective call under way.
#[derive(Debug, Clone, Copy)]
struct Joined {
    comm: u32,
    root: Option<u32>,
    /// Bytes and algorithm, once they are chosen.
    chosen: Option<(u64, &'static str)>,
}

impl Tracer {
    /// Begins a trace.
    ///
    /// # Errors
    ///
    /// If it cannot be written where it is to be.
    pub fn create(path: &Path, format: Format, scene: &Scene<'_>) -> Result<Self, Problem> {
        let (cast, nodes) = scene.cast();
        let writer = timed::create(path, format, cast)?;
        Ok(Self::to(writer, scene.hosts.len(), nodes))
    }

    fn to(writer: Box<dyn Writer>, ranks: usize, nodes: Vec<Option<u32>>) -> Self {
        let own = Own {
            state: NOWHERE,
            since: 0.0,
            waited: 0.0,
            joined: None,
            parts: 0,
            has_ended: false,
        };
        Self(Rc::new(RefCell::new(Notes {
            writer: Some(writer),
            ranks: vec![own; ranks],
            flights: Flights::default(),
            states: Numbers::default(),
            comms: vec![Some(0)],
            comm_count: 1,
            nodes,
            date: 0.0,
        })))
    }

    /// Ends the trace, at the last date that was seen.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before. Nothing is left behind then.
    pub fn finish(&self) -> Result<(), Problem> {
        let notes = &mut *self.0.borrow_mut();
        let date = notes.date;
        for rank in 0..notes.ranks.len() as u32 {
            notes.end(date, rank);
        }
        notes.writer.take().map_or(Ok(()), |writer| writer.finish(date))
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer").finish_non_exhaustive()
    }
}

impl Observer for Tracer {
    fn observe(&mut self, date: f64, what: Happening<'_>) {
        let notes = &mut *self.0.borrow_mut();
        notes.date = date;
        notes.observe(date, what);
    }
}

impl Notes {
    #[inline]
    fn tell(&mut self, date: f64, event: &Event<'_>) {
        if let Some(writer) = &mut self.writer {
            writer.write(date, event);
        }
    }

    fn observe(&mut self, date: f64, what: Happening<'_>) {
        match what {
            Happening::Enters { rank, doing } => self.enter(date, rank, doing),
            Happening::Waited { rank, since } => {
                let own = &mut self.ranks[rank as usize];
                own.waited += date - since.max(own.since);
            }
            Happening::Ends { rank } => self.end(date, rank),
            Happening::Sends { message, letter } => {
                let called = self.ranks[letter.from as usize].since;
                let comm = self.comm(letter.traffic.comm);
                let letter = self.flights.send(message, (called, date), &letter, comm);
                if letter.lane == Lane::PointToPoint {
                    self.tell(date, &Event::Sends(&letter));
                }
            }
            Happening::Departs { message } => self.flights.depart(message, date),
            Happening::Posts { rank, request, traffic, is_blocking } => {
                self.flights.post(request, date, is_blocking);
                if !is_blocking && flights::lane(traffic.lane) == Lane::PointToPoint {
                    self.tell(date, &Event::Posts { rank, request });
                }
            }
            Happening::Arrives { message } => self.flights.arrive(message, date),
            Happening::Delivers { message, request } => {
                let message = self.flights.deliver(message, request, date);
                self.tell(date, &Event::Delivers(&message));
            }
            Happening::Takes { rank, request } => self.take(date, rank, request),
            Happening::Joins { rank, comm, root, is_blocking, .. } => {
                if is_blocking {
                    let comm = self.comm(comm);
                    self.ranks[rank as usize].joined = Some(Joined { comm, root, chosen: None });
                }
            }
            Happening::Chooses { rank, bytes, algorithm, .. } => {
                // Later choices are those of the parts that the operation is made of.
                if let Some(joined) = &mut self.ranks[rank as usize].joined {
                    joined.chosen.get_or_insert((bytes, algorithm));
                }
            }
            Happening::Forms { comm, groups } => self.form(date, comm, groups),
            Happening::Draws { host, watts } => {
                if let Some(node) = self.nodes[host.0 as usize] {
                    self.tell(date, &Event::Draws { node, watts });
                }
            }
            Happening::Marks { rank, mark, name } => self.mark(date, rank, mark, name),
        }
    }

    /// Marks lie outside of calls. An end without a beginning is passed over.
    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        let parts = &mut self.ranks[rank as usize].parts;
        let mark = match mark {
            Mark::Here => timed::Mark::Here,
            Mark::Begin => {
                *parts += 1;
                timed::Mark::Begin
            }
            Mark::End if *parts == 0 => return,
            Mark::End => {
                *parts -= 1;
                timed::Mark::End
            }
        };
        self.leave(date, rank);
        self.tell(date, &Event::Marks { rank, mark, name });
    }

    fn enter(&mut self, date: f64, rank: u32, doing: Doing) {
        self.leave(date, rank);
        let name = match doing {
            Doing::Computing => "computing",
            Doing::Sleeping => "sleeping",
            // What a program says to the simulator is not what it does.
            Doing::Call(name) if name.starts_with("foretell_") => return,
            Doing::Call(name) => name,
        };
        let (state, is_new) = self.states.number(name);
        if is_new {
            self.tell(date, &Event::Names { state, name });
        }
        let own = &mut self.ranks[rank as usize];
        (own.state, own.since, own.waited, own.joined) = (state, date, 0.0, None);
        self.tell(date, &Event::Enters { rank, state });
    }

    /// Whatever the rank was in ends.
    fn leave(&mut self, date: f64, rank: u32) {
        let own = &mut self.ranks[rank as usize];
        let Own { since, waited, joined, .. } = *own;
        let state = std::mem::replace(&mut own.state, NOWHERE);
        if state == NOWHERE {
            return;
        }
        let collective = joined.map(|Joined { comm, root, chosen }| {
            let (bytes, algorithm) = chosen.unwrap_or((0, ""));
            Collective { comm, root, bytes, algorithm }
        });
        self.tell(date, &Event::Leaves { rank, state, since, waited, collective });
    }

    fn end(&mut self, date: f64, rank: u32) {
        if !std::mem::replace(&mut self.ranks[rank as usize].has_ended, true) {
            self.leave(date, rank);
            self.tell(date, &Event::Ends { rank });
        }
    }

    fn take(&mut self, date: f64, rank: u32, request: u32) {
        let Some((letter, is_blocking)) = self.flights.take(request) else { return };
        if letter.lane != Lane::PointToPoint {
            return;
        }
        let told = (!is_blocking).then_some(request);
        let taken = match letter.from == rank && letter.request == Some(request) {
            true => Taken::Send,
            false => Taken::Receive(&letter),
        };
        if told.is_some() || taken != Taken::Send {
            self.tell(date, &Event::Takes { rank, request: told, taken });
        }
    }

    /// A communicator as the trace counts them. One that was never told of is one of a rank alone.
    fn comm(&mut self, comm: u32) -> u32 {
        self.comms.get(comm as usize / 2).copied().flatten().unwrap_or(0)
    }

    fn form(&mut self, date: f64, comm: u32, groups: [Option<&Group>; 2]) {
        let of = |group: &Group| (0..group.size()).map(|rank| group.world_rank(rank)).collect();
        let members: Vec<u32> =
            groups.into_iter().flatten().flat_map(|group| -> Vec<u32> { of(group) }).collect();
        let at = comm as usize / 2;
        if self.comms.len() <= at {
            self.comms.resize(at + 1, None);
        }
        let number = self.comm_count;
        self.comms[at] = Some(number);
        self.comm_count += 1;
        self.tell(date, &Event::Forms { comm: number, members: &members });
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
