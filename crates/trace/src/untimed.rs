//! From a trace with dates to what ranks did: the time between calls becomes computation.
//!
//! Amounts of computation are the seconds that were recorded. The time that calls took is left
//! out, since a replay finds its own; that of files is kept as sleep. A request that was complete
//! when it was begun is waited for in the next call that waits, as programs do. What is computed
//! before a call is at the line of the source that the call stands in, as SimGrid has it.

mod aside;
mod between;
pub(crate) mod collective;
pub(crate) mod fences;
pub(crate) mod party;
pub(crate) mod under_way;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::file::FileCall;
use crate::mistake::Problem;
use crate::spool::{Place, Spool};
use crate::timed::{self, Class, Event, Format, Letter, Mark, Retell, Taken, Writer};
use crate::window::WindowCall;
use collective::Collectives;
use fences::Fences;
use party::Party;
use under_way::UnderWay;

/// Room for a receive whose sender is not known yet.
pub(crate) const RECEIVE: usize = 72;

/// The actions of a trace with dates of this format, and what is left out of them.
pub(crate) fn read(path: &Path, format: Format) -> Result<(Spool, Vec<String>), Problem> {
    let shared: Rc<RefCell<Option<Heard>>> = Rc::default();
    let kept = shared.clone();
    let mut left_out = timed::read_as(path, Some(format), |cast| {
        let cannot = |error| Problem::Temporary { error };
        let spool = Spool::new(cast.ranks()).map_err(cannot)?;
        *kept.borrow_mut() = Some(Heard::new(spool));
        let listener = Box::new(Listener(kept));
        Ok(if format == Format::Csv { Box::new(Retell::new(listener, cast)) } else { listener })
    })?;
    let Some(heard) = shared.take() else {
        let reason = "there is nothing in this trace".into();
        return Err(Problem::Whole { path: path.to_owned(), reason });
    };
    left_out.extend(heard.left_out.iter().map(|(what, count)| format!("{count} {what}")));
    Ok((heard.spool, left_out))
}

struct Listener(Rc<RefCell<Option<Heard>>>);

impl Writer for Listener {
    fn tells_later(&self) -> bool {
        true
    }

    fn write(&mut self, date: f64, event: &Event<'_>) {
        if let Some(heard) = self.0.borrow_mut().as_mut() {
            heard.hear(date, event);
        }
    }

    fn finish(self: Box<Self>, _: f64) -> Result<(), Problem> {
        if let Some(heard) = self.0.borrow_mut().as_mut() {
            heard.finish();
        }
        Ok(())
    }
}

/// What was heard so far.
struct Heard {
    spool: Spool,
    ranks: Vec<Own>,
    states: Vec<State>,
    /// The ranks of each, and how many are on the first side.
    comms: Vec<(Vec<u32>, usize)>,
    collectives: Collectives,
    left_out: BTreeMap<String, u64>,
}

#[derive(Debug, Clone)]
struct State {
    class: Class,
    name: String,
    place: Option<Spot>,
}

/// A line of the source; its file is one word.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spot {
    file: String,
    line: u32,
}

impl Spot {
    fn of(place: &timed::Place<'_>) -> Self {
        Self { file: word(place.file), line: place.line }
    }

    /// The line that says where what follows is.
    fn action(this: Option<&Self>) -> Action<'_> {
        let (file, line) = this.map_or(("-", 0), |spot| (&spot.file, spot.line));
        Action::Location { file, line: line.into() }
    }
}

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    /// Seconds of computing since the last action.
    computed: f64,
    state: Option<u32>,
    /// The state of which the rank has said last where it stands.
    located: Option<u32>,
    has_begun: bool,
    /// Requests under way, by their numbers.
    requests: FxHashMap<u32, Request>,
    under_way: UnderWay,
    /// What is complete already, to be waited for in the next call that waits.
    complete: VecDeque<(u64, Waited)>,
    /// Sends of the call at hand, which is a send and a receive at once.
    exchanged: Vec<(u64, Waited)>,
    /// How many requests were begun in the call at hand.
    begun: Vec<u32>,
    known: Vec<u32>,
    /// Whether a collective was begun in the call at hand.
    has_begun_one: bool,
    /// How many communicators were looked at before collectives were begun.
    looked_at: usize,
    /// Whether what the call at hand does with files is told.
    tells_file: bool,
    /// Whether what it does with windows is told, not only in which calls it is.
    tells_windows: bool,
    fences: Fences,
}

/// What is to be waited for, with its number among all that the rank has begun.
#[derive(Debug, Clone, Copy)]
enum Request {
    Send(u64, Waited),
    Receive(u64, Place),
    /// Of an operation on a window, or in a file.
    Other,
}

impl Own {
    /// The rank says once which ranks a communicator has.
    fn define(&mut self, spool: &mut Spool, rank: u32, comm: u32, party: Party<'_>) {
        if !self.known.contains(&comm) {
            self.known.push(comm);
            party.define(spool, rank, comm);
        }
    }
}

impl Heard {
    fn new(spool: Spool) -> Self {
        let ranks = (0..spool.ranks()).map(|_| Own::default()).collect();
        let (states, comms) = (Vec::new(), Vec::new());
        let (collectives, left_out) = (Collectives::default(), BTreeMap::new());
        Self { spool, ranks, states, comms, collectives, left_out }
    }

    fn hear(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, place, .. } => {
                let place = place.map(|place| Spot::of(&place));
                self.states.push(State { class: Class::of(name), name: name.to_owned(), place });
            }
            Event::Forms { members, first_side, .. } => {
                self.comms.push((members.to_vec(), first_side));
            }
            Event::Enters { rank, state } => self.enter(rank, state),
            Event::Leaves { rank, state, since, collective, .. } => {
                self.leave(rank, state, date - since, collective);
            }
            Event::Sends(letter) => self.send(letter),
            Event::Posts { rank, request } => {
                let place = self.spool.leave_room(rank, RECEIVE);
                let own = &mut self.ranks[rank as usize];
                let number = own.under_way.begin(None);
                own.requests.insert(request, Request::Receive(number, place));
                own.begun.push(request);
            }
            Event::Takes { rank, request, taken } => self.take(rank, request, taken),
            Event::Begins { rank, request } => self.begin_collective(rank, request),
            Event::Completes { rank, request, collective } => {
                self.complete_collective(rank, request, collective);
            }
            Event::Window { rank, window, comm, call, request } => {
                self.on_window(rank, (window, comm), call, request);
            }
            Event::File { rank, comm, call, request } => self.on_file(rank, comm, call, request),
            Event::Marks { rank, mark, name } => self.mark(rank, mark, name),
            Event::Ends { rank } => self.end(rank),
            Event::Delivers(_) | Event::Draws { .. } | Event::Runs { .. } => {}
        }
    }

    fn class(&self, state: u32) -> Class {
        self.states[state as usize].class
    }

    fn begin(&mut self, rank: u32) {
        if !std::mem::replace(&mut self.ranks[rank as usize].has_begun, true) {
            self.spool.add(rank, &Action::Init { doubles: false });
        }
    }

    fn enter(&mut self, rank: u32, state: u32) {
        self.begin(rank);
        self.ranks[rank as usize].state = Some(state);
        if self.class(state) != Class::Computing {
            self.locate(rank, Some(state));
            self.compute(rank);
        }
    }

    /// What follows is where a state stands, or nobody knows where.
    fn locate(&mut self, rank: u32, state: Option<u32>) {
        let own = &mut self.ranks[rank as usize];
        let place = |state: Option<u32>| self.states[state? as usize].place.as_ref();
        let spot = place(state);
        if spot != place(own.located) {
            self.spool.add(rank, &Spot::action(spot));
        }
        own.located = state;
    }

    /// What was computed since the last action.
    fn compute(&mut self, rank: u32) {
        let seconds = std::mem::take(&mut self.ranks[rank as usize].computed);
        if seconds > 0.0 {
            self.spool.add(rank, &Action::Compute(seconds));
        }
    }

    fn leave(&mut self, rank: u32, state: u32, seconds: f64, args: Option<timed::Collective<'_>>) {
        let class = self.class(state);
        match class {
            Class::Computing => self.ranks[rank as usize].computed += seconds,
            Class::File if self.ranks[rank as usize].tells_file => {}
            Class::Sleeping | Class::File if seconds > 0.0 => {
                self.spool.add(rank, &Action::Sleep(seconds));
            }
            Class::Wait | Class::Test => {
                self.wait_for_complete(rank);
            }
            Class::Sendreceive => {
                let own = &mut self.ranks[rank as usize];
                for (number, name) in std::mem::take(&mut own.exchanged) {
                    own.under_way.wait(&mut self.spool, rank, number, name);
                }
            }
            Class::Barrier | Class::Collective if self.ranks[rank as usize].has_begun_one => {}
            Class::Barrier | Class::Collective => self.join(rank, state, args),
            Class::OneSided if self.ranks[rank as usize].tells_windows => {}
            Class::OneSided => self.leave_out(state),
            Class::Other if args.is_some() => self.meet(rank, state, args),
            // Reading the clock takes the same time on any network.
            Class::Other if self.states[state as usize].name == "MPI_Wtime" && seconds > 0.0 => {
                self.spool.add(rank, &Action::Sleep(seconds));
            }
            _ => {}
        }
        let own = &mut self.ranks[rank as usize];
        own.begun.clear();
        own.has_begun_one = false;
        own.tells_file = false;
        own.state = None;
    }

    /// What was complete before is waited for.
    fn wait_for_complete(&mut self, rank: u32) {
        let own = &mut self.ranks[rank as usize];
        while let Some((number, name)) = own.complete.pop_front() {
            own.under_way.wait(&mut self.spool, rank, number, name);
        }
    }

    fn leave_out(&mut self, state: u32) {
        let name = self.states[state as usize].name.clone();
        *self.left_out.entry(name).or_default() += 1;
    }

    fn join(&mut self, rank: u32, state: u32, args: Option<timed::Collective<'_>>) {
        let name = self.states[state as usize].name.clone();
        self.join_as(rank, state, &name, args);
    }

    /// A rank takes part in the collective operation of this name.
    fn join_as(&mut self, rank: u32, state: u32, name: &str, args: Option<timed::Collective<'_>>) {
        let Some(args) = args else { return self.leave_out(state) };
        let party = party(&self.comms, args.comm);
        if party.is_some_and(|party| !party.members.contains(&rank)) {
            return self.leave_out(state);
        }
        if let Some(party) = party {
            self.ranks[rank as usize].define(&mut self.spool, rank, args.comm, party);
        }
        let is_known = self.collectives.join(&mut self.spool, rank, name, args, party, None);
        if !is_known {
            self.leave_out(state);
        }
    }

    /// A collective is begun that is waited for later. Its place comes before its communicator is
    /// told, so the rank says of all of its communicators what they are.
    fn begin_collective(&mut self, rank: u32, request: u32) {
        let own = &mut self.ranks[rank as usize];
        let Some(state) = own.state else { return };
        for comm in std::mem::replace(&mut own.looked_at, self.comms.len())..self.comms.len() {
            let number = comm as u32 + 1;
            if let Some(party) = party(&self.comms, number)
                && party.members.contains(&rank)
            {
                own.define(&mut self.spool, rank, number, party);
            }
        }
        own.has_begun_one = true;
        let name = &self.states[state as usize].name;
        let is_known = blocking(name)
            .is_some_and(|name| self.collectives.begin(&mut self.spool, rank, request, &name));
        if !is_known {
            let what = "non-blocking collectives begun in other calls".to_owned();
            *self.left_out.entry(what).or_default() += 1;
        }
    }

    fn complete_collective(
        &mut self,
        rank: u32,
        request: u32,
        args: Option<timed::Collective<'_>>,
    ) {
        let own = &mut self.ranks[rank as usize];
        if let Some(Request::Other) = own.requests.get(&request) {
            own.requests.remove(&request);
            own.tells_file = true;
            return self.spool.add(rank, &Action::Await(request));
        }
        let comm = args.map_or(0, |args| args.comm);
        let party = party(&self.comms, comm);
        let args = args.filter(|_| party.is_none_or(|party| party.members.contains(&rank)));
        if self.collectives.complete(&mut self.spool, rank, request, args, party) {
            self.spool.add(rank, &Action::Await(request));
        }
    }

    /// Where files are told, their time is not.
    fn on_file(&mut self, rank: u32, comm: u32, call: FileCall, request: Option<u32>) {
        let own = &mut self.ranks[rank as usize];
        own.tells_file = true;
        if let Some(request) = request {
            own.requests.insert(request, Request::Other);
            self.spool.add(rank, &Action::Later(request));
        }
        if !matches!(call, FileCall::Read(_) | FileCall::Write(_))
            && let Some(party) = party(&self.comms, comm)
        {
            own.define(&mut self.spool, rank, comm, party);
            self.spool.add(rank, &Action::Within(comm));
        }
        self.spool.add(rank, &Action::File(call));
    }

    fn on_window(
        &mut self,
        rank: u32,
        (number, comm): (u32, u32),
        call: WindowCall<'_>,
        request: Option<u32>,
    ) {
        let own = &mut self.ranks[rank as usize];
        own.tells_windows = true;
        if call == WindowCall::Create
            && let Some(party) = party(&self.comms, comm)
        {
            own.define(&mut self.spool, rank, comm, party);
            self.spool.add(rank, &Action::Within(comm));
        }
        if let Some(request) = request {
            own.requests.insert(request, Request::Other);
        }
        own.fences.tell(&mut self.spool, rank, number, call, request);
    }

    fn send(&mut self, letter: &Letter) {
        let Letter { from, to, comm, tag, bytes, request, is_blocking, .. } = *letter;
        let (peer, tag) = (Peer::Rank(to), Some(tag_of(comm, tag)));
        let message = Message { peer, tag, size: Amount::of_bytes(bytes) };
        let waited = Waited { from: Peer::Rank(from), to: peer, tag };
        let state = self.ranks[from as usize].state;
        let (class, mode) = state.map_or((Class::Other, Mode::Standard), |state| {
            (self.class(state), mode(&self.states[state as usize].name))
        });
        let own = &mut self.ranks[from as usize];
        if is_blocking && class != Class::Sendreceive {
            return self.spool.add(from, &Action::Send(mode, message));
        }
        let number = own.under_way.begin(Some(waited));
        match request {
            Some(request) => {
                own.requests.insert(request, Request::Send(number, waited));
                own.begun.push(request);
            }
            None if class == Class::Sendreceive => own.exchanged.push((number, waited)),
            None => own.complete.push_back((number, waited)),
        }
        self.spool.add(from, &Action::Isend(mode, message));
    }

    fn take(&mut self, rank: u32, request: Option<u32>, taken: Taken) {
        let own = &mut self.ranks[rank as usize];
        let known = request.and_then(|request| own.requests.remove(&request));
        // What is complete in the very call that began it is waited for later.
        let is_new = request.is_some_and(|request| own.begun.contains(&request));
        let (number, waited) = match (taken, known) {
            (Taken::Send, Some(Request::Send(number, waited))) => (number, waited),
            (Taken::Receive { from, comm, tag, bytes, .. }, known) => {
                let message = Message {
                    peer: Peer::Rank(from),
                    tag: Some(tag_of(comm, tag)),
                    size: Amount::of_bytes(bytes),
                };
                let Some(Request::Receive(number, place)) = known else {
                    return self.spool.add(rank, &Action::Recv(message));
                };
                let line = format!("{rank} {}", Action::Irecv(message));
                self.spool.fill(place, line.as_bytes());
                let (from, to, tag) = (message.peer, Peer::Rank(rank), message.tag);
                (number, Waited { from, to, tag })
            }
            _ => return,
        };
        match is_new {
            true => own.complete.push_back((number, waited)),
            false => own.under_way.wait(&mut self.spool, rank, number, waited),
        }
    }

    /// Parts of a program are told as places in the source, which factors can be given for.
    fn mark(&mut self, rank: u32, mark: Mark, name: &str) {
        self.begin(rank);
        if mark == Mark::Here {
            return;
        }
        self.locate(rank, None);
        self.compute(rank);
        let words = match mark {
            Mark::Here | Mark::Begin => format!("{rank} region {}", word(name)),
            Mark::End => format!("{rank} leave {}", word(name)),
        };
        let place = self.spool.leave_room(rank, words.len());
        self.spool.fill(place, words.as_bytes());
    }

    fn end(&mut self, rank: u32) {
        self.begin(rank);
        self.locate(rank, None);
        self.compute(rank);
        self.wait_for_complete(rank);
        self.ranks[rank as usize].under_way.end(&mut self.spool, rank);
        self.ranks[rank as usize].fences.end(&mut self.spool, rank);
        self.spool.add(rank, &Action::Finalize);
    }

    fn finish(&mut self) {
        self.collectives.give_up(&mut self.spool);
        for (name, count) in self.collectives.unfinished() {
            let what = format!("{name} that not all ranks took part in");
            *self.left_out.entry(what).or_default() += count;
        }
    }
}

/// The ranks of a communicator; none of the world.
fn party(comms: &[(Vec<u32>, usize)], comm: u32) -> Option<Party<'_>> {
    let (members, first) = &comms[comm.checked_sub(1)? as usize];
    Some(Party { members, first: *first })
}

/// The blocking call of the same operation as a non-blocking one.
fn blocking(call: &str) -> Option<String> {
    let rest = call.strip_prefix("MPI_I")?;
    let first = rest.chars().next()?;
    Some(format!("MPI_{}{}", first.to_ascii_uppercase(), &rest[first.len_utf8()..]))
}

/// How a send completes, by the name of its call.
fn mode(call: &str) -> Mode {
    match call {
        "MPI_Ssend" | "MPI_Issend" => Mode::Synchronous,
        "MPI_Bsend" | "MPI_Ibsend" => Mode::Buffered,
        _ => Mode::Standard,
    }
}

/// A tag that no other communicator has, as far as chance has it: replays know one communicator
/// for messages.
pub(crate) fn tag_of(comm: u32, tag: i32) -> u32 {
    let tag = tag.max(0) as u32;
    if comm == 0 {
        return tag;
    }
    let both = u64::from(comm) << 32 | u64::from(tag);
    let mixed = both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
    1 << 30 | mixed as u32
}

/// A name as one word of a line.
pub fn word(name: &str) -> String {
    let is_blank = |letter: char| letter.is_whitespace() || letter.is_control();
    let word: String =
        name.chars().map(|letter| if is_blank(letter) { '_' } else { letter }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}
