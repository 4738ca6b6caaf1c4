//! From what ranks are heard to do to a trace of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use foretell_mpi::{Collective, Counts, Event, Group, Heard, Listener, Request, SendMode};
use foretell_trace::timed;
use foretell_trace::{
    Action, Amount, COMPACT, Datatype, List, Members, Message, Mode, Peer, Problem, TextWriter,
    Trace, Waited, compact,
};

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
}

impl Recorded {
    /// What the user should know of the trace.
    pub fn warning(&self) -> Option<String> {
        let times = |count: u64| if count == 1 { "once".into() } else { format!("{count} times") };
        let each = self.untold.iter().map(|(what, count)| format!("{what} ({})", times(*count)));
        let all = each.collect::<Vec<_>>().join(", ");
        let text = "the trace leaves out what its form cannot tell, and its replay will differ: ";
        (!all.is_empty()).then(|| format!("{text}{all}"))
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
            untold: BTreeMap::new(),
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
        if let Some(Small { text, path }) = notes.small.take() {
            compact(&Trace::open(text.path())?, &path)?;
        }
        Ok(Recorded { untold: std::mem::take(&mut notes.untold).into_iter().collect() })
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
    path: PathBuf,
}

impl Small {
    fn beside(path: &Path) -> Result<Self, Problem> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let text = tempfile::Builder::new()
            .prefix(&timed::prefix())
            .tempdir_in(folder.unwrap_or(Path::new(".")));
        let text = text.map_err(|error| Problem::File { path: path.to_owned(), error })?;
        Ok(Self { text, path: path.to_owned() })
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
    untold: BTreeMap<&'static str, u64>,
    /// Counts of one line.
    text: Vec<u8>,
    /// The first thing that went wrong; nothing is written after it.
    problem: Option<Problem>,
}

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    /// It is in a collective, which is one line.
    is_quiet: bool,
    /// It has found a message and not received it.
    has_probed: bool,
    /// Requests that its lines have begun and not waited for.
    pending: usize,
    /// Communicators that its lines have defined.
    communicators: Vec<u32>,
}

/// What is known of a request.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// What a wait for it is to say; none if no line has to.
    name: Option<Waited>,
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
            Event::Within { number, group } if !own.is_quiet => self.within(rank, number, group),
            Event::Begin => own.is_quiet = true,
            Event::Collective(collective) => {
                own.is_quiet = false;
                self.collective(rank, collective);
            }
            _ if own.is_quiet => {}
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
                if let Some(name) = self.known(request).name {
                    self.write(rank, &Action::Test(name));
                }
            }
            Event::Probe => self.ranks[rank as usize].has_probed = true,
            _ => {}
        }
    }

    fn send(&mut self, rank: u32, request: Option<u32>, mode: SendMode, envelope: Heard) {
        let (peer, tag) = (peer(envelope), tag(envelope));
        let message = Message { peer, tag, size: amount(envelope.bytes.unwrap_or(0), 1) };
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

    /// A line begins a request.
    fn begin(&mut self, rank: u32, request: u32, name: Waited) {
        *self.known(request) = Known { name: Some(name), lacks_size: false };
        self.ranks[rank as usize].pending += 1;
    }

    fn done(&mut self, rank: u32, request: u32, bytes: u64) {
        let Known { name, lacks_size } = std::mem::take(self.known(request));
        if lacks_size {
            self.writer.close(rank, request, bytes);
        }
        if let Some(name) = name {
            self.ranks[rank as usize].pending -= 1;
            self.write(rank, &Action::Wait(name));
        }
    }

    /// One line for all, if there are no others that the line would wait for too.
    fn wait_all(&mut self, rank: u32, requests: &[Request]) {
        let numbers = || requests.iter().filter_map(Request::number);
        let named = numbers().filter(|request| self.known(*request).name.is_some()).count();
        let own = &mut self.ranks[rank as usize];
        if named > 1 && named == own.pending {
            own.pending = 0;
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

    /// Says of which communicator the next collective is, and which ranks that has if nobody has
    /// said so yet.
    fn within(&mut self, rank: u32, number: u32, group: &Group) {
        if !self.ranks[rank as usize].communicators.contains(&number) {
            self.ranks[rank as usize].communicators.push(number);
            let text = Members::written(&group.iter().collect::<Vec<u32>>());
            match Members::parse(text.as_bytes(), self.ranks.len() as u32) {
                Ok(members) => self.write(rank, &Action::Define { id: number, members }),
                Err(_) => *self.untold.entry("communicators").or_default() += 1,
            }
        }
        self.write(rank, &Action::Within(number));
    }

    fn collective(&mut self, rank: u32, collective: Collective<'_>) {
        let ranks = self.ranks.len() as u32;
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let cut = match collective {
            Collective::ReduceScatter { counts, element } => {
                list(&mut text, counts, ranks, element);
                text.len()
            }
            Collective::Alltoallv { sent, received } => {
                list(&mut text, sent, ranks, 1);
                let cut = text.len();
                list(&mut text, received, ranks, 1);
                cut
            }
            Collective::Gatherv { counts, .. }
            | Collective::Scatterv { counts, .. }
            | Collective::Allgatherv { counts, .. } => {
                list(&mut text, counts, ranks, 1);
                text.len()
            }
            _ => 0,
        };
        let (first, second) = text.split_at(cut);
        let lists = [List::written(first, ranks), List::written(second, ranks)];
        self.write(rank, &action(collective, lists));
        self.text = text;
    }

    fn write(&mut self, rank: u32, action: &Action<'_>) {
        let outcome = self.writer.add(rank, action);
        self.note(outcome);
    }

    fn note(&mut self, outcome: Result<(), Problem>) {
        if let Err(problem) = outcome {
            self.problem.get_or_insert(problem);
        }
    }
}

/// A collective as a line. Its computation was told before or after, or cost nothing.
fn action<'a>(collective: Collective<'_>, [first, second]: [List<'a>; 2]) -> Action<'a> {
    let flops = 0.0;
    let counts = |list, element| foretell_trace::Counts { list, datatype: Some(datatype(element)) };
    match collective {
        Collective::Barrier => Action::Barrier,
        Collective::Bcast { bytes, root } => Action::Bcast { size: amount(bytes, 1), root },
        Collective::Reduce { bytes, element, root } => {
            Action::Reduce { size: amount(bytes, element), flops, root }
        }
        Collective::Allreduce { bytes, element } => {
            Action::Allreduce { size: amount(bytes, element), flops }
        }
        Collective::Scan { bytes, element } => Action::Scan { size: amount(bytes, element), flops },
        Collective::Exscan { bytes, element } => {
            Action::Exscan { size: amount(bytes, element), flops }
        }
        Collective::ReduceScatter { element, .. } => {
            Action::ReduceScatter { counts: counts(first, element), flops }
        }
        Collective::Alltoall { block } => {
            Action::Alltoall { sent: amount(block, 1), received: amount(block, 1) }
        }
        Collective::Alltoallv { .. } => {
            Action::Alltoallv { sent: counts(first, 1), received: counts(second, 1) }
        }
        Collective::Gather { bytes, root } => {
            Action::Gather { sent: amount(bytes, 1), received: amount(bytes, 1), root }
        }
        Collective::Gatherv { bytes, root, .. } => {
            Action::Gatherv { sent: amount(bytes, 1), received: counts(first, 1), root }
        }
        Collective::Scatter { block, root } => {
            Action::Scatter { sent: amount(block, 1), received: amount(block, 1), root }
        }
        Collective::Scatterv { bytes, root, .. } => {
            Action::Scatterv { sent: counts(first, 1), received: amount(bytes, 1), root }
        }
        Collective::Allgather { bytes } => {
            Action::Allgather { sent: amount(bytes, 1), received: amount(bytes, 1) }
        }
        Collective::Allgatherv { bytes, .. } => {
            Action::Allgatherv { sent: amount(bytes, 1), received: counts(first, 1) }
        }
    }
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

/// So many bytes, in elements of a size where that is one of a datatype.
fn amount(bytes: u64, element: u64) -> Amount {
    let datatype = datatype(element);
    match bytes {
        // SimGrid counts in 32 bits.
        large if large > i32::MAX as u64 && large.is_multiple_of(8) => {
            Amount::new(large / 8, Datatype::DOUBLE)
        }
        bytes if bytes.is_multiple_of(datatype.size()) => {
            Amount::new(bytes / datatype.size(), datatype)
        }
        bytes => Amount::of_bytes(bytes),
    }
}

/// A datatype whose elements have so many bytes; bytes if there is none.
fn datatype(element: u64) -> Datatype {
    let number = match element {
        2 => 3,
        4 => 1,
        8 => 0,
        16 => 14,
        32 => 27,
        _ => 6,
    };
    Datatype::numbered(number).unwrap_or(Datatype::BYTE)
}

/// Writes a count for each rank; nothing for each where the counts do not matter, and for ranks of
/// the world that have no part in it.
fn list(text: &mut Vec<u8>, counts: &Counts, ranks: u32, element: u64) {
    use std::io::Write;
    let size = datatype(element).size();
    for rank in 0..ranks {
        let bytes = if rank < counts.ranks() { counts.of(rank) } else { 0 };
        // Writing to memory cannot fail.
        let _ = write!(text, " {}", bytes / size);
    }
}

#[cfg(test)]
mod tests;
