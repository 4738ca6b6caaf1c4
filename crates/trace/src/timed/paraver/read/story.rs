//! From records to events of ranks.

use std::collections::{BTreeMap, VecDeque};

use super::header::Header;
use super::legend::Legend;
use crate::colons::Colons;
use crate::mistake::{Mistake, Problem};
use crate::timed::paraver::labels::{
    COMMUNICATOR, MARK, POWER, RECEIVED, REGION, ROOT, SENT, call_named, is_call_type,
};
use crate::timed::{Class, Collective, Event, Letter, Mark, Message, Taken, Writer};
use crate::untimed::collective::block;

/// The state of a rank that is in no call.
const COMPUTING: u32 = 0;

/// A message of which all is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) called: u64,
    pub(super) departed: u64,
    pub(super) posted: u64,
    pub(super) arrived: u64,
    pub(super) bytes: u64,
    pub(super) tag: i32,
}

/// Tells a writer what ranks do.
pub(super) struct Story {
    header: Header,
    legend: Legend,
    writer: Box<dyn Writer>,
    ranks: Vec<Own>,
    /// States by the types and values that stand for them.
    states: BTreeMap<(u64, u64), u32>,
    classes: Vec<(Class, String)>,
    /// Communicators by their numbers in the trace: as the writer knows them, and their tasks.
    comms: BTreeMap<u64, (u32, Vec<u32>)>,
    serial: u64,
    left_out: BTreeMap<&'static str, u64>,
    date: u64,
}

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    has_begun: bool,
    state: u32,
    since: u64,
    /// Arguments of the collective call at hand.
    sent: u64,
    received: u64,
    is_root: bool,
    comm: Option<u64>,
    /// Parts of the program that it is in.
    parts: Vec<u64>,
    /// Messages it is about to send, and those on their way to it.
    leaving: VecDeque<Flight>,
    coming: Vec<(u64, Flight)>,
    /// Receives under way: the call that began each, and its request.
    posts: VecDeque<(u64, u64, u32)>,
    /// Requests of sends under way.
    sends: VecDeque<u32>,
    next_request: u32,
}

impl Story {
    pub(super) fn new(header: Header, legend: Legend, mut writer: Box<dyn Writer>) -> Self {
        writer.write(0.0, &Event::Names { state: COMPUTING, name: "computing" });
        Self {
            ranks: (0..header.tasks()).map(|_| Own::default()).collect(),
            header,
            legend,
            writer,
            states: BTreeMap::new(),
            classes: vec![(Class::Computing, "computing".to_owned())],
            comms: BTreeMap::new(),
            serial: 0,
            left_out: BTreeMap::new(),
            date: 0,
        }
    }

    fn own(&mut self, rank: u32) -> &mut Own {
        &mut self.ranks[rank as usize]
    }

    fn tell(&mut self, date: u64, event: &Event<'_>) {
        self.date = self.date.max(date);
        self.writer.write(self.date as f64 * self.header.unit, event);
    }

    fn seconds(&self, date: u64) -> f64 {
        date as f64 * self.header.unit
    }

    /// `c:application:number:size:task:…`.
    pub(super) fn define(&mut self, mut fields: Colons<'_>) -> Result<(), Mistake> {
        if fields.natural("the application")? != 1 {
            return Ok(());
        }
        let number = fields.natural("the number of the communicator")?;
        let size = fields.natural("its size")?;
        if fields.left() as u64 != size || size == 0 {
            let there = fields.left();
            return Err(Mistake(format!("{size} tasks are expected here, there are {there}")));
        }
        let tasks = self.header.tasks();
        let mut members = Vec::new();
        for _ in 0..size {
            match fields.whole("the task")? {
                // Old tools define a communicator of a task that is none, and never use it.
                -1 => return Ok(()),
                task if (1..=i64::from(tasks)).contains(&task) => members.push(task as u32 - 1),
                0 => return Err(Mistake("tasks are counted from 1".into())),
                task => return Err(Mistake(format!("there is no task {task} among {tasks}"))),
            }
        }
        if members.iter().copied().eq(0..tasks) {
            self.comms.insert(number, (0, members));
            return Ok(());
        }
        let comm = 1 + self.comms.values().filter(|(comm, _)| *comm > 0).count() as u32;
        self.writer.write(0.0, &Event::Forms { comm, members: &members });
        self.comms.insert(number, (comm, members));
        Ok(())
    }

    /// Something that the trace has is not told.
    pub(super) fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// A rank does something for the first time.
    pub(super) fn begin(&mut self, date: u64, rank: u32) {
        if !std::mem::replace(&mut self.own(rank).has_begun, true) {
            self.enter(date, rank, COMPUTING);
        }
    }

    /// A message is about to be sent.
    pub(super) fn depart(&mut self, flight: Flight) {
        let serial = self.serial;
        self.serial += 1;
        self.own(flight.from).leaving.push_back(flight);
        self.own(flight.to).coming.push((serial, flight));
    }

    pub(super) fn event(&mut self, date: u64, rank: u32, kind: u64, value: u64) {
        self.begin(date, rank);
        match kind {
            kind if is_call_type(kind) => self.call(date, rank, kind, value),
            SENT => self.own(rank).sent = value,
            RECEIVED => self.own(rank).received = value,
            ROOT => self.own(rank).is_root = value != 0,
            COMMUNICATOR => self.own(rank).comm = Some(value),
            REGION => self.part(date, rank, value),
            MARK => {
                let name = self.label(MARK, value);
                self.mark(date, rank, Mark::Here, &name);
            }
            POWER => self.leave_out("values of power"),
            _ => {}
        }
    }

    fn label(&self, kind: u64, value: u64) -> String {
        self.legend.name(kind, value).map_or_else(|| format!("{kind}:{value}"), str::to_owned)
    }

    fn call(&mut self, date: u64, rank: u32, kind: u64, value: u64) {
        let state = self.own(rank).state;
        if state != COMPUTING {
            self.end_call(date, rank, state);
        } else if value != 0 {
            self.leave(date, rank, None);
        }
        match value {
            0 if state == COMPUTING => {}
            0 => self.enter(date, rank, COMPUTING),
            _ => {
                let state = self.state(date, kind, value);
                self.enter(date, rank, state);
            }
        }
    }

    fn state(&mut self, date: u64, kind: u64, value: u64) -> u32 {
        if let Some(state) = self.states.get(&(kind, value)) {
            return *state;
        }
        let named = self.legend.name(kind, value).map(str::to_owned);
        let name = named.or_else(|| call_named(value)).unwrap_or_else(|| format!("call {value}"));
        let name = if name.starts_with("MPI_") { name } else { format!("MPI_{name}") };
        let state = self.classes.len() as u32;
        self.tell(date, &Event::Names { state, name: &name });
        self.states.insert((kind, value), state);
        self.classes.push((Class::of(&name), name));
        state
    }

    fn enter(&mut self, date: u64, rank: u32, state: u32) {
        let own = self.own(rank);
        (own.state, own.since) = (state, date);
        (own.sent, own.received, own.is_root, own.comm) = (0, 0, false, None);
        self.tell(date, &Event::Enters { rank, state });
    }

    fn leave(&mut self, date: u64, rank: u32, collective: Option<Collective<'_>>) {
        let (state, since) = (self.own(rank).state, self.own(rank).since);
        let (since, waited) = (self.seconds(since), 0.0);
        self.tell(date, &Event::Leaves { rank, state, since, waited, collective });
    }

    /// What a call has done is known at its end.
    fn end_call(&mut self, date: u64, rank: u32, state: u32) {
        let (class, name) = self.classes[state as usize].clone();
        let collective = match class {
            Class::Send => {
                self.send(date, rank, true);
                None
            }
            Class::Isend => {
                self.send(date, rank, false);
                None
            }
            Class::Receive => {
                self.receive(date, rank);
                None
            }
            Class::Sendreceive => {
                self.send(date, rank, true);
                self.receive(date, rank);
                None
            }
            Class::Ireceive => {
                let own = self.own(rank);
                let request = own.new_request();
                own.posts.push_back((own.since, date, request));
                self.tell(date, &Event::Posts { rank, request });
                None
            }
            Class::Wait | Class::Test => {
                self.wait(date, rank, &name, class);
                None
            }
            Class::Barrier | Class::Collective => self.arguments(rank, &name),
            _ => None,
        };
        self.leave(date, rank, collective);
    }

    fn arguments(&mut self, rank: u32, name: &str) -> Option<Collective<'static>> {
        let Own { sent, received, is_root, comm, .. } = self.ranks[rank as usize];
        // A trace that tells no communicator has one.
        let world = self.header.tasks();
        let (number, members) = match comm.and_then(|comm| self.comms.get(&comm)) {
            Some((number, members)) => (*number, Some(members)),
            None if comm.is_none_or(|comm| comm <= 1) => (0, None),
            None => {
                self.leave_out("collectives of communicators that are not defined");
                return None;
            }
        };
        let size = members.map_or(world as usize, Vec::len) as u64;
        let place = match members {
            Some(members) => members.iter().position(|member| *member == rank)? as u32,
            None => rank,
        };
        let root = is_root.then_some(place);
        let bytes = block(name, size, sent, received);
        Some(Collective { comm: number, root, bytes, algorithm: "" })
    }

    fn letter(serial: u64, flight: &Flight) -> Letter {
        let Flight { from, to, bytes, tag, .. } = *flight;
        Letter { serial, from, to, tag, bytes, ..Letter::default() }
    }

    fn send(&mut self, date: u64, rank: u32, is_blocking: bool) {
        let own = self.own(rank);
        // A call without a message is one to nobody.
        let is_due = own.leaving.front().is_some_and(|flight| flight.called <= date);
        let Some(flight) = (if is_due { own.leaving.pop_front() } else { None }) else { return };
        let request = (!is_blocking).then(|| {
            let request = own.new_request();
            own.sends.push_back(request);
            request
        });
        let letter = Letter { request, is_blocking, ..Self::letter(0, &flight) };
        self.tell(date, &Event::Sends(&letter));
    }

    /// A blocking receive takes the message that was asked for in it.
    fn receive(&mut self, date: u64, rank: u32) {
        let own = self.own(rank);
        let since = own.since;
        let has_come = |flight: &Flight| flight.arrived <= date;
        let found = own.asked_for(since, date, has_come);
        // Some tools date the arrival a little later; a call that took no time is one from nobody.
        let found = found.or_else(|| own.asked_for(since, date, |_| date > since));
        if let Some(at) = found {
            let taken = own.coming.remove(at);
            self.take(date, rank, None, taken);
        }
    }

    fn wait(&mut self, date: u64, rank: u32, name: &str, class: Class) {
        let takes_all =
            matches!(name, "MPI_Waitall" | "MPI_Waitsome" | "MPI_Testall" | "MPI_Testsome");
        let mut found = 0;
        while takes_all || found == 0 {
            let Some((request, flight)) = self.own(rank).arrived(date) else { break };
            self.take(date, rank, Some(request), flight);
            found += 1;
        }
        let is_poll = class == Class::Test && found == 0;
        while !is_poll && (takes_all || found == 0) {
            let Some(request) = self.own(rank).sends.pop_front() else { break };
            let (request, taken) = (Some(request), Taken::Send);
            self.tell(date, &Event::Takes { rank, request, taken });
            found += 1;
        }
    }

    fn take(&mut self, date: u64, rank: u32, request: Option<u32>, taken: (u64, Flight)) {
        let (serial, flight) = taken;
        let letter = Self::letter(serial, &flight);
        let message = Message {
            letter,
            called: self.seconds(flight.called),
            sent: self.seconds(flight.called),
            departed: self.seconds(flight.departed),
            posted: self.seconds(flight.posted),
            arrived: self.seconds(flight.arrived),
            place: None,
        };
        self.tell(date, &Event::Delivers(&message));
        let taken = Taken::receive(&letter);
        self.tell(date, &Event::Takes { rank, request, taken });
    }

    /// A value of a part says in which one the rank is from now on: an outer one again, none, or
    /// a new one.
    fn part(&mut self, date: u64, rank: u32, value: u64) {
        let parts = self.own(rank).parts.clone();
        let keeps = parts.iter().position(|part| *part == value).map_or(0, |at| at + 1);
        if value == 0 || keeps > 0 {
            for part in parts[keeps..].iter().rev() {
                let name = self.label(REGION, *part);
                self.mark(date, rank, Mark::End, &name);
            }
            self.own(rank).parts.truncate(keeps);
        } else {
            self.own(rank).parts.push(value);
            let name = self.label(REGION, value);
            self.mark(date, rank, Mark::Begin, &name);
        }
    }

    /// Marks lie between two states.
    fn mark(&mut self, date: u64, rank: u32, mark: Mark, name: &str) {
        let is_between = self.own(rank).state == COMPUTING;
        if is_between {
            self.leave(date, rank, None);
        }
        self.tell(date, &Event::Marks { rank, mark, name });
        if is_between {
            self.enter(date, rank, COMPUTING);
        }
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, Problem> {
        let end = self.date.max(self.header.end);
        for rank in 0..self.header.tasks() {
            if self.own(rank).has_begun {
                self.leave(end, rank, None);
            }
            self.tell(end, &Event::Ends { rank });
            let lost = self.own(rank).coming.len() as u64;
            if lost > 0 {
                *self.left_out.entry("messages that no call receives").or_default() += lost;
            }
        }
        let end = self.seconds(end);
        self.writer.finish(end)?;
        Ok(self.left_out.iter().map(|(what, count)| format!("{count} {what}")).collect())
    }
}

impl Own {
    fn new_request(&mut self) -> u32 {
        let request = self.next_request;
        self.next_request = request.wrapping_add(1);
        request
    }

    /// The place of the message that was asked for in a call, of those that may be it. Where calls
    /// follow each other at once, the end of one is the begin of the next, so a message that was
    /// asked for at the very begin goes first.
    fn asked_for(&self, begin: u64, end: u64, may: impl Fn(&Flight) -> bool) -> Option<usize> {
        let is_exact = |(_, flight): &(u64, Flight)| flight.posted == begin && may(flight);
        let exact = self.coming.iter().position(is_exact);
        exact.or_else(|| {
            let all = self.coming.iter().enumerate().map(|(at, (_, flight))| (at, flight));
            let its = all.filter(|(_, flight)| (begin..=end).contains(&flight.posted));
            let its = its.filter(|(_, flight)| may(flight));
            its.min_by_key(|(_, flight)| flight.posted).map(|(at, _)| at)
        })
    }

    /// The oldest receive whose message has come by this date, and the message.
    fn arrived(&mut self, date: u64) -> Option<(u32, (u64, Flight))> {
        let has_come = |flight: &Flight| flight.arrived <= date;
        let posts = self.posts.iter().enumerate();
        let exact = |&(_, (begin, _, _)): &(usize, &(u64, u64, u32))| {
            self.asked_for(*begin, *begin, has_come).is_some()
        };
        let within = |&(_, (begin, end, _)): &(usize, &(u64, u64, u32))| {
            self.asked_for(*begin, *end, has_come).is_some()
        };
        let found = posts.clone().find(exact).or_else(|| posts.clone().find(within));
        if let Some((at, &(begin, end, request))) = found {
            let place = self.asked_for(begin, end, has_come)?;
            self.posts.remove(at);
            return Some((request, self.coming.remove(place)));
        }
        // Some tools date a receive by the call that waits for it.
        let place = self.asked_for(self.since, date, has_come)?;
        let (_, _, request) = self.posts.pop_front()?;
        Some((request, self.coming.remove(place)))
    }
}
