//! Paraver: `.prv` has the records, `.pcf` what their numbers mean, `.row` the names of objects.
//!
//! A rank is a task of one thread on a processor of its own. Records are in the order of their
//! dates, in nanoseconds. Types and values of MPI calls are those that Extrae writes, so that
//! Paraver's usual configurations work; calls that Extrae has no number for get one from 10001 on.
//! Messages within collective operations are not told.

mod labels;
mod legend;
mod print;
mod queue;
mod read;
mod runs;
mod slot;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use super::text::{Clock, NANOSECONDS, Word, nanoseconds};
use super::{Cast, Class, Collective, Draft, Event, Lane, Mark, Message, Needs, Writer};
use crate::mistake::Problem;
use labels::{
    ALGORITHM, COMMUNICATOR, Call, Callers, MARK, POWER, PSTATE, RECEIVED, REGION, ROOT, SENT,
    SPEED,
};
pub(crate) use legend::{FUNCTIONS, Legend};
use print::Printer;
use queue::{Came, Queue};
pub(crate) use read::read;
use runs::Runs;
use slot::{NONE, Side, Slot, Texts};

/// Bytes for communicators that are made once records are written.
const FOR_COMMS: usize = 1024;
/// Slots that come before it is asked which can go: they stay in the cache.
const WINDOW: usize = 512;
/// Slots that are held back before they become a run.
const HELD_BACK: usize = 1 << 19;
/// How much is written at once.
const BLOCK: usize = 256 << 10;
/// Where a rank is.
#[derive(Debug, Clone, Copy)]
struct Own {
    /// Its slot, and when that begins.
    slot: u64,
    begin: u64,
    /// The state that it is in.
    state: u32,
}

impl Own {
    /// Not yet there, or no longer.
    const NOWHERE: Own = Own { slot: u64::MAX, begin: u64::MAX, state: NONE };
}

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
    /// Whether all is told as it happens.
    is_live: bool,
    queue: Queue,
    /// How many slots must be there before it is asked again which can go.
    due: usize,
    printer: Printer,
    runs: Runs,
    ranks: Vec<Own>,
    calls: Vec<Call>,
    comms: Vec<Vec<u32>>,
    /// Numbers of algorithms, and of what the program named.
    algorithms: BTreeMap<String, u64>,
    names: BTreeMap<String, u64>,
    /// The first rank on each node, which tells its power.
    firsts: Vec<Option<u32>>,
    has_speeds: bool,
    callers: Callers,
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
        Ok(Self {
            prv,
            kept_free: 0,
            pcf,
            row,
            clock: Clock::default(),
            is_live: false,
            queue: Queue::default(),
            due: WINDOW,
            printer: Printer::new(objects(&cast)),
            runs: Runs::new(path),
            ranks: vec![Own::NOWHERE; ranks as usize],
            calls: Vec::new(),
            comms: Vec::new(),
            algorithms: BTreeMap::new(),
            names: BTreeMap::new(),
            firsts,
            has_speeds: false,
            callers: Callers::default(),
            cast,
        })
    }

    /// A new slot of a rank, which begins now.
    #[inline]
    fn open(&mut self, rank: u32, now: u64) -> u64 {
        if self.queue.len() >= self.due {
            self.let_go();
        }
        self.queue.open(rank, now)
    }

    /// A new slot of a rank for what is over already.
    fn open_late(&mut self, rank: u32, begin: u64) -> u64 {
        if self.queue.late() >= HELD_BACK {
            self.runs.add(&mut self.queue, &mut self.printer, false);
        }
        self.queue.open_late(rank, begin)
    }

    /// Lets slots go that can. Where others wait for them, as before a header that is known last,
    /// all of them go to files of their own when they are many.
    #[cold]
    #[inline(never)]
    fn let_go(&mut self) {
        if self.is_live && self.prv.is_plain() && self.runs.is_empty() {
            self.keep_room();
            let to = &mut self.prv;
            let mut left = to.left_of(BLOCK);
            self.queue.go(&mut self.printer, |_, printer| {
                if printer.len() >= left {
                    to.write(&printer.text()[..left]);
                    printer.drop_first(left);
                    left = BLOCK;
                }
            });
        }
        if self.queue.len() >= HELD_BACK {
            self.runs.add(&mut self.queue, &mut self.printer, false);
        }
        self.due = (self.queue.len() + WINDOW).min(HELD_BACK);
    }

    /// Keeps room for what is known last, before the first record.
    fn keep_room(&mut self) {
        if self.kept_free == 0 {
            self.kept_free = self.header(u64::MAX).len() + FOR_COMMS;
            self.prv.write(&vec![b' '; self.kept_free]);
        }
    }

    /// A rank goes to a slot that begins now; what it was in has ended.
    #[inline]
    fn move_on(&mut self, rank: u32, now: u64) -> u64 {
        let Own { slot, begin, state } = self.ranks[rank as usize];
        if begin != Own::NOWHERE.begin {
            let (slot, _) = self.queue.slot(slot);
            (slot.state, slot.end, slot.awaits) = (state, now, slot.awaits - 1);
        }
        let slot = self.open(rank, now);
        self.ranks[rank as usize] = Own { slot, begin: now, state: NONE };
        slot
    }

    /// The slot of a rank that begins now, which may be there already.
    #[inline]
    fn here(&mut self, rank: u32, now: u64) -> u64 {
        let Own { slot, begin, .. } = self.ranks[rank as usize];
        if begin == now { slot } else { self.move_on(rank, now) }
    }

    #[inline]
    fn enter(&mut self, rank: u32, state: u32, now: u64) {
        if self.ranks[rank as usize].begin != now {
            self.move_on(rank, now);
        }
        self.ranks[rank as usize].state = state;
    }

    /// A rank leaves a state that it was in since a date.
    #[inline(always)]
    fn leave(&mut self, rank: u32, state: u32, (since, now): (f64, u64)) {
        let (own, call) = (&mut self.ranks[rank as usize], &self.calls[state as usize]);
        if own.state != state {
            return self.leave_late(rank, state, (since, now), None);
        }
        let is_visit = own.begin == now;
        if call.value != 0 {
            let (slot, texts) = self.queue.slot(own.slot);
            slot.call(call, if is_visit { Side::Visit } else { Side::Enter }, texts);
        }
        if is_visit {
            own.state = NONE;
        } else {
            self.end_stay(rank, state, now);
        }
    }

    /// A stay that has taken time ends, and the rank is somewhere else.
    #[inline(never)]
    fn end_stay(&mut self, rank: u32, state: u32, now: u64) {
        let next = self.move_on(rank, now);
        let call = &self.calls[state as usize];
        if call.value != 0 {
            let (slot, texts) = self.queue.slot(next);
            slot.call(call, Side::Leave, texts);
        }
    }

    /// The same for a collective call, which has arguments.
    #[inline(never)]
    fn leave_collective(
        &mut self,
        rank: u32,
        state: u32,
        (since, now): (f64, u64),
        args: Collective<'_>,
    ) {
        let (own, call) = (self.ranks[rank as usize], &self.calls[state as usize]);
        if own.state != state || call.value == 0 {
            return self.leave_late(rank, state, (since, now), Some(args));
        }
        let (slot, texts) = self.queue.slot(own.slot);
        slot.call(call, Side::Enter, texts);
        let is_root = root_of(args, &self.comms) == Some(rank);
        let args = as_told(args, call, self.cast.ranks(), &self.comms);
        arguments(slot, texts, is_root, args, &mut self.algorithms);
        if own.begin == now {
            slot.call(call, Side::Leave, texts);
            self.ranks[rank as usize].state = NONE;
        } else {
            self.end_stay(rank, state, now);
        }
    }

    /// The same where it was not told that the rank entered the state: a stay of its own.
    #[cold]
    #[inline(never)]
    fn leave_late(
        &mut self,
        rank: u32,
        state: u32,
        (since, now): (f64, u64),
        args: Option<Collective<'_>>,
    ) {
        let begin = self.clock.at(since).min(now);
        let first = self.open_late(rank, begin);
        let call = &self.calls[state as usize];
        let (slot, texts) = self.queue.slot(first);
        (slot.state, slot.end) = (state, now);
        if call.value == 0 {
            return;
        }
        slot.call(call, Side::Enter, texts);
        if let Some(args) = args {
            let is_root = root_of(args, &self.comms) == Some(rank);
            let args = as_told(args, call, self.cast.ranks(), &self.comms);
            arguments(slot, texts, is_root, args, &mut self.algorithms);
        }
        let last = self.open_late(rank, now);
        let (slot, texts) = self.queue.slot(last);
        slot.call(&self.calls[state as usize], Side::Leave, texts);
    }

    /// A message has come, which was sent in a slot if one was kept for it.
    #[inline]
    fn deliver(&mut self, message: &Message) {
        let (letter, clock) = (&message.letter, &self.clock);
        let came = Came {
            departed: clock.at(message.departed),
            posted: clock.at(message.posted),
            arrived: clock.at(message.arrived),
            bytes: letter.bytes,
            to: letter.to,
            tag: letter.tag.max(0) as u32,
        };
        match message.place {
            Some(place) => self.queue.deliver(place.get() - 1, came),
            None => {
                let late = self.open_late(letter.from, clock.at(message.called));
                self.queue.deliver(late, came);
            }
        }
    }

    /// An event with types and values. While the rank is in a state, or has ended, it has a slot of
    /// its own, which is over at once.
    fn event(&mut self, rank: u32, date: f64, pairs: &[(u64, u64)]) {
        let (now, own) = (self.clock.reach(date), self.ranks[rank as usize]);
        let is_apart = own.begin != now && (own.state != NONE || own.begin == Own::NOWHERE.begin);
        let at = if is_apart { self.open(rank, now) } else { self.here(rank, now) };
        let (slot, texts) = self.queue.slot(at);
        slot.awaits -= u32::from(is_apart);
        pairs.iter().for_each(|(kind, value)| slot.pair(*kind, *value, texts));
    }

    /// The program of a rank has ended, behind the last of its states.
    fn end(&mut self, rank: u32) {
        let own = std::mem::replace(&mut self.ranks[rank as usize], Own::NOWHERE);
        if own.begin != Own::NOWHERE.begin {
            self.queue.slot(own.slot).0.awaits -= 1;
        }
    }

    fn mark(&mut self, rank: u32, date: f64, mark: Mark, name: &str) {
        let next = self.names.len() as u64 + 1;
        let number = *self.names.entry(name.to_owned()).or_insert(next);
        let (kind, value) = match mark {
            Mark::Here => (MARK, number),
            Mark::Begin => (REGION, number),
            // Whoever reads it has the parts on a stack, as those of Extrae.
            Mark::End => (REGION, 0),
        };
        self.event(rank, date, &[(kind, value)]);
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
            Event::Enters { rank, state } => {
                let now = self.clock.reach(date);
                self.enter(rank, state, now);
            }
            Event::Leaves { rank, state, since, collective, .. } => {
                let now = self.clock.reach(date);
                match collective {
                    None => self.leave(rank, state, (since, now)),
                    Some(args) => self.leave_collective(rank, state, (since, now), args),
                }
            }
            Event::Delivers(message) if message.letter.lane == Lane::PointToPoint => {
                self.clock.reach(date);
                self.deliver(message);
            }
            Event::Names { name, place, .. } => {
                let (nth, known) =
                    (self.calls.len(), self.calls.iter().find(|it| it.is_named(name)));
                let mut call = match known {
                    Some(known) => known.elsewhere(nth),
                    None => Call::new(name, Class::of(name), nth),
                };
                call.caller = place.map(|place| self.callers.at(&place));
                self.printer.learn(&call);
                self.calls.push(call);
            }
            Event::Forms { members, .. } => self.comms.push(members.to_vec()),
            Event::Draws { node, watts } => {
                if let Some(rank) = self.firsts[node as usize] {
                    self.event(rank, date, &[(POWER, (watts * 1e3).round() as u64)]);
                }
            }
            Event::Runs { node, pstate, speed } => {
                self.has_speeds = true;
                if let Some(rank) = self.firsts[node as usize] {
                    let pairs = [(SPEED, speed.round() as u64), (PSTATE, pstate.into())];
                    self.event(rank, date, &pairs);
                }
            }
            Event::Marks { rank, mark, name } => self.mark(rank, date, mark, name),
            Event::Ends { rank } => self.end(rank),
            _ => {}
        }
    }

    fn go_live(&mut self) {
        self.is_live = true;
    }

    #[inline(always)]
    fn keep_place(&mut self, date: f64, rank: u32) -> Option<NonZeroU64> {
        let mut own = self.ranks[rank as usize];
        if own.begin == Own::NOWHERE.begin {
            // A rank sends in a call, and so it is somewhere; if not, it is now.
            own.slot = self.move_on(rank, nanoseconds(date));
        }
        self.queue.slot(own.slot).0.awaits += 1;
        NonZeroU64::new(own.slot + 1)
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.write_header(nanoseconds(date));
        if self.runs.is_empty() && self.queue.late() == 0 {
            let to = &mut self.prv;
            self.queue.clear(true, &mut self.printer, |_, printer| {
                if printer.len() >= BLOCK {
                    to.write(printer.take());
                }
            });
            self.prv.write(self.printer.take());
        } else {
            self.prv.write(self.printer.take());
            self.runs.add(&mut self.queue, &mut self.printer, true);
            self.runs.merge(&mut self.prv)?;
        }
        self.pcf.write(
            labels::pcf(&self.calls, &self.algorithms, &self.names, &self.callers, self.has_speeds)
                .as_bytes(),
        );
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

/// The arguments of a call with the bytes that tools tell of it.
fn as_told<'a>(
    args: Collective<'a>,
    call: &Call,
    ranks: u32,
    comms: &[Vec<u32>],
) -> Collective<'a> {
    if !call.is_summed {
        return args;
    }
    let size = match args.comm.checked_sub(1) {
        None => ranks as usize,
        Some(at) => comms.get(at as usize).map_or(1, Vec::len),
    };
    Collective { bytes: args.bytes.saturating_mul(size as u64), ..args }
}

/// Types and values of the arguments of a collective call.
fn arguments(
    slot: &mut Slot,
    texts: &mut Texts,
    is_root: bool,
    args: Collective<'_>,
    algorithms: &mut BTreeMap<String, u64>,
) {
    slot.pair(SENT, args.bytes, texts);
    slot.pair(RECEIVED, args.bytes, texts);
    slot.pair(ROOT, u64::from(is_root), texts);
    slot.pair(COMMUNICATOR, u64::from(args.comm) + 1, texts);
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
    slot.pair(ALGORITHM, number, texts);
}

/// The same path with another ending.
fn renamed(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

#[cfg(test)]
mod tests;
