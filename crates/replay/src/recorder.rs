//! From what ranks are heard to do to a trace of it.

mod collective;
mod file;
mod several;
mod under_way;
mod window;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use foretell_mpi::{Event, Heard, Listener, Request, SendMode};
use foretell_trace::timed::{self, Draft};
use foretell_trace::{
    Action, Amount, COMPACT, Datatype, Message, Mode, Peer, Problem, TextWriter, Trace, Waited,
    compact_into, word,
};

use collective::{Numbers, amount};
use under_way::UnderWay;
use window::Windows;

/// Writes what the ranks of a simulation do into a folder, in SimGrid's form, or into a compact file.
///
/// Clones write the same trace: one listens to the simulation, another is asked at its end.
#[derive(Debug, Clone)]
pub struct Recorder(Rc<RefCell<Notes>>);

/// A trace that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// What the program did that such traces cannot tell, and how often.
    pub untold: Vec<(&'static str, u64)>,
    /// Words in its text that SimGrid's replay does not know.
    pub own_words: Vec<&'static str>,
}

/// What the user should know of the trace of a run that failed.
pub const CUT: &str = "the time-independent trace ends where the run failed";

impl Recorded {
    /// What the user should know of the trace.
    pub fn warning(&self) -> Option<String> {
        let times = |count: u64| if count == 1 { "once".into() } else { format!("{count} times") };
        let each = self.untold.iter().map(|(what, count)| format!("{what} ({})", times(*count)));
        let all = each.collect::<Vec<_>>().join(", ");
        let text = "the trace leaves out what its form cannot tell, and its replay will differ: ";
        let less = (!all.is_empty()).then(|| format!("{text}{all}"));
        let words = self.own_words.join(", ");
        let more = (!words.is_empty())
            .then(|| format!("SimGrid's replay does not know all words of the trace: {words}"));
        let both: Vec<String> = less.into_iter().chain(more).collect();
        (!both.is_empty()).then(|| both.join("; "))
    }
}

impl Recorder {
    /// Begins a trace of `ranks` ranks in a folder, which is made if it is not there; or one that
    /// is to become a compact file, if the name ends like one.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn create(path: &Path, ranks: u32) -> Result<Self, Problem> {
        let small = path.extension().filter(|extension| *extension == COMPACT);
        let small = small.map(|_| Small::beside(path)).transpose()?;
        let writer =
            TextWriter::create(small.as_ref().map_or(path, |small| small.text.path()), ranks)?;
        let mut notes = Notes {
            writer,
            small,
            ranks: (0..ranks).map(|_| Own::default()).collect(),
            requests: Vec::new(),
            several: BTreeMap::new(),
            untold: BTreeMap::new(),
            own_words: BTreeSet::new(),
            text: Vec::new(),
            problem: None,
        };
        (0..ranks).for_each(|rank| notes.write(rank, &Action::Init { doubles: false }));
        Ok(Self(Rc::new(RefCell::new(notes))))
    }

    /// Ends the trace.
    ///
    /// # Errors
    ///
    /// If something could not be written, now or before.
    pub fn finish(&self) -> Result<Recorded, Problem> {
        let notes = &mut *self.0.borrow_mut();
        (0..notes.ranks.len() as u32).for_each(|rank| notes.write(rank, &Action::Finalize));
        let outcome = notes.writer.finish();
        if let Some(problem) = notes.problem.take() {
            return Err(problem);
        }
        outcome?;
        let mut own_words = std::mem::take(&mut notes.own_words);
        if let Some(Small { text, draft }) = notes.small.take() {
            compact_into(&Trace::open(text.path())?, draft)?;
            own_words.clear();
        }
        let untold = std::mem::take(&mut notes.untold).into_iter().collect();
        Ok(Recorded { untold, own_words: own_words.into_iter().collect() })
    }
}

impl Listener for Recorder {
    fn hear(&mut self, rank: u32, event: Event<'_>) {
        self.0.borrow_mut().hear(rank, event);
    }

    /// SimGrid's form has no words for them.
    fn knows_communicators(&self) -> bool {
        self.0.borrow().small.is_some()
    }
}

/// A compact file that is to be, and the text it is made of, which goes when it is made.
#[derive(Debug)]
struct Small {
    text: tempfile::TempDir,
    draft: Draft,
}

impl Small {
    fn beside(path: &Path) -> Result<Self, Problem> {
        let draft = Draft::create(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let text = tempfile::Builder::new()
            .prefix(&timed::prefix())
            .tempdir_in(folder.unwrap_or(Path::new(".")));
        let text = text.map_err(|error| Problem::File { path: path.to_owned(), error })?;
        Ok(Self { text, draft })
    }
}

#[derive(Debug)]
struct Notes {
    writer: TextWriter,
    /// What the trace is to become at its end, if not the text.
    small: Option<Small>,
    ranks: Vec<Own>,
    /// What is known of requests, by number.
    requests: Vec<Known>,
    /// Messages of requests that stand for several.
    several: BTreeMap<u32, Vec<Waited>>,
    untold: BTreeMap<&'static str, u64>,
    /// Words that SimGrid's replay does not know.
    own_words: BTreeSet<&'static str>,
    /// Counts of one line.
    text: Vec<u8>,
    /// The first thing that went wrong; nothing is written after it.
    problem: Option<Problem>,
}

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    /// How many collectives it is in, one in the other, which are one line.
    depth: u32,
    /// It has found a message and not received it.
    has_probed: bool,
    /// Requests that its lines have begun and not waited for.
    under_way: UnderWay,
    /// Communicators that its lines have defined.
    communicators: Vec<u32>,
    /// Of collectives that go on beside it.
    numbers: Numbers,
    windows: Windows,
    /// Names of parts of the program that it is in, the outermost first.
    parts: Vec<String>,
}

/// What is known of a request.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// What a wait for it is to say; none if no line has to.
    name: Option<Waited>,
    /// The number of a collective under way.
    later: Option<u32>,
    /// Whether its line lacks the size.
    lacks_size: bool,
}

impl Notes {
    fn hear(&mut self, rank: u32, event: Event<'_>) {
        if let Event::Untold(what) = event {
            *self.untold.entry(what).or_default() += 1;
            return;
        }
        let own = &mut self.ranks[rank as usize];
        match event {
            Event::Within { number, group, other } if own.depth == 0 => {
                self.within(rank, number, group, other);
            }
            Event::Begin => own.depth += 1,
            Event::End => own.depth = own.depth.saturating_sub(1),
            Event::Collective(collective) => {
                own.depth = own.depth.saturating_sub(1);
                if own.depth == 0 {
                    self.collective(rank, collective);
                }
            }
            _ if own.depth > 0 => {}
            _ => self.hear_alone(rank, event),
        }
    }

    fn hear_alone(&mut self, rank: u32, event: Event<'_>) {
        match event {
            Event::Compute(flops) => self.write(rank, &Action::Compute(flops)),
            Event::Sleep(seconds) if seconds > 0.0 => self.write(rank, &Action::Sleep(seconds)),
            Event::Send { request, mode, envelope } => self.send(rank, request, mode, envelope),
            Event::Receive { request, is_blocking, envelope } => {
                self.receive(rank, request, is_blocking, envelope);
            }
            Event::Done { request, bytes } => self.done(rank, request, bytes),
            Event::WaitAll(requests) => self.wait_all(rank, requests),
            Event::Test(request) => {
                let known = *self.known(request);
                if let Some(name) = known.name {
                    self.tell_which(rank, request, name);
                    self.write(rank, &Action::Test(name));
                } else if let Some(number) = known.later {
                    self.write(rank, &Action::Look(number));
                } else if let Some([first, ..]) = self.several.get(&request).map(Vec::as_slice) {
                    let first = *first;
                    let older = self.ranks[rank as usize].under_way.older_than(request, first);
                    if older > 0 {
                        self.write(rank, &Action::Younger(older));
                    }
                    self.write(rank, &Action::Test(first));
                }
            }
            Event::Later { request, collective } => self.later(rank, request, collective),
            Event::Messages { request, received, sent } => {
                self.begin_several(rank, request, received, sent);
            }
            Event::File { deed, request } => self.file(rank, deed, request),
            Event::Window { window, call } => self.window(rank, window, call),
            Event::Part(name) => self.part(rank, name),
            Event::PartEnd => {
                if let Some(name) = self.ranks[rank as usize].parts.pop() {
                    self.write(rank, &Action::Leave(&name));
                }
            }
            Event::Probe => self.ranks[rank as usize].has_probed = true,
            _ => {}
        }
    }

    fn send(&mut self, rank: u32, request: Option<u32>, mode: SendMode, envelope: Heard) {
        let message = message(envelope);
        let (peer, tag) = (message.peer, message.tag);
        let mode = match mode {
            SendMode::Standard | SendMode::Ready => Mode::Standard,
            SendMode::Synchronous => Mode::Synchronous,
            SendMode::Buffered => Mode::Buffered,
        };
        match request {
            None => self.write(rank, &Action::Send(mode, message)),
            Some(request) => {
                self.begin(rank, request, Waited { from: Peer::Rank(rank), to: peer, tag });
                self.write(rank, &Action::Isend(mode, message));
            }
        }
    }

    fn receive(&mut self, rank: u32, request: u32, is_blocking: bool, envelope: Heard) {
        let (peer, tag) = (peer(envelope), tag(envelope));
        let has_probed = std::mem::take(&mut self.ranks[rank as usize].has_probed);
        // A receive of unknown size asks for it before, as the rank has done.
        let size = match has_probed {
            true => Amount { count: None, datatype: Some(Datatype::BYTE) },
            false => amount(envelope.bytes.unwrap_or(0), 1),
        };
        let message = Message { peer, tag, size };
        let action = match is_blocking {
            true => Action::Recv(message),
            false => Action::Irecv(message),
        };
        *self.known(request) = Known::default();
        if !is_blocking {
            self.begin(rank, request, Waited { from: peer, to: Peer::Rank(rank), tag });
        }
        if envelope.bytes.is_none() && !has_probed {
            self.known(request).lacks_size = true;
            let outcome = self.writer.add_open(rank, request, &action);
            self.note(outcome);
        } else {
            self.write(rank, &action);
        }
    }

    /// A part of the program begins. Its name is one word in a line.
    fn part(&mut self, rank: u32, name: &str) {
        let name = word(name);
        self.write(rank, &Action::Region(&name));
        self.ranks[rank as usize].parts.push(name);
    }

    /// A line begins a request.
    fn begin(&mut self, rank: u32, request: u32, name: Waited) {
        *self.known(request) = Known { name: Some(name), ..Known::default() };
        self.ranks[rank as usize].under_way.begin(request, name);
    }

    /// A line waits for a request, or looks for it: says which one it is among those that the line
    /// fits.
    fn tell_which(&mut self, rank: u32, request: u32, name: Waited) {
        let older = self.ranks[rank as usize].under_way.older(request, name);
        if older > 0 {
            self.write(rank, &Action::Younger(older));
        }
    }

    fn done(&mut self, rank: u32, request: u32, bytes: u64) {
        let Known { name, later, lacks_size } = std::mem::take(self.known(request));
        if lacks_size {
            self.writer.close(rank, request, bytes);
        }
        if let Some(name) = name {
            self.tell_which(rank, request, name);
            self.ranks[rank as usize].under_way.end(request);
            self.write(rank, &Action::Wait(name));
        }
        if let Some(number) = later {
            self.end_later(rank, number);
        }
        if let Some(all) = self.several.remove(&request) {
            self.end_several(rank, request, &all);
        }
    }

    /// One line for all, if there are no others that the line would wait for too.
    fn wait_all(&mut self, rank: u32, requests: &[Request]) {
        let numbers = || requests.iter().filter_map(Request::number);
        let named = numbers().filter(|request| self.known(*request).name.is_some()).count();
        let under_way = &mut self.ranks[rank as usize].under_way;
        if named > 1 && named == under_way.count() {
            under_way.clear();
            numbers().for_each(|request| self.known(request).name = None);
            self.write(rank, &Action::Waitall(named as u64));
        }
    }

    fn known(&mut self, request: u32) -> &mut Known {
        let at = request as usize;
        if at >= self.requests.len() {
            self.requests.resize(at + 1, Known::default());
        }
        &mut self.requests[at]
    }

    fn write(&mut self, rank: u32, action: &Action<'_>) {
        self.own_words.extend(action.own_word());
        let outcome = self.writer.add(rank, action);
        self.note(outcome);
    }

    fn note(&mut self, outcome: Result<(), Problem>) {
        if let Err(problem) = outcome {
            self.problem.get_or_insert(problem);
        }
    }
}

fn message(envelope: Heard) -> Message {
    let size = amount(envelope.bytes.unwrap_or(0), 1);
    Message { peer: peer(envelope), tag: tag(envelope), size }
}

fn peer(envelope: Heard) -> Peer {
    envelope.peer.map_or(Peer::Any, Peer::Rank)
}

/// Traces of this form know one communicator. Tags of others are made up: far from those that
/// programs use, and different for each communicator and tag as far as chance has it.
fn tag(Heard { context, tag, .. }: Heard) -> Option<u32> {
    let tag = tag? as u32;
    if context == 0 {
        return Some(tag);
    }
    let both = u64::from(context) << 32 | u64::from(tag);
    let mixed = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
    Some(1 << 30 | mixed as u32)
}

#[cfg(test)]
mod tests;
