//! The records of one task.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::passed::{Call, Seat};
use super::requests::{Request, Requests};
use super::{Book, WORLD};
use crate::action::{Action, Amount, Message, Mode, Peer, Several};
use crate::datatype::Datatype;
use crate::dimemas::{OPERATIONS, kind};
use crate::root::Root;
use crate::timed::FUNCTIONS;

/// What is known of a task while its actions become records.
#[derive(Debug)]
pub(super) struct Task {
    rank: u32,
    usual: Datatype,
    requests: Requests,
    comms: FxHashMap<u32, Comm>,
    /// What the trace calls inter-communicators, which Dimemas does not have.
    between: FxHashSet<u32>,
    /// What was said of the next action.
    next: Next,
    /// Collectives that are under way, the oldest first, with what their records have behind the
    /// operation.
    begun: Vec<(u32, String)>,
    /// The parts that it is in, the innermost last.
    parts: Vec<u32>,
}

/// A communicator: the number it has in the file, its members and the place of the task among them.
#[derive(Debug)]
struct Comm {
    number: u32,
    members: Vec<u32>,
    own: u32,
}

impl Comm {
    /// The task that has a place in it.
    fn task(&self, place: u32) -> u32 {
        self.members.get(place as usize).copied().unwrap_or(0)
    }
}

/// What was said of the action to come.
#[derive(Debug, Default)]
struct Next {
    within: Option<u32>,
    later: Option<u32>,
    passed: Option<(u64, u64, bool)>,
    younger: u32,
}

impl Task {
    pub(super) fn new(rank: u32) -> Self {
        Self {
            rank,
            usual: Datatype::BYTE,
            requests: Requests::default(),
            comms: FxHashMap::default(),
            between: FxHashSet::default(),
            next: Next::default(),
            begun: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Dimemas simulates no task that begins with anything but a burst.
    pub(super) fn begin(&self, text: &mut String) {
        let _ = writeln!(text, "{}:{}:0:0", kind::BURST, self.rank);
    }

    /// Writes what a task does.
    pub(super) fn tell(&mut self, book: &mut Book, action: &Action<'_>, text: &mut String) {
        match *action {
            Action::Within(id) => return self.next.within = Some(id),
            Action::Later(number) => return self.next.later = Some(number),
            Action::Younger(by) => return self.next.younger = by,
            Action::Passes { sent, received, is_other } => {
                return self.next.passed = Some((sent, received, is_other));
            }
            ref action => self.act(book, action, text),
        }
        self.next = Next::default();
    }

    fn act(&mut self, book: &mut Book, action: &Action<'_>, text: &mut String) {
        match *action {
            Action::Init { doubles: true } => self.usual = Datatype::DOUBLE,
            Action::Define { id, members } => self.define(book, id, members.iter().collect()),
            Action::DefineInter { id, .. } => _ = self.between.insert(id),
            Action::Compute(flops) => self.compute(flops / book.speed, text),
            Action::Sleep(seconds) => self.compute(seconds, text),
            Action::Region(name) => {
                self.parts.push(book.part(name));
                self.enter_part(text);
            }
            Action::Leave(name) => {
                let value = book.part(name);
                if let Some(at) = self.parts.iter().rposition(|part| *part == value) {
                    self.parts.truncate(at);
                }
                self.enter_part(text);
            }
            Action::Location { .. } => book.lose("places in the source"),
            Action::Mark(_) => book.lose("marks of load balancing"),
            Action::Window { call, .. } => book.lose(call.word()),
            Action::File(call) => book.lose(call.word()),
            Action::Await(number) => self.await_collective(book, number, text),
            Action::Look(_) => book.lose("tests"),
            ref action => {
                if !self.communicate(book, action, text) {
                    self.join(book, action, text);
                }
            }
        }
    }

    /// Messages between two ranks; false for anything else.
    fn communicate(&mut self, book: &mut Book, action: &Action<'_>, text: &mut String) -> bool {
        match *action {
            Action::Send(mode, message) => self.send(book, mode, message, text),
            Action::Isend(mode, message) => self.begin_send(book, mode, message, text),
            Action::Recv(message) => self.receive(book, message, kind::RECEIVES, text),
            Action::Irecv(message) => self.begin_receive(book, message, text),
            Action::Start(message) if message.peer == Peer::Rank(self.rank) => {
                self.begin_receive(book, Message { peer: Peer::Any, ..message }, text);
            }
            Action::Start(message) => self.begin_send(book, Mode::Standard, message, text),
            Action::Sendrecv { to, sent, from, received } => {
                let tag = Some(0);
                let message = Message { peer: from, tag, size: received };
                self.receive(book, message, kind::BEGINS_TO_RECEIVE, text);
                self.send(book, Mode::Standard, Message { peer: to, tag, size: sent }, text);
                self.receive(book, message, kind::WAITS, text);
            }
            Action::Wait(name) => {
                let request = self.requests.take(name, self.next.younger);
                self.wait(book, request, text);
            }
            Action::Waitall(_) => {
                for request in self.requests.take_all() {
                    self.wait(book, Some(request), text);
                }
            }
            Action::Several(Several::WaitAny(_)) => {
                let request = self.requests.take_oldest();
                self.wait(book, request, text);
            }
            Action::Test(_) | Action::Several(_) => book.lose("tests"),
            _ => return false,
        }
        true
    }

    fn compute(&self, seconds: f64, text: &mut String) {
        if seconds > 0.0 {
            let _ = writeln!(text, "{}:{}:0:{seconds}", kind::BURST, self.rank);
        }
    }

    /// The part that the task is in now, if any.
    fn enter_part(&self, text: &mut String) {
        let value = self.parts.last().unwrap_or(&0);
        let _ = writeln!(text, "{}:{}:0:{FUNCTIONS}:{value}", kind::EVENT, self.rank);
    }

    fn send(&self, book: &mut Book, mode: Mode, message: Message, text: &mut String) {
        self.write_send(book, mode, message, 0, text);
    }

    fn begin_send(&mut self, book: &mut Book, mode: Mode, message: Message, text: &mut String) {
        self.requests.send(self.rank, message);
        self.write_send(book, mode, message, kind::GOES_ON, text);
    }

    fn write_send(
        &self,
        book: &mut Book,
        mode: Mode,
        message: Message,
        goes_on: u64,
        text: &mut String,
    ) {
        if mode == Mode::Buffered {
            book.lose("times that a send is buffered");
        }
        let how = goes_on | if mode == Mode::Synchronous { kind::MEETS } else { 0 };
        self.message(kind::SEND, message, how, text);
    }

    fn begin_receive(&mut self, book: &mut Book, message: Message, text: &mut String) {
        self.requests.receive(self.rank, message);
        self.receive(book, message, kind::BEGINS_TO_RECEIVE, text);
    }

    fn receive(&self, book: &mut Book, message: Message, how: u64, text: &mut String) {
        if how != kind::WAITS {
            if message.size.count.is_none() {
                book.lose("sizes of receives after probes");
            }
            if message.peer == Peer::Any {
                book.lose("receives of any sender, with which Dimemas 5.5 stops");
            }
        }
        self.message(kind::RECEIVE, message, how, text);
    }

    /// A send or a receive; nobody at the other end is none.
    fn message(&self, record: u64, message: Message, how: u64, text: &mut String) {
        let peer = match message.peer {
            Peer::Rank(peer) => i64::from(peer),
            Peer::Any => -1,
            Peer::Nobody => return,
        };
        let (rank, bytes) = (self.rank, self.bytes(message.size));
        let tag = message.tag.map_or(-1, i64::from);
        let _ = writeln!(text, "{record}:{rank}:0:{peer}:-1:{bytes}:{tag}:{WORLD}:{how}");
    }

    fn bytes(&self, size: Amount) -> u64 {
        size.bytes(self.usual).unwrap_or(0)
    }

    /// A request is waited for, if there is one. Sends of Dimemas end by themselves.
    fn wait(&self, book: &mut Book, request: Option<Request>, text: &mut String) {
        match request.map(|request| request.received) {
            Some(Some(message)) => self.receive(book, message, kind::WAITS, text),
            Some(None) => book.lose("waits for sends"),
            None => {}
        }
    }

    fn define(&mut self, book: &Book, id: u32, members: Vec<u32>) {
        let own = members.iter().position(|member| *member == self.rank).unwrap_or(0) as u32;
        let key = (id, members);
        let number = book.comms.get(&key).copied().unwrap_or(WORLD);
        self.comms.insert(id, Comm { number, members: key.1, own });
    }

    /// The task takes part in a collective.
    fn join(&mut self, book: &mut Book, action: &Action<'_>, text: &mut String) {
        let Next { within, later, passed, .. } = std::mem::take(&mut self.next);
        if within.is_some_and(|id| self.between.contains(&id)) {
            return book.lose("collectives of two groups");
        }
        let comm = within.and_then(|id| self.comms.get(&id));
        let (number, own, size) = match comm {
            Some(comm) => (comm.number, comm.own, comm.members.len() as u32),
            None => (WORLD, self.rank, u32::MAX),
        };
        let Some(mut call) = (Seat { own, size, usual: self.usual }).call(action) else { return };
        tell_lost(book, action);
        if let Some((sent, received, is_other)) = passed {
            (call.sent, call.received) = (sent, received);
            call.operation = if is_other { other(call.operation) } else { call.operation };
        }
        let Call { operation, root, sent, received, flops } = call;
        // Of all operations but one, Dimemas 5.5 tells each task whether it is the root itself.
        let (root, mode) = match (OPERATIONS[operation], root) {
            ("MPI_Reduce", Some(Root::Rank(root))) => {
                (comm.map_or(root, |comm| comm.task(root)), kind::MEETS_AT_ROOT)
            }
            (_, root) => (u32::from(root == Some(Root::Rank(own))), kind::MEETS_ALL),
        };
        let rest = format!("{number}:{root}:0:{sent}:{received}");
        if let Some(later) = later {
            let operation = operation + OPERATIONS.len();
            self.collective(operation, &rest, kind::BEGINS, text);
            self.begun.push((later, format!("{operation}:{rest}")));
            return;
        }
        self.collective(operation, &rest, mode, text);
        self.compute(flops / book.speed, text);
    }

    fn collective(&self, operation: usize, rest: &str, mode: u64, text: &mut String) {
        let _ = writeln!(text, "{}:{}:0:{operation}:{rest}:{mode}", kind::COLLECTIVE, self.rank);
    }

    /// Waits for a collective; Dimemas takes the oldest.
    fn await_collective(&mut self, book: &mut Book, number: u32, text: &mut String) {
        let Some(at) = self.begun.iter().position(|(one, _)| *one == number) else { return };
        if at > 0 {
            book.lose("times that a younger collective is waited for, told as the oldest");
        }
        let (_, record) = self.begun.remove(at);
        let _ = writeln!(text, "{}:{}:0:{record}:{}", kind::COLLECTIVE, self.rank, kind::ENDS);
    }
}

/// What Dimemas has no record for.
fn tell_lost(book: &mut Book, action: &Action<'_>) {
    match action {
        Action::Exscan { .. } => book.lose("MPI_Exscan, told as MPI_Scan"),
        Action::Alltoallv { .. } => book.lose("lists of MPI_Alltoallv, told as their sums"),
        _ => {}
    }
}

/// The operation of the same shape, with equal blocks or with datatypes.
fn other(operation: usize) -> usize {
    let name = match OPERATIONS[operation] {
        "MPI_Reduce_scatter" => "MPI_Reduce_scatter_block",
        "MPI_Alltoallv" => "MPI_Alltoallw",
        name => name,
    };
    OPERATIONS.iter().position(|one| *one == name).unwrap_or(operation)
}
