//! From events of locations, in the order of their dates, to events of ranks.

mod file;
mod silent;
mod window;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use super::definitions::{Definitions, Kind, Members};
use super::events::{Spot, Told};
use crate::timed::otf2::definitions::CREATE;
use crate::timed::otf2::volume::{self, Part};
use crate::timed::{Assembly, Collective, Event, Letter, Mark, Message, Taken, Writer};
use file::Accesses;
use silent::Silent;
use window::Operations;

/// No message has more bytes.
const MOST: u64 = 1 << 40;

/// The state of a rank that is in no call.
const COMPUTING: u32 = 0;

/// Tells a writer what ranks do.
pub(super) struct Story<'a> {
    pub(super) definitions: &'a Definitions,
    pub(super) writer: Box<dyn Writer>,
    ranks: Vec<Own>,
    /// States by their regions and places, and communicators, as the writer knows them.
    states: FxHashMap<(u64, Option<Spot>), u32>,
    comms: FxHashMap<u64, Option<Comm>>,
    comm_count: u32,
    /// Whether all communicators were told.
    has_told_comms: bool,
    /// Messages of which one end was told of.
    sent: FxHashMap<Way, VecDeque<Half>>,
    taken: FxHashMap<Way, VecDeque<Half>>,
    serial: u64,
    /// Windows as the writer knows them.
    windows: FxHashMap<u64, u32>,
    /// What is found out where nobody tells that requests are complete.
    silent: Silent,
    /// What is not told, and how often.
    pub(super) left_out: BTreeMap<&'static str, u64>,
}

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    has_begun: bool,
    has_ended: bool,
    /// Calls that it is in, the outermost of which counts.
    calls: u32,
    /// Other regions that it is in.
    parts: u32,
    state: u32,
    since: f64,
    joined: Option<(u32, Option<u32>, [u64; 2])>,
    /// Requests by their numbers in the archive, and when receives were asked for.
    requests: FxHashMap<u64, (u32, f64)>,
    next_request: u32,
    accesses: Accesses,
    /// The outermost call that it is in.
    call: u64,
    operations: Operations,
}

#[derive(Debug, Clone, Copy)]
struct Comm {
    number: u32,
    size: u64,
}

/// Messages from a rank to another that do not pass each other.
type Way = (u32, u32, u32, u64);

/// One end of a message.
#[derive(Debug, Clone, Copy)]
struct Half {
    letter: Letter,
    /// When the call began, or the receive was asked for; and when it happened.
    since: f64,
    date: f64,
}

impl<'a> Story<'a> {
    pub(super) fn new(definitions: &'a Definitions, mut writer: Box<dyn Writer>) -> Self {
        writer.write(0.0, &Event::Names { state: COMPUTING, name: "computing", place: None });
        Self {
            definitions,
            writer,
            ranks: definitions.ranks.iter().map(|_| Own::default()).collect(),
            states: FxHashMap::default(),
            comms: FxHashMap::default(),
            comm_count: 1,
            has_told_comms: false,
            sent: FxHashMap::default(),
            taken: FxHashMap::default(),
            serial: 0,
            windows: FxHashMap::default(),
            silent: Silent::new(definitions),
            left_out: BTreeMap::new(),
        }
    }

    /// A rank tells something.
    pub(super) fn hear(&mut self, date: f64, rank: u32, told: Told) {
        if !std::mem::replace(&mut self.own(rank).has_begun, true) {
            self.enter(date, rank, COMPUTING);
        }
        match told {
            Told::Enter { region, place } => self.enter_region(date, rank, region, place),
            Told::Leave { region } => self.leave_region(date, rank, region),
            Told::EnterContext { context } => {
                if let Some(region) = self.definitions.contexts.region(context) {
                    self.enter_region(date, rank, region, Some(Spot::Context(context)));
                }
            }
            Told::LeaveContext { context } => {
                if let Some(region) = self.definitions.contexts.region(context) {
                    self.leave_region(date, rank, region);
                }
            }
            Told::Send { to, comm, tag, bytes, request } => {
                self.send(date, rank, (to, comm, tag), bytes, request);
            }
            Told::Receive { from, comm, tag, bytes, request } => {
                self.receive(date, rank, (from, comm, tag), bytes, request);
            }
            Told::SendDone { request } => {
                if let Some((request, _)) = self.own(rank).requests.remove(&request) {
                    let (request, taken) = (Some(request), Taken::Send);
                    self.writer.write(date, &Event::Takes { rank, request, taken });
                }
            }
            Told::ReceivePosted { request } => {
                self.ask(date, rank, request, false);
                let own = self.own(rank);
                let number = own.new_request(request, date);
                self.writer.write(date, &Event::Posts { rank, request: number });
            }
            Told::Cancelled { request } => {
                self.own(rank).requests.remove(&request);
                self.leave_out("cancelled requests");
            }
            Told::Collective { operation, comm, root, sent, received } => {
                self.join(rank, (operation, comm, root), sent, received);
            }
            Told::CollectiveBegun { request } => self.begin(date, rank, request),
            Told::CollectiveDone { request, operation, comm, root, sent, received } => {
                self.complete(date, rank, request, (operation, comm, root), (sent, received));
            }
            Told::OnWindow { window, what } => self.on_window(date, rank, window, what),
            Told::Measured(_) => self.leave_out("values of metrics"),
            Told::OnFile { file, what } => self.on_file(date, rank, file, what),
            Told::Other(what) => self.leave_out(what),
        }
    }

    fn own(&mut self, rank: u32) -> &mut Own {
        &mut self.ranks[rank as usize]
    }

    pub(super) fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    fn enter_region(&mut self, date: f64, rank: u32, region: u64, place: Option<Spot>) {
        let (name, kind) = self.definitions.name(region);
        if kind != Kind::Call {
            return self.enter_part(date, rank, name, kind);
        }
        self.own(rank).calls += 1;
        if self.own(rank).calls == 1 {
            let next = self.states.len() as u32 + 1;
            let state = *self.states.entry((region, place)).or_insert(next);
            if state == next {
                let place = place.and_then(|spot| self.definitions.place_of(spot));
                self.writer.write(date, &Event::Names { state, name, place });
            }
            self.leave(date, rank);
            self.enter(date, rank, state);
            self.own(rank).call = region;
            self.forget_flushes(rank);
        }
    }

    fn enter_part(&mut self, date: f64, rank: u32, name: &str, kind: Kind) {
        let own = self.own(rank);
        // The outermost part is the program itself.
        own.parts += u32::from(kind == Kind::Part);
        if own.calls > 0 {
            return;
        }
        match kind {
            Kind::Mark => self.mark(date, rank, Mark::Here, name),
            _ if own.parts > 1 => self.mark(date, rank, Mark::Begin, name),
            _ => {}
        }
    }

    fn leave_region(&mut self, date: f64, rank: u32, region: u64) {
        let (name, kind) = self.definitions.name(region);
        let own = self.own(rank);
        if kind == Kind::Mark {
            return;
        }
        if kind == Kind::Part {
            own.parts = own.parts.saturating_sub(1);
            if own.parts > 0 && own.calls == 0 {
                self.mark(date, rank, Mark::End, name);
            }
            return;
        }
        own.calls = own.calls.saturating_sub(1);
        if own.calls == 0 {
            self.complete_silently(date, rank);
        }
        let own = self.own(rank);
        if own.calls == 0 && own.state != COMPUTING {
            self.leave(date, rank);
            self.enter(date, rank, COMPUTING);
        }
    }

    fn enter(&mut self, date: f64, rank: u32, state: u32) {
        let own = self.own(rank);
        (own.state, own.since, own.joined) = (state, date, None);
        self.writer.write(date, &Event::Enters { rank, state });
    }

    fn leave(&mut self, date: f64, rank: u32) {
        let own = self.own(rank);
        let (state, since) = (own.state, own.since);
        let told = own.joined.take();
        let collective = told.map(|(comm, root, [bytes, gathered])| Collective {
            comm,
            root,
            bytes,
            gathered,
            algorithm: "",
        });
        let waited = 0.0;
        self.writer.write(date, &Event::Leaves { rank, state, since, waited, collective });
    }

    /// Marks lie between two states.
    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        self.leave(date, rank);
        self.writer.write(date, &Event::Marks { rank, mark, name });
        self.enter(date, rank, COMPUTING);
    }

    fn send(
        &mut self,
        date: f64,
        rank: u32,
        (to, comm, tag): (u64, u64, u64),
        bytes: u64,
        request: Option<u64>,
    ) {
        let Some((comm, to)) = self.peer(date, rank, comm, to) else {
            if !self.is_nobody(to) {
                self.leave_out("messages to ranks that no communicator has");
            }
            return;
        };
        if let Some(request) = request {
            self.ask(date, rank, request, true);
        }
        let bytes = self.sensible(bytes).unwrap_or_default();
        let own = self.own(rank);
        let since = own.since;
        let number = request.map(|request| own.new_request(request, date));
        let letter = Letter {
            serial: self.serial,
            from: rank,
            to,
            comm,
            tag: tag as i32,
            bytes,
            request: number,
            is_blocking: request.is_none(),
            ..Letter::default()
        };
        self.serial += 1;
        self.writer.write(date, &Event::Sends(&letter));
        let (half, way) = (Half { letter, since, date }, (rank, to, comm, tag));
        self.note_message(rank);
        match self.taken.get_mut(&way).and_then(VecDeque::pop_front) {
            // A clock that is wrong lets a message come before it goes.
            Some(taken) => self.deliver(date, &half, &taken),
            None => self.sent.entry(way).or_default().push_back(half),
        }
    }

    fn receive(
        &mut self,
        date: f64,
        rank: u32,
        (from, comm, tag): (u64, u64, u64),
        bytes: u64,
        request: Option<u64>,
    ) {
        let id = comm;
        let Some((comm, from)) = self.peer(date, rank, comm, from) else {
            if !self.is_nobody(from) {
                self.leave_out("messages from ranks that no communicator has");
            }
            return;
        };
        self.note_message(rank);
        self.accept(from, rank, (id, tag));
        let way = (from, rank, comm, tag);
        let sent = self.sent.get_mut(&way).and_then(VecDeque::pop_front);
        let bytes = self.sensible(bytes).or(sent.map(|half| half.letter.bytes)).unwrap_or_default();
        let own = self.own(rank);
        let posted = request.and_then(|request| own.requests.remove(&request));
        let (request, since) =
            posted.map_or((None, own.since), |(request, since)| (Some(request), since));
        let serial = sent.map(|half| half.letter.serial);
        let (tag, number) = (tag as i32, serial.unwrap_or_default());
        let letter =
            Letter { serial: number, from, to: rank, comm, tag, bytes, ..Letter::default() };
        let taken = Half { letter, since, date };
        // A message has come before it is taken.
        match sent {
            Some(sent) => self.deliver(date, &sent, &taken),
            None => self.taken.entry(way).or_default().push_back(taken),
        }
        let taken = Taken::Receive { serial, from, comm, tag, bytes };
        self.writer.write(date, &Event::Takes { rank, request, taken });
    }

    /// The size of a message, if there can be such a message.
    fn sensible(&mut self, bytes: u64) -> Option<u64> {
        if bytes > MOST {
            self.leave_out("sizes of messages that no message has");
        }
        (bytes <= MOST).then_some(bytes)
    }

    fn deliver(&mut self, date: f64, sent: &Half, taken: &Half) {
        let message = Message {
            letter: sent.letter,
            called: sent.since,
            sent: sent.date,
            departed: sent.date,
            posted: taken.since,
            arrived: taken.date.max(sent.date),
            place: None,
        };
        self.writer.write(date, &Event::Delivers(&message));
    }

    fn join(&mut self, rank: u32, told: (u8, u64, u64), sent: u64, received: u64) {
        // What is beyond says nothing of what goes to and fro, and is more than that where
        // windows are made.
        const LAST: u8 = 16;
        let is_meeting = told.0 == CREATE
            && Assembly::of(self.definitions.name(self.own(rank).call).0) == Some(Assembly::Claims);
        if told.0 > LAST && !is_meeting {
            return;
        }
        let call = self.own(rank).call;
        self.pass(rank, call, told.1);
        match self.share(rank, told, sent, received) {
            Ok(joined) => self.own(rank).joined = Some(joined),
            Err(why) => self.leave_out(why),
        }
    }

    /// What a rank tells of a collective: the communicator, the root, the bytes.
    fn share(
        &mut self,
        rank: u32,
        (operation, comm, root): (u8, u64, u64),
        sent: u64,
        received: u64,
    ) -> Result<(u32, Option<u32>, [u64; 2]), &'static str> {
        // The date does not matter: communicators are told before all that happens there.
        let date = self.own(rank).since;
        let Some(Comm { number, size }) = self.comm(date, rank, comm) else {
            return Err("collectives of communicators that are not defined");
        };
        let place = match self.definitions.members(comm) {
            Some(Members::Sides(one, other)) => {
                let is_in_one = one.contains(&u64::from(rank));
                let (own, there) = if is_in_one { (one, other) } else { (other, one) };
                let root = u32::try_from(root).ok().filter(|root| (*root as usize) < there.len());
                let sizes = [own, there].map(|side| side.len() as u64);
                return Ok((number, root, volume::across(operation, sizes, sent, received)));
            }
            Some(Members::Ranks(members)) => {
                members.iter().position(|member| *member == u64::from(rank)).unwrap_or(0) as u64
            }
            _ => 0,
        };
        let root = u32::try_from(root).ok().filter(|root| u64::from(*root) < size);
        let is_root = root.is_some_and(|root| u64::from(root) == place);
        let part = Part { operation, size, rank: place, is_root };
        let bytes = match self.definitions {
            Definitions { is_of_eztrace: true, .. } => part.plain(sent, received),
            Definitions { is_ours: true, .. } => part.whole(sent, received),
            _ => part.bytes(sent, received),
        };
        Ok((number, root, [bytes, 0]))
    }

    /// A collective is begun. Which communicator it is of is told when it is done; so all are told
    /// before.
    fn begin(&mut self, date: f64, rank: u32, request: u64) {
        if !std::mem::replace(&mut self.has_told_comms, true) {
            for comm in self.definitions.comms_in_order() {
                if !matches!(self.definitions.members(comm), Some(Members::Alone)) {
                    self.comm(date, rank, comm);
                }
            }
        }
        if !self.writer.tells_later() {
            self.leave_out("non-blocking collectives, of which only the calls are told");
        }
        let request = self.own(rank).new_request(request, date);
        self.writer.write(date, &Event::Begins { rank, request });
    }

    fn complete(
        &mut self,
        date: f64,
        rank: u32,
        request: u64,
        told: (u8, u64, u64),
        (sent, received): (u64, u64),
    ) {
        let Some((request, _)) = self.own(rank).requests.remove(&request) else {
            return self.leave_out("non-blocking collectives that no call has begun");
        };
        // A rank alone waits for nobody.
        let share = match self.definitions.members(told.1) {
            Some(Members::Alone) => None,
            _ => self.share(rank, told, sent, received).map_err(|why| self.leave_out(why)).ok(),
        };
        let collective = share.map(|(comm, root, [bytes, gathered])| Collective {
            comm,
            root,
            bytes,
            gathered,
            algorithm: "",
        });
        self.writer.write(date, &Event::Completes { rank, request, collective });
    }

    /// A communicator, and a rank of it as a rank of the world.
    fn peer(&mut self, date: f64, rank: u32, comm: u64, peer: u64) -> Option<(u32, u32)> {
        let peer = self.world_rank(rank, comm, peer)?;
        let Comm { number, .. } = self.comm(date, rank, comm)?;
        Some((number, peer))
    }

    /// A rank that another one speaks to on a communicator, as a rank of the world.
    fn world_rank(&self, rank: u32, comm: u64, peer: u64) -> Option<u32> {
        Some(match self.definitions.members(comm)? {
            Members::Alone => rank,
            Members::Ranks(members) => *members.get(usize::try_from(peer).ok()?)? as u32,
            Members::Sides(one, other) => {
                let is_in_one = one.contains(&u64::from(rank));
                let others = if is_in_one { other } else { one };
                *others.get(usize::try_from(peer).ok()?)? as u32
            }
        })
    }

    /// A communicator as the writer knows it; it is told when it is first met.
    fn comm(&mut self, date: f64, rank: u32, comm: u64) -> Option<Comm> {
        let (members, others) = match self.definitions.members(comm)? {
            // Nobody else is there, so the world's number does as well for messages to oneself.
            Members::Alone => return Some(Comm { number: self.alone(date, rank), size: 1 }),
            Members::Ranks(members) => (members, &[][..]),
            Members::Sides(one, other) => (one, other),
        };
        if let Some(known) = self.comms.get(&comm) {
            return *known;
        }
        let (first, size) = (members.len(), (members.len() + others.len()) as u64);
        let number = match self.definitions.world == Some(comm) {
            true => 0,
            false => {
                let members = members.iter().chain(others).map(|member| *member as u32);
                let first_side = if others.is_empty() { 0 } else { first };
                self.form(date, &members.collect::<Vec<_>>(), first_side)
            }
        };
        let known = Comm { number, size };
        self.comms.insert(comm, Some(known));
        Some(known)
    }

    /// The communicator of a rank alone.
    fn alone(&mut self, date: f64, rank: u32) -> u32 {
        // Numbers of the archive have 32 bits, so these are free.
        let key = 1 << 40 | u64::from(rank);
        if let Some(Some(known)) = self.comms.get(&key) {
            return known.number;
        }
        let number = self.form(date, &[rank], 0);
        self.comms.insert(key, Some(Comm { number, size: 1 }));
        number
    }

    fn form(&mut self, date: f64, members: &[u32], first_side: usize) -> u32 {
        let comm = self.comm_count;
        self.comm_count += 1;
        self.writer.write(date, &Event::Forms { comm, members, first_side });
        comm
    }

    /// A rank tells nothing more.
    pub(super) fn end(&mut self, date: f64, rank: u32) {
        if std::mem::replace(&mut self.own(rank).has_ended, true) {
            return;
        }
        self.finish_some(date, rank, usize::MAX);
        if self.own(rank).has_begun {
            self.leave(date, rank);
        }
        self.writer.write(date, &Event::Ends { rank });
    }
}

impl Own {
    fn next_number(&mut self) -> u32 {
        let number = self.next_request;
        self.next_request = number.wrapping_add(1);
        number
    }

    fn new_request(&mut self, request: u64, date: f64) -> u32 {
        let number = self.next_number();
        self.requests.insert(request, (number, date));
        number
    }
}
