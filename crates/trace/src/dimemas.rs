//! Dimemas' `.dim`: what each task did, with the seconds that its bursts of computation took.
//!
//! Records are lines of fields with colons between them, task by task. Threads besides the first
//! of a task and bursts of accelerators are left out. A user event is told as a part of the
//! program, for which factors can be given: by the name that its value has in a `.pcf` beside the
//! file, else by its type and value.

mod write;

use std::collections::BTreeMap;
use std::path::Path;

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::colons::{Colons, Lines};
use crate::mistake::{Mistake, Problem};
use crate::spool::Spool;
use crate::timed::{Collective, Legend};
use crate::untimed::collective::{Collectives, Said, block};
use crate::untimed::party::Party;
use crate::untimed::{tag_of, word};
pub use write::{Written, write_dimemas};

/// Tasks that a trace may have: beyond any machine.
const MOST_TASKS: u64 = 1 << 24;

/// What numbers of records mean.
mod kind {
    /// A task without records.
    pub(super) const NOTHING: u64 = 0;
    /// A burst of computation.
    pub(super) const BURST: u64 = 1;
    /// A send.
    pub(super) const SEND: u64 = 2;
    /// A receive.
    pub(super) const RECEIVE: u64 = 3;
    /// A collective operation.
    pub(super) const COLLECTIVE: u64 = 10;
    /// A burst of an accelerator.
    pub(super) const ACCELERATOR: u64 = 11;
    /// A user event.
    pub(super) const EVENT: u64 = 20;

    /// Of a send: it ends when its receiver is there.
    pub(super) const MEETS: u64 = 1;
    /// Of a send: the task goes on meanwhile.
    pub(super) const GOES_ON: u64 = 2;

    /// Of a receive: it blocks.
    pub(super) const RECEIVES: u64 = 0;
    /// Of a receive: it begins.
    pub(super) const BEGINS_TO_RECEIVE: u64 = 1;
    /// Of a receive: it is waited for.
    pub(super) const WAITS: u64 = 2;

    /// Of a collective: it begins.
    pub(super) const BEGINS: u64 = 0;
    /// Of a collective: it blocks until all are there.
    pub(super) const MEETS_ALL: u64 = 1;
    /// Of a collective: the oldest is waited for.
    pub(super) const ENDS: u64 = 2;
    /// Of a collective: it blocks, the root until all others are there.
    pub(super) const MEETS_AT_ROOT: u64 = 3;
}

/// Types of Extrae's events on MPI, which records of their own tell.
const MPI_EVENTS: std::ops::Range<i64> = 50_000_000..50_200_000;

/// Names of collective operations by their numbers; those of non-blocking ones are 16 more.
const OPERATIONS: [&str; 16] = [
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Gather",
    "MPI_Gatherv",
    "MPI_Scatter",
    "MPI_Scatterv",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Alltoallv",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Scan",
    "MPI_Alltoallw",
];

/// The actions of a trace, and what is left out of them.
pub(crate) fn read(path: &Path) -> Result<(Spool, Vec<String>), Problem> {
    let mut lines = Lines::open(path)?;
    let tasks = match lines.advance()? {
        true => header(lines.line()).map_err(|mistake| lines.problem(mistake))?,
        false => {
            let reason = "there is nothing in it".into();
            return Err(Problem::Whole { path: path.to_owned(), reason });
        }
    };
    // Each task is told of in the header and has records: what is said of them must be in the file.
    let length = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    if length.is_some_and(|file| file.len() < u64::from(tasks)) {
        let mistake = Mistake(format!("the file is too short for {tasks} tasks"));
        return Err(lines.problem(mistake));
    }
    let cannot = |error| Problem::Temporary { error };
    let spool = Spool::new(tasks).map_err(cannot)?;
    let mut reader = Reader::new(spool, Legend::read(path));
    while lines.advance()? {
        reader.take(lines.line()).map_err(|mistake| lines.problem(mistake))?;
    }
    Ok(reader.finish())
}

/// The number of tasks.
fn header(line: &[u8]) -> Result<u32, Mistake> {
    let wrong =
        || Mistake("expected #DIMEMAS:\"name\":offset:tasks(threads,…),communicators".into());
    let rest = line.strip_prefix(b"#DIMEMAS:").ok_or_else(wrong)?;
    // The name may have colons in it.
    let rest = match rest {
        [b'"', named @ ..] => {
            let end = named.iter().position(|byte| *byte == b'"').ok_or_else(wrong)?;
            &named[end + 1..]
        }
        rest => &rest[rest.iter().position(|byte| *byte == b':').ok_or_else(wrong)?..],
    };
    let mut fields = Colons::new(rest.strip_prefix(b":").ok_or_else(wrong)?);
    fields.field().ok_or_else(wrong)?;
    let objects = fields.field().ok_or_else(wrong)?;
    let digits = objects.split(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
    let tasks = Colons::new(digits).natural("the number of tasks")?;
    match tasks {
        1..=MOST_TASKS => Ok(tasks as u32),
        _ => Err(Mistake(format!("there cannot be {tasks} tasks"))),
    }
}

struct Reader {
    spool: Spool,
    has_begun: Vec<bool>,
    comms: BTreeMap<i64, Comm>,
    /// Which tasks have told which communicator they are in.
    told: Vec<Vec<u32>>,
    collectives: Collectives,
    /// Collectives of each task that do not block: the oldest ends first.
    under_way: Vec<UnderWay>,
    /// The parts that tasks are in, by the types of their events.
    parts: BTreeMap<(u32, i64), i64>,
    legend: Legend,
    left_out: BTreeMap<String, u64>,
}

/// How many collectives a task has begun, and how many of them have ended.
#[derive(Debug, Clone, Copy, Default)]
struct UnderWay {
    begun: u32,
    ended: u32,
}

impl UnderWay {
    fn begin(&mut self) -> u32 {
        self.begun += 1;
        self.begun - 1
    }

    /// The oldest that is under way; there may be none of that number.
    fn end(&mut self) -> u32 {
        let oldest = self.ended;
        self.ended = self.begun.min(oldest + 1);
        oldest
    }
}

/// A communicator: number 0 has all tasks.
struct Comm {
    number: u32,
    members: Vec<u32>,
}

impl Reader {
    fn new(spool: Spool, legend: Legend) -> Self {
        let tasks = spool.ranks() as usize;
        Self {
            spool,
            has_begun: vec![false; tasks],
            comms: BTreeMap::new(),
            told: vec![Vec::new(); tasks],
            collectives: Collectives::default(),
            under_way: vec![UnderWay::default(); tasks],
            parts: BTreeMap::new(),
            legend,
            left_out: BTreeMap::new(),
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), Mistake> {
        let mut fields = Colons::new(line);
        match line {
            [b'd', ..] => {
                fields.field();
                return self.define(fields);
            }
            // Where in the file each task begins: it is read from its beginning.
            [b's' | b'#', ..] => return Ok(()),
            _ => {}
        }
        let kind = fields.natural("the kind of a record")?;
        let task = fields.below(self.spool.ranks(), "the task")?;
        let thread = fields.whole("the thread")?;
        if !std::mem::replace(&mut self.has_begun[task as usize], true) {
            self.spool.add(task, &Action::Init { doubles: false });
        }
        if thread != 0 {
            self.leave_out("records of further threads");
            return Ok(());
        }
        match kind {
            kind::NOTHING => Ok(()),
            kind::BURST => {
                let seconds = fields.amount("a duration")?;
                if seconds > 0.0 {
                    self.spool.add(task, &Action::Compute(seconds));
                }
                Ok(())
            }
            kind::SEND => self.send(task, fields),
            kind::RECEIVE => self.receive(task, fields),
            kind::COLLECTIVE => self.join(task, fields),
            kind::ACCELERATOR => {
                self.leave_out("bursts of accelerators");
                Ok(())
            }
            kind::EVENT => self.event(task, fields),
            _ => Err(Mistake(format!("there is no record of kind {kind}"))),
        }
    }

    fn leave_out(&mut self, what: &str) {
        *self.left_out.entry(what.to_owned()).or_default() += 1;
    }

    /// `d:1:number:size:task:…`; objects besides communicators are passed over.
    fn define(&mut self, mut fields: Colons<'_>) -> Result<(), Mistake> {
        if fields.whole("the kind of an object")? != 1 {
            return Ok(());
        }
        let id = fields.whole("the number of the communicator")?;
        let size = fields.natural("its size")?;
        if fields.left() as u64 != size || size == 0 {
            let there = fields.left();
            return Err(Mistake(format!("{size} tasks are expected here, there are {there}")));
        }
        let tasks = self.spool.ranks();
        let members = (0..size)
            .map(|_| fields.below(tasks, "the task"))
            .collect::<Result<Vec<u32>, Mistake>>()?;
        let mut sorted = members.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < members.len() {
            return Err(Mistake("a task is in the communicator twice".into()));
        }
        let is_world = members.iter().copied().eq(0..tasks);
        let number = if is_world { 0 } else { self.comms.len() as u32 + 1 };
        self.comms.insert(id, Comm { number, members });
        Ok(())
    }

    fn peer(&self, fields: &mut Colons<'_>, what: &str) -> Result<Peer, Mistake> {
        let number = fields.clone().whole(what)?;
        if number == -1 {
            fields.field();
            return Ok(Peer::Any);
        }
        fields.below(self.spool.ranks(), what).map(Peer::Rank)
    }

    /// The other end, the size and the tag; the last field is left.
    fn message(&self, fields: &mut Colons<'_>) -> Result<Message, Mistake> {
        let peer = self.peer(fields, "the other task")?;
        // Old traces do not tell the other thread.
        if fields.left() > 4 {
            fields.whole("the other thread")?;
        }
        let bytes = fields.natural("a number of bytes")?.min(1 << 40);
        let tag = fields.whole("the tag")?;
        let comm = fields.whole("the communicator")?;
        let number = self.comms.get(&comm).map_or(0, |comm| comm.number);
        let tag = (tag >= 0).then(|| tag_of(number, tag.min(i64::from(i32::MAX)) as i32));
        Ok(Message { peer, tag, size: Amount::of_bytes(bytes) })
    }

    fn send(&mut self, task: u32, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let message = self.message(&mut fields)?;
        let how = fields.natural("the kind of the send")?;
        let Message { peer, tag, .. } = message;
        if peer == Peer::Any || tag.is_none() {
            return Err(Mistake("a send has a receiver and a tag".into()));
        }
        if how > kind::GOES_ON | kind::MEETS {
            return Err(Mistake(format!("there is no send of kind {how}")));
        }
        let mode = if how & kind::MEETS == 0 { Mode::Standard } else { Mode::Synchronous };
        match how & kind::GOES_ON {
            0 => self.spool.add(task, &Action::Send(mode, message)),
            _ => self.spool.add(task, &Action::Isend(mode, message)),
        }
        Ok(())
    }

    fn receive(&mut self, task: u32, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let message = self.message(&mut fields)?;
        let Message { peer: from, tag, .. } = message;
        match fields.natural("the kind of the receive")? {
            kind::RECEIVES => self.spool.add(task, &Action::Recv(message)),
            kind::BEGINS_TO_RECEIVE => self.spool.add(task, &Action::Irecv(message)),
            kind::WAITS => {
                let waited = Waited { from, to: Peer::Rank(task), tag };
                self.spool.add(task, &Action::Wait(waited));
            }
            how => return Err(Mistake(format!("there is no receive of kind {how}"))),
        }
        Ok(())
    }

    fn join(&mut self, task: u32, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let operation = fields.natural("the operation")? as usize;
        let id = fields.whole("the communicator")?;
        let root = fields.whole("the root")?;
        fields.whole("the thread of the root")?;
        let sent = fields.natural("a number of bytes")?;
        let received = fields.natural("a number of bytes")?;
        // Old traces do not tell it.
        let mode = if fields.left() == 0 {
            kind::MEETS_ALL
        } else {
            fields.natural("how ranks are synchronised")?
        };
        let Some(name) = OPERATIONS.get(operation % 16).filter(|_| operation < 32) else {
            return Err(Mistake(format!("there is no collective operation {operation}")));
        };
        if mode > kind::MEETS_AT_ROOT {
            return Err(Mistake(format!(
                "there is no collective of mode {mode}; modes are 0 to 3"
            )));
        }
        if mode == kind::ENDS {
            self.spool.add(task, &Action::Await(self.under_way[task as usize].end()));
            return Ok(());
        }
        let Some(Comm { number, members }) = self.comms.get(&id) else {
            let ids: Vec<String> = self.comms.keys().map(i64::to_string).collect();
            let ids = ids.join(", ");
            return Err(Mistake(format!("there is no communicator {id}; there are: {ids}")));
        };
        let place = |task: i64| members.iter().position(|member| i64::from(*member) == task);
        if place(task.into()).is_none() {
            return Err(Mistake(format!("task {task} is not in communicator {id}")));
        }
        let args = Collective {
            comm: *number,
            root: place(root).map(|root| root as u32),
            bytes: block(name, members.len() as u64, sent, received),
            gathered: 0,
            algorithm: "",
        };
        let members = (*number != 0).then_some(Party::of(members));
        if let Some(members) = members
            && !self.told[task as usize].contains(number)
        {
            self.told[task as usize].push(*number);
            members.define(&mut self.spool, task, *number);
        }
        if mode == kind::BEGINS {
            self.spool.add(task, &Action::Later(self.under_way[task as usize].begin()));
        }
        let said = Some(Said { root, sent, received });
        self.collectives.join(&mut self.spool, task, name, args, members, said);
        Ok(())
    }

    /// A part of the program begins, or ends if the value is zero.
    fn event(&mut self, task: u32, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let kind = fields.whole("the type of the event")?;
        let value = fields.whole("its value")?;
        if MPI_EVENTS.contains(&kind) {
            return Ok(());
        }
        if let Some(before) = self.parts.remove(&(task, kind)) {
            self.spool.add(task, &Action::Leave(&self.part(kind, before)));
        }
        if value != 0 {
            self.parts.insert((task, kind), value);
            self.spool.add(task, &Action::Region(&self.part(kind, value)));
        }
        Ok(())
    }

    /// The name of a part.
    fn part(&self, kind: i64, value: i64) -> String {
        let numbers = u64::try_from(kind).ok().zip(u64::try_from(value).ok());
        let named = numbers.and_then(|(kind, value)| self.legend.name(kind, value));
        named.map_or_else(|| format!("{kind}:{value}"), word)
    }

    fn finish(mut self) -> (Spool, Vec<String>) {
        for (name, count) in self.collectives.unfinished() {
            *self.left_out.entry(format!("{name} that not all took part in")).or_default() += count;
        }
        for task in 0..self.spool.ranks() {
            if !self.has_begun[task as usize] {
                self.spool.add(task, &Action::Init { doubles: false });
            }
            self.spool.add(task, &Action::Finalize);
        }
        let left_out = self.left_out.iter().map(|(what, count)| format!("{count} {what}"));
        (self.spool, left_out.collect())
    }
}

#[cfg(test)]
mod tests;
