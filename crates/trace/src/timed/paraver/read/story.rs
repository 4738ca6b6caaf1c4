//! From records to events of ranks.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::arguments::Arguments;
use super::flight::Flight;
use super::header::Header;
use super::receives::Receives;
use crate::colons::Colons;
use crate::mistake::{Mistake, Problem};
use crate::timed::paraver::Legend;
use crate::timed::paraver::labels::{
    ALGORITHM, MARK, POWER, PSTATE, REGION, SLEEP, SPEED, call_named, is_call_type,
};
use crate::timed::{Assembly, Class, Collective, Event, Letter, Mark, Message, Taken, Writer};

/// The state of a rank that is in no call.
const COMPUTING: u32 = 0;

/// Tells a writer what ranks do.
pub(super) struct Story {
    header: Header,
    /// The node of each rank, which some tell of.
    nodes: Vec<u32>,
    legend: Rc<Legend>,
    writer: Box<dyn Writer>,
    ranks: Vec<Own>,
    /// States by the types and values that stand for them, and by the function and the line that
    /// they are called in.
    states: BTreeMap<(u64, u64, Option<Caller>), u32>,
    classes: Vec<(Class, String)>,
    /// Communicators by their numbers in the trace: as the writer knows them, and their tasks.
    comms: BTreeMap<u64, (u32, Vec<u32>)>,
    serial: u64,
    left_out: BTreeMap<&'static str, u64>,
    date: u64,
}

/// The numbers of a function and of a line in it.
type Caller = (u64, u64);

/// What is known of a rank.
#[derive(Debug, Default)]
struct Own {
    has_begun: bool,
    /// The speed of its node that was told last.
    speed: u64,
    state: u32,
    since: u64,
    arguments: Arguments,
    /// Parts of the program that it is in.
    parts: Vec<u64>,
    /// Messages it is about to send, in the order of its calls, and those on their way to it.
    leaving: VecDeque<Flight>,
    coming: Vec<(u64, Flight)>,
    /// Requests of sends under way, and when the receiver asked for each message.
    sends: VecDeque<(u32, u64)>,
    receives: Receives,
    next_request: u32,
}

impl Story {
    pub(super) fn new(
        header: Header,
        nodes: Vec<u32>,
        legend: Legend,
        mut writer: Box<dyn Writer>,
    ) -> Self {
        writer.write(0.0, &Event::Names { state: COMPUTING, name: "computing", place: None });
        Self {
            ranks: (0..header.tasks()).map(|_| Own::default()).collect(),
            header,
            nodes,
            legend: Rc::new(legend),
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
                // Extrae tells communicators of another application as those of the first.
                _ => {
                    self.leave_out("communicators of tasks that there are not");
                    return Ok(());
                }
            }
        }
        if members.iter().copied().eq(0..tasks) {
            self.comms.insert(number, (0, members));
            return Ok(());
        }
        let comm = 1 + self.comms.values().filter(|(comm, _)| *comm > 0).count() as u32;
        self.writer.write(0.0, &Event::Forms { comm, members: &members, first_side: 0 });
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
        let leaving = &mut self.own(flight.from).leaving;
        // Those that are early overtake others in the file.
        let place = leaving.partition_point(|other| other.called <= flight.called);
        leaving.insert(place, flight);
        self.own(flight.to).coming.push((serial, flight));
    }

    pub(super) fn event(
        &mut self,
        date: u64,
        rank: u32,
        (kind, value): (u64, u64),
        caller: Option<Caller>,
    ) {
        if matches!(kind, POWER | SPEED | PSTATE) {
            return self.measure(date, rank, kind, value);
        }
        self.begin(date, rank);
        match kind {
            SLEEP => self.call(date, rank, (kind, value), None),
            kind if is_call_type(kind) => self.call(date, rank, (kind, value), caller),
            kind if self.own(rank).arguments.hear(kind, value) => {}
            REGION => self.part(date, rank, value),
            MARK => {
                let name = self.label(MARK, value);
                self.mark(date, rank, Mark::Here, &name);
            }
            _ => {}
        }
    }

    /// A rank tells of its node: milliwatts, or the speed of a core and then the pstate.
    fn measure(&mut self, date: u64, rank: u32, kind: u64, value: u64) {
        let node = self.nodes[rank as usize];
        match kind {
            POWER => self.tell(date, &Event::Draws { node, watts: value as f64 / 1e3 }),
            SPEED => self.own(rank).speed = value,
            _ => {
                let (speed, pstate) = (self.own(rank).speed as f64, value as u32);
                self.tell(date, &Event::Runs { node, pstate, speed });
            }
        }
    }

    fn label(&self, kind: u64, value: u64) -> String {
        self.legend.name(kind, value).map_or_else(|| format!("{kind}:{value}"), str::to_owned)
    }

    fn call(&mut self, date: u64, rank: u32, (kind, value): (u64, u64), caller: Option<Caller>) {
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
                let state = self.state(date, kind, value, caller);
                self.enter(date, rank, state);
            }
        }
    }

    fn state(&mut self, date: u64, kind: u64, value: u64, caller: Option<Caller>) -> u32 {
        if let Some(state) = self.states.get(&(kind, value, caller)) {
            return *state;
        }
        let name = self.name_of(kind, value);
        let (state, legend) = (self.classes.len() as u32, self.legend.clone());
        let place = caller.and_then(|caller| legend.place(caller));
        self.tell(date, &Event::Names { state, name: &name, place });
        self.states.insert((kind, value, caller), state);
        self.classes.push((Class::of(&name), name));
        state
    }

    /// The name of a state.
    fn name_of(&self, kind: u64, value: u64) -> String {
        if kind == SLEEP {
            return "sleeping".to_owned();
        }
        let named = self.legend.name(kind, value).map(str::to_owned);
        let name = named.or_else(|| call_named(value)).unwrap_or_else(|| format!("call {value}"));
        // Our own traces tell what is done with files beside calls.
        let is_whole = name.starts_with("MPI_") || Class::of(&name) == Class::File;
        if is_whole { name } else { format!("MPI_{name}") }
    }

    fn enter(&mut self, date: u64, rank: u32, state: u32) {
        let own = self.own(rank);
        (own.state, own.since) = (state, date);
        own.arguments = Arguments::default();
        self.tell(date, &Event::Enters { rank, state });
    }

    fn leave(&mut self, date: u64, rank: u32, args: Option<(Collective<'_>, Option<u64>)>) {
        let legend = self.legend.clone();
        let collective = args.map(|(args, algorithm)| {
            let name = algorithm.and_then(|number| legend.name(ALGORITHM, number));
            Collective { algorithm: name.unwrap_or_default(), ..args }
        });
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
                match &*name {
                    "MPI_Start" | "MPI_Startall" => self.start(date, rank, &name),
                    _ => _ = self.send(date, rank, false),
                }
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
                let request = self.post(date, rank);
                let own = self.own(rank);
                own.receives.add(own.since, date, request);
                None
            }
            Class::Wait | Class::Test if !name.contains("robe") => {
                self.wait(date, rank, &name, class);
                None
            }
            Class::Barrier | Class::Collective => self.arguments(rank, &name),
            Class::Other => {
                self.own(rank).receives.make(&name);
                // In some calls all ranks of a communicator meet.
                let may_meet = Assembly::of(&name).is_some();
                let has_met = may_meet && self.own(rank).arguments.comm.is_some();
                if has_met { self.arguments(rank, &name) } else { None }
            }
            _ => None,
        };
        self.leave(date, rank, collective);
    }

    /// What a collective call is about, and the number of its algorithm.
    fn arguments(&mut self, rank: u32, name: &str) -> Option<(Collective<'static>, Option<u64>)> {
        let arguments = self.ranks[rank as usize].arguments;
        let comm = arguments.comm;
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
        let root = arguments.is_root(name).then_some(place);
        let (bytes, gathered) = (arguments.block(name, size), arguments.gathered(name, size));
        let collective = Collective { comm: number, root, bytes, gathered, algorithm: "" };
        Some((collective, arguments.algorithm))
    }

    fn letter(serial: u64, flight: &Flight) -> Letter {
        let Flight { from, to, bytes, tag, .. } = *flight;
        Letter { serial, from, to, tag, bytes, ..Letter::default() }
    }

    /// A message that was sent in the call at hand is told. There is none in calls to nobody.
    fn send(&mut self, date: u64, rank: u32, is_blocking: bool) -> bool {
        let own = self.own(rank);
        let since = own.since;
        // What is sent at the end of a call is sent in the next one.
        let is_due = |flight: &&Flight| flight.called < date || flight.called == since;
        let Some(&flight) = own.leaving.front().filter(is_due) else { return false };
        own.leaving.pop_front();
        let request = (!is_blocking).then(|| {
            let request = own.new_request();
            own.sends.push_back((request, flight.posted));
            request
        });
        let letter = Letter { request, is_blocking, ..Self::letter(0, &flight) };
        self.tell(date, &Event::Sends(&letter));
        true
    }

    /// Requests are started again. Sends are told by their messages, and what one call starts
    /// that sends nothing is a receive; of a call that starts many it is not told how many
    /// receives are among them, so there is room for all that may be.
    fn start(&mut self, date: u64, rank: u32, name: &str) {
        let mut sends = 0;
        while self.send(date, rank, false) {
            sends += 1;
        }
        let receives = match name {
            "MPI_Startall" => self.own(rank).receives.idle(),
            _ => usize::from(sends == 0),
        };
        for _ in 0..receives {
            let request = self.post(date, rank);
            let own = self.own(rank);
            own.receives.start(own.since, date, request);
        }
    }

    fn post(&mut self, date: u64, rank: u32) -> u32 {
        let request = self.own(rank).new_request();
        self.tell(date, &Event::Posts { rank, request });
        request
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
            // A receive of which it was not seen that it began.
            let request = request.unwrap_or_else(|| self.post(date, rank));
            self.take(date, rank, Some(request), flight);
            found += 1;
        }
        let is_poll = class == Class::Test && found == 0;
        while !is_poll && (takes_all || found == 0) {
            // One whose receive begins later was complete without it, or is waited for later; to
            // wait for it here could be to wait for ever.
            let sends = &mut self.own(rank).sends;
            let place = sends.iter().position(|(_, posted)| *posted <= date);
            let Some((request, _)) = place.and_then(|place| sends.remove(place)) else { break };
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

    /// A part of the program begins, or the one that began last ends.
    fn part(&mut self, date: u64, rank: u32, value: u64) {
        if value != 0 {
            self.own(rank).parts.push(value);
            let name = self.label(REGION, value);
            self.mark(date, rank, Mark::Begin, &name);
        } else if let Some(part) = self.own(rank).parts.pop() {
            let name = self.label(REGION, part);
            self.mark(date, rank, Mark::End, &name);
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

    /// The oldest receive whose message has come by this date, and the message. Without a request,
    /// no call was seen that asked for it.
    fn arrived(&mut self, date: u64) -> Option<(Option<u32>, (u64, Flight))> {
        let has_come = |flight: &Flight| flight.arrived <= date;
        let come = self.coming.iter().enumerate().filter(|(_, (_, flight))| has_come(flight));
        let asked = come.filter_map(|(at, (_, flight))| {
            self.receives.place(flight.posted).map(|place| (place, at))
        });
        if let Some((place, at)) = asked.min() {
            return Some((self.receives.take(place), self.coming.remove(at)));
        }
        // Some tools date a receive by the call that waits for it.
        if let Some(at) = self.asked_for(self.since, date, has_come) {
            return Some((self.receives.take(0), self.coming.remove(at)));
        }
        let is_stray = |(_, flight): &(u64, Flight)| has_come(flight) && flight.posted < self.since;
        let at = self.coming.iter().position(is_stray)?;
        Some((None, self.coming.remove(at)))
    }
}
