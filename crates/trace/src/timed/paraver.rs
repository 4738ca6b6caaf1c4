//! Paraver: `.prv` has the records, `.pcf` what their numbers mean, `.row` the names of objects.
//!
//! A rank is a task of one thread on a processor of its own. Records are in the order of their
//! dates, in nanoseconds. Types and values of MPI calls are those that Extrae writes, so that
//! Paraver's usual configurations work; calls that Extrae has no number for get one from 10001 on.
//! Messages within collective operations are not told.

mod entry;
mod labels;
mod print;
mod read;
mod runs;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::text::{Clock, NANOSECONDS, Word, nanoseconds};
use super::{Cast, Class, Collective, Draft, Event, Lane, Mark, Message, Needs, Writer};
use crate::mistake::Problem;
use entry::{Dates, Entry, Events};
use labels::{ALGORITHM, COMMUNICATOR, Call, MARK, POWER, RECEIVED, REGION, ROOT, SENT};
use print::Printer;
pub(crate) use read::read;
use runs::Runs;

/// Bytes for communicators that are made once records are written.
const FOR_COMMS: usize = 1024;

/// Writes the three files.
#[derive(Debug)]
pub(crate) struct Paraver {
    prv: Draft,
    /// Bytes that are kept free at the beginning, for what is known last.
    kept_free: usize,
    pcf: Draft,
    row: Draft,
    cast: Cast,
    clock: Clock<NANOSECONDS>,
    runs: Runs,
    /// Events of each rank that belong into one record.
    events: Vec<Events>,
    calls: Vec<Call>,
    comms: Vec<Vec<u32>>,
    /// Numbers of algorithms, and of what the program named.
    algorithms: BTreeMap<String, u64>,
    names: BTreeMap<String, u64>,
    /// Parts of the program that ranks are in.
    regions: Vec<Vec<u64>>,
    /// The first rank on each node, which tells its power.
    firsts: Vec<Option<u32>>,
}

impl Paraver {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let beside = |ending: &str| Draft::create(&renamed(path, ending));
        let (prv, pcf, row) = (Draft::create(path)?, beside("pcf")?, beside("row")?);
        let ranks = cast.ranks();
        let mut firsts = vec![None; cast.nodes.len()];
        for (rank, node) in cast.places.iter().enumerate().rev() {
            firsts[*node as usize] = Some(rank as u32);
        }
        let runs = Runs::new(path, Printer::new(objects(&cast)));
        Ok(Self {
            prv,
            kept_free: 0,
            pcf,
            row,
            cast,
            clock: Clock::default(),
            runs,
            events: vec![Events::default(); ranks as usize],
            calls: Vec::new(),
            comms: Vec::new(),
            algorithms: BTreeMap::new(),
            names: BTreeMap::new(),
            regions: vec![Vec::new(); ranks as usize],
            firsts,
        })
    }

    /// A stay in a state. Most are calls that take no time.
    #[inline]
    fn stay(&mut self, rank: u32, state: u32, begin: u64, end: u64) {
        let call = &self.calls[state as usize];
        let events = &mut self.events[rank as usize];
        if begin == end && begin == events.date && call.value != 0 {
            events.visit(call);
        } else {
            self.long_stay(rank, state, (begin, end), None);
        }
    }

    /// A stay in a state: the state itself, and for calls the events that begin and end it.
    fn long_stay(
        &mut self,
        rank: u32,
        state: u32,
        (begin, end): (u64, u64),
        args: Option<Collective<'_>>,
    ) {
        let call = &self.calls[state as usize];
        if call.value == 0 {
            if end > begin {
                self.runs.add(begin, Entry::Stay { rank, state, begin, end });
            }
            return;
        }
        let (events, runs) = (&mut self.events[rank as usize], &mut self.runs);
        let former = events.date;
        events.reach(begin, rank, |entry| runs.add(former, entry));
        if begin == end && args.is_none() {
            events.visit(call);
            return;
        }
        events.call(call, false);
        if let Some(args) = args {
            let root = root_of(args, &self.comms);
            arguments(events, root == Some(rank), args, &mut self.algorithms);
        }
        if end > begin {
            if let Some(words) = events.take_few() {
                runs.add(begin, Entry::Call { rank, state, begin, end, words });
            } else {
                runs.add(begin, Entry::Stay { rank, state, begin, end });
            }
            events.reach(end, rank, |entry| runs.add(begin, entry));
        }
        events.call(call, true);
    }

    #[inline]
    fn message(&mut self, message: &Message) {
        let (letter, clock) = (&message.letter, &self.clock);
        let called = clock.at(message.called);
        // These two are often dates at which the sender did something.
        let then = |date| if date == message.called { called } else { clock.at(date) };
        let dates = Dates {
            called,
            departed: then(message.departed),
            posted: then(message.posted),
            arrived: clock.at(message.arrived),
        };
        let (ends, tag) = ([letter.from, letter.to], letter.tag.max(0) as u32);
        self.runs.add(dates.called, Entry::Message { ends, tag, dates, bytes: letter.bytes });
    }

    /// An event of one type and value.
    fn event(&mut self, rank: u32, date: f64, kind: u64, value: u64) {
        let (events, runs) = (&mut self.events[rank as usize], &mut self.runs);
        let former = events.date;
        events.reach(nanoseconds(date), rank, |entry| runs.add(former, entry));
        events.pair(kind, value);
    }

    /// Ends the records of events before a date.
    fn end_events(&mut self, limit: u64) {
        for (rank, events) in (0..).zip(&mut self.events) {
            let date = events.date;
            if date < limit {
                events.end(rank, |entry| self.runs.add(date, entry));
            }
        }
    }

    fn mark(&mut self, rank: u32, date: f64, mark: Mark, name: &str) {
        let next = self.names.len() as u64 + 1;
        let number = *self.names.entry(name.to_owned()).or_insert(next);
        let regions = &mut self.regions[rank as usize];
        let (kind, value) = match mark {
            Mark::Here => (MARK, number),
            Mark::Begin => {
                regions.push(number);
                (REGION, number)
            }
            Mark::End => {
                regions.pop();
                (REGION, regions.last().copied().unwrap_or(0))
            }
        };
        self.event(rank, date, kind, value);
    }

    /// Writes what is known last, where it was left free. What it does not fill is a comment.
    fn write_header(&mut self, end: u64) {
        let mut header = self.header(end).into_bytes();
        match self.kept_free.checked_sub(header.len()) {
            _ if self.kept_free == 0 => self.prv.write(&header),
            Some(left @ 2..) => {
                header.push(b'#');
                header.resize(header.len() + left - 2, b' ');
                header.push(b'\n');
                self.prv.write_over(&header);
            }
            _ => self.prv.begin_anew(&header, self.kept_free as u64),
        }
    }

    /// The first line of the `.prv`, and one for each communicator.
    fn header(&self, end: u64) -> String {
        let mut on_node = vec![0_u32; self.cast.nodes.len()];
        self.cast.places.iter().for_each(|node| on_node[*node as usize] += 1);
        let processors = on_node.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let tasks = self.cast.places.iter().map(|node| format!("1:{}", node + 1));
        let tasks = tasks.collect::<Vec<_>>().join(",");
        let (nodes, ranks, comms) = (on_node.len(), self.cast.ranks(), self.comms.len() + 1);
        // The date is a fixed one: the same run gives the same file.
        let mut text = format!(
            "#Paraver (01/01/70 at 00:00):{end}_ns:{nodes}({processors}):1:{ranks}({tasks}),{comms}\n"
        );
        let all: Vec<u32> = (0..ranks).collect();
        for (number, members) in std::iter::once(&all).chain(&self.comms).enumerate() {
            let _ = write!(text, "c:1:{}:{}", number + 1, members.len());
            members.iter().for_each(|rank| _ = write!(text, ":{}", rank + 1));
            text.push('\n');
        }
        text
    }
}

impl Writer for Paraver {
    fn needs(&self) -> Needs {
        Needs { ways: true, takings: false, waits: false }
    }

    // Whoever tells an event knows which it is, so that little of this is left there.
    #[inline(always)]
    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Leaves { rank, state, since, collective, .. } => {
                let end = self.clock.reach(date);
                let begin = self.clock.at(since);
                match collective {
                    None => self.stay(rank, state, begin, end),
                    _ => self.long_stay(rank, state, (begin, end), collective),
                }
            }
            Event::Delivers(message) if message.letter.lane == Lane::PointToPoint => {
                self.clock.reach(date);
                self.message(message);
            }
            Event::Names { name, .. } => {
                let call = Call::new(name, Class::of(name), self.calls.len());
                self.runs.learn(&call);
                self.calls.push(call);
            }
            Event::Forms { members, .. } => self.comms.push(members.to_vec()),
            Event::Draws { node, watts } => {
                if let Some(rank) = self.firsts[node as usize] {
                    self.event(rank, date, POWER, (watts * 1e3).round() as u64);
                }
            }
            Event::Marks { rank, mark, name } => self.mark(rank, date, mark, name),
            _ => {}
        }
    }

    fn settle(&mut self, date: f64) {
        if !self.runs.are_due() || !self.prv.is_plain() {
            return;
        }
        if self.kept_free == 0 {
            self.kept_free = self.header(u64::MAX).len() + FOR_COMMS;
            self.prv.write(&vec![b' '; self.kept_free]);
        }
        let limit = nanoseconds(date);
        self.end_events(limit);
        self.runs.settle(limit, &mut self.prv);
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.write_header(nanoseconds(date));
        self.end_events(u64::MAX);
        self.runs.merge(&mut self.prv)?;
        self.pcf.write(labels::pcf(&self.calls, &self.algorithms, &self.names).as_bytes());
        self.row.write(labels::row(&self.cast).as_bytes());
        // The records come last: who finds them finds all.
        self.pcf.finish()?;
        self.row.finish()?;
        self.prv.finish()
    }
}

/// Processor, application, task and thread of each rank, with colons around them. Processors are
/// counted node by node.
fn objects(cast: &Cast) -> Vec<Word> {
    let mut order: Vec<usize> = (0..cast.places.len()).collect();
    order.sort_by_key(|rank| cast.places[*rank]);
    let mut objects = vec![Word::new(""); order.len()];
    for (processor, rank) in order.into_iter().enumerate() {
        objects[rank] = Word::new(&format!(":{}:1:{}:1:", processor + 1, rank + 1));
    }
    objects
}

/// The root of a collective call as a rank of the world.
fn root_of(args: Collective<'_>, comms: &[Vec<u32>]) -> Option<u32> {
    let root = args.root?;
    match args.comm.checked_sub(1) {
        None => Some(root),
        Some(at) => comms.get(at as usize)?.get(root as usize).copied(),
    }
}

/// Types and values of the arguments of a collective call.
fn arguments(
    events: &mut Events,
    is_root: bool,
    args: Collective<'_>,
    algorithms: &mut BTreeMap<String, u64>,
) {
    events.pair(SENT, args.bytes);
    events.pair(RECEIVED, args.bytes);
    events.pair(ROOT, u64::from(is_root));
    events.pair(COMMUNICATOR, u64::from(args.comm) + 1);
    if args.algorithm.is_empty() {
        return;
    }
    let number = match algorithms.get(args.algorithm) {
        Some(number) => *number,
        None => {
            let number = algorithms.len() as u64 + 1;
            algorithms.insert(args.algorithm.to_owned(), number);
            number
        }
    };
    events.pair(ALGORITHM, number);
}

/// The same path with another ending.
fn renamed(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

#[cfg(test)]
mod tests;
