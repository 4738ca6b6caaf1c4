//! From the calls of a rank to its actions.

mod collective;
mod file;
mod window;

use std::collections::BTreeMap;

use super::calls;
use super::comms::{ALONE, Comms, Step, WORLD};
use super::groups::Groups;
use super::requests::{Asked, Pending, Persistent, Requests};
use super::stream::{Call, Status};
use super::types::Types;
use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::spool::Spool;
use crate::untimed::collective::Collectives;
use crate::untimed::fences::Fences;
use crate::untimed::under_way::UnderWay;
use crate::untimed::{RECEIVE, tag_of};
use file::Files;

/// The request that is none.
const NO_REQUEST: i64 = 1;
/// Stands for any sender or tag. In traces of MPICH, and of libraries made from it, it stands for
/// nobody as well.
const ANY: i64 = -1;

/// What all ranks tell together.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) comms: Comms,
    /// Whether a send goes to -1: then that stands for nobody.
    pub(super) has_sends_to_nobody: bool,
}

/// Tells the actions of one rank.
pub(super) struct Teller<'a> {
    rank: u32,
    spool: &'a mut Spool,
    whole: &'a Whole,
    collectives: &'a mut Collectives,
    /// Communicators by their handles.
    comms: BTreeMap<i64, u32>,
    /// Windows by their handles, with their communicators.
    windows: BTreeMap<i64, u32>,
    fences: Fences,
    files: Files,
    groups: Groups,
    steps: usize,
    told: Vec<u32>,
    types: Types,
    requests: Requests,
    under_way: UnderWay,
    /// When the last call ended.
    ended: Option<f64>,
    left_out: BTreeMap<String, u64>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        rank: u32,
        types: Types,
        spool: &'a mut Spool,
        whole: &'a Whole,
        collectives: &'a mut Collectives,
    ) -> Self {
        spool.add(rank, &Action::Init { doubles: false });
        Self {
            rank,
            spool,
            whole,
            collectives,
            comms: BTreeMap::from([(WORLD, 0)]),
            windows: BTreeMap::new(),
            fences: Fences::default(),
            groups: Groups::default(),
            steps: 0,
            told: Vec::new(),
            types,
            files: Files::default(),
            requests: Requests::default(),
            under_way: UnderWay::default(),
            ended: None,
            left_out: BTreeMap::new(),
        }
    }

    /// Tells what a call does, or what is wrong with it.
    pub(super) fn tell(&mut self, call: &Call) -> Result<(), String> {
        if call.is_of_the_program() {
            return Ok(());
        }
        if let Some((begin, end)) = call.times {
            if let Some(before) = self.ended
                && begin > before
            {
                self.add(&Action::Compute(begin - before));
            }
            self.ended = Some(end.max(begin));
        }
        self.types.hear(call);
        match (call.function, &call.numbers[..]) {
            (0 | 3..=5, [count, datatype, to, tag, comm]) => {
                if let Some(message) = self.sent(*count, *datatype, (*to, *tag, *comm))? {
                    self.add(&Action::Send(mode(call.function), message));
                }
            }
            (1, [count, datatype, from, tag, comm]) => {
                if let Some(message) = self.message(*count, *datatype, (*from, *tag, *comm))? {
                    let asked = Asked { tag: *tag, comm: *comm };
                    self.receive(message, asked, call.statuses.first());
                }
            }
            (8..=12, [.., request]) => match self.prepared(call)? {
                Some(persistent) => self.start(*request, persistent),
                None => self.requests.add(*request, Pending::Nothing),
            },
            (26..=30, [.., request]) => {
                let persistent = self.prepared(call)?;
                self.requests.prepare(*request, persistent);
            }
            (31, [request]) => self.restart(&[*request]),
            (32, _) => self.restart(list(call, 0)),
            (13..=21, _) => self.wait(call),
            (24, [request]) => {
                if self.requests.take_newest(*request).is_some() {
                    self.requests.add(*request, Pending::Nothing);
                }
                self.leave_out("cancelled requests");
            }
            (170, [request]) => self.requests.add(*request, Pending::Nothing),
            (33 | 34, _) => self.exchange(call)?,
            (52..=62 | 65..=67 | 155 | 156, _) => self.join(call),
            (141..=147 | 149..=154, _) => self.use_window(call)?,
            (function, _) if calls::is_of_a_file(function) => self.file(call),
            (function, _) => {
                if let Some(name) = calls::left_out(function) {
                    self.leave_out(name);
                }
                self.step(call);
            }
        }
        Ok(())
    }

    fn add(&mut self, action: &Action<'_>) {
        self.spool.add(self.rank, action);
    }

    fn leave_out(&mut self, what: &str) {
        *self.left_out.entry(what.to_owned()).or_default() += 1;
    }

    /// The time of a call stays: no replay finds it.
    fn stay(&mut self, call: &Call) {
        if let Some((begin, end)) = call.times
            && end > begin
        {
            self.add(&Action::Sleep(end - begin));
        }
    }

    /// A message; none if its communicator is not known, or if nobody is at its other end.
    fn message(
        &mut self,
        count: i64,
        datatype: i64,
        (peer, tag, comm): (i64, i64, i64),
    ) -> Result<Option<Message>, String> {
        let size = Amount::of_bytes(self.types.bytes(count, datatype));
        let number = self.comms.get(&comm).copied();
        let peer = match (peer, number) {
            (ANY, _) => Peer::Any,
            (peer, _) if peer < 0 => return Ok(None),
            (_, _) if comm == ALONE => Peer::Rank(self.rank),
            (peer, Some(number)) => {
                let members = self.whole.comms.peers(number, self.rank);
                let found = usize::try_from(peer).ok().and_then(|peer| members.get(peer));
                let size = members.len();
                Peer::Rank(*found.ok_or_else(|| format!("there is no rank {peer} among {size}"))?)
            }
            (_, None) => {
                self.leave_out("messages of communicators that are not known");
                return Ok(None);
            }
        };
        let tag = (tag >= 0).then(|| tag_of(number.unwrap_or(u32::MAX), tag as i32));
        Ok(Some(Message { peer, tag, size }))
    }

    /// A message that is sent, and so to one rank and with one tag.
    fn sent(
        &mut self,
        count: i64,
        datatype: i64,
        address: (i64, i64, i64),
    ) -> Result<Option<Message>, String> {
        match self.message(count, datatype, address)? {
            Some(Message { peer: Peer::Any, .. }) => Ok(None),
            Some(Message { tag: None, .. }) => {
                Err(format!("the tag of a send is 0 or more, not {}", address.1))
            }
            message => Ok(message),
        }
    }

    /// What a call that begins or prepares a message is about.
    fn prepared(&mut self, call: &Call) -> Result<Option<Persistent>, String> {
        let [count, datatype, peer, tag, comm, _] = call.numbers[..] else { return Ok(None) };
        let is_send = !matches!(call.function, 12 | 30);
        let message = match is_send {
            true => self.sent(count, datatype, (peer, tag, comm))?,
            false => self.message(count, datatype, (peer, tag, comm))?,
        };
        let mode = mode(call.function);
        Ok(message.map(|message| Persistent { is_send, mode, message, asked: Asked { tag, comm } }))
    }

    /// A receive that ends with its call.
    fn receive(&mut self, message: Message, asked: Asked, status: Option<&Status>) {
        if let Some(message) = self.found(message, asked, status) {
            self.add(&Action::Recv(received(message, status)));
        }
    }

    /// What a receive found: the message whose sender and tag its status tells; none if what asks
    /// for any sender is what asks for nobody. MPICH leaves a status as it was if nobody sends.
    /// Where there is no status, the number means what it means in sends.
    fn found(&self, message: Message, asked: Asked, status: Option<&Status>) -> Option<Message> {
        if message.peer != Peer::Any {
            return Some(message);
        }
        let Some(status) = status else {
            return (!self.whole.has_sends_to_nobody).then_some(message);
        };
        let is_nobody = match status.tag {
            _ if status.sender < 0 => true,
            Some(tag) if asked.tag >= 0 => tag != asked.tag,
            Some(tag) => {
                let is_blank = (status.sender, status.bytes, tag) == (0, 0, 0);
                self.whole.has_sends_to_nobody && is_blank
            }
            None => false,
        };
        if is_nobody {
            return None;
        }
        let (sender, tag) = (usize::try_from(status.sender).ok()?, status.tag);
        let comm = self.comms.get(&asked.comm).copied();
        let members = comm.map(|comm| self.whole.comms.peers(comm, self.rank));
        let (Some(comm), Some(tag), Some(sender)) =
            (comm, tag, members.and_then(|members| members.get(sender)))
        else {
            return Some(message);
        };
        Some(Message {
            peer: Peer::Rank(*sender),
            tag: Some(tag_of(comm, tag as i32)),
            size: message.size,
        })
    }

    fn start(&mut self, request: i64, begun: Persistent) {
        let Persistent { is_send, mode, message, asked } = begun;
        let (own, tag) = (Peer::Rank(self.rank), message.tag);
        let pending = if is_send {
            self.add(&Action::Isend(mode, message));
            self.begun(Waited { from: own, to: message.peer, tag })
        } else if message.peer == Peer::Any {
            let place = self.spool.leave_room(self.rank, RECEIVE);
            Pending::Unclear(self.under_way.begin(None), message, asked, place)
        } else {
            self.add(&Action::Irecv(message));
            self.begun(Waited { from: message.peer, to: own, tag })
        };
        self.requests.add(request, pending);
    }

    fn begun(&mut self, name: Waited) -> Pending {
        Pending::Message(self.under_way.begin(Some(name)), name)
    }

    fn wait_for(&mut self, number: u64, name: Waited) {
        self.under_way.wait(self.spool, self.rank, number, name);
    }

    fn restart(&mut self, requests: &[i64]) {
        for request in requests {
            match self.requests.prepared(*request).copied() {
                Some(Some(persistent)) => self.start(*request, persistent),
                Some(None) => self.requests.add(*request, Pending::Nothing),
                None => {}
            }
        }
    }

    /// A call that waits or tests: what it has found done is waited for.
    fn wait(&mut self, call: &Call) {
        let (statuses, requests) = (&call.statuses, list(call, 0));
        let at = |index: i64| usize::try_from(index).ok().and_then(|at| requests.get(at)).copied();
        let mut done = Vec::new();
        match (call.function, &call.numbers[..]) {
            (13, [request]) => done.push((*request, 0)),
            (14, [request, flag]) if *flag != 0 => done.push((*request, 0)),
            (15, [request]) => {
                let _ = self.requests.take_newest(*request);
                self.requests.forget(*request);
            }
            (16, [_, index]) => done.extend(at(*index).map(|request| (request, 0))),
            (17, [_, index, flag]) if *flag != 0 => {
                done.extend(at(*index).map(|request| (request, 0)));
            }
            (18, _) => done.extend(requests.iter().copied().zip(0..)),
            (19, [_, flag]) if *flag != 0 => done.extend(requests.iter().copied().zip(0..)),
            (20 | 21, _) => {
                let found = list(call, 1).iter().map(|index| at(*index)).zip(0..);
                done.extend(found.filter_map(|(request, nth)| Some((request?, nth))));
            }
            _ => {}
        }
        let mut is_for_files = false;
        for (request, nth) in done {
            is_for_files |= self.finish_one(request, statuses.get(nth));
        }
        if is_for_files {
            self.stay(call);
        }
    }

    /// A request is done; whether it was one of a file that is not told.
    fn finish_one(&mut self, request: i64, status: Option<&Status>) -> bool {
        match self.requests.take(request) {
            Some(Pending::Message(number, waited)) => self.wait_for(number, waited),
            Some(Pending::Unclear(number, message, asked, place)) => {
                if let Some(message) = self.found(message, asked, status) {
                    let line = format!("{} {}", self.rank, Action::Irecv(message));
                    self.spool.fill(place, line.as_bytes());
                    let Message { peer: from, tag, .. } = message;
                    self.wait_for(number, Waited { from, to: Peer::Rank(self.rank), tag });
                }
            }
            Some(Pending::File(None)) => return true,
            Some(Pending::File(Some(number))) => self.end_access(number),
            Some(Pending::Nothing) => {}
            None if request == NO_REQUEST || self.requests.prepared(request).is_some() => {}
            None => self.leave_out("waits for requests of calls that are not told"),
        }
        false
    }

    fn exchange(&mut self, call: &Call) -> Result<(), String> {
        let (out, into, tag, comm) = match (call.function, &call.numbers[..]) {
            (33, [c, d, to, tag, count, datatype, from, other, comm]) => {
                let out = self.sent(*c, *d, (*to, *tag, *comm))?;
                (out, self.message(*count, *datatype, (*from, *other, *comm))?, *other, *comm)
            }
            (_, [count, datatype, to, tag, from, other, comm]) => {
                let out = self.sent(*count, *datatype, (*to, *tag, *comm))?;
                (out, self.message(*count, *datatype, (*from, *other, *comm))?, *other, *comm)
            }
            _ => return Ok(()),
        };
        let sent = out.map(|message| {
            self.add(&Action::Isend(Mode::Standard, message));
            let Message { peer: to, tag, .. } = message;
            let name = Waited { from: Peer::Rank(self.rank), to, tag };
            (self.under_way.begin(Some(name)), name)
        });
        if let Some(into) = into {
            self.receive(into, Asked { tag, comm }, call.statuses.first());
        }
        if let Some((number, name)) = sent {
            self.wait_for(number, name);
        }
        Ok(())
    }

    /// A communicator or a group is made or given up, a clock is read, or nothing that matters
    /// here happens.
    fn step(&mut self, call: &Call) {
        const WTIME: u16 = 122;
        if call.function == WTIME {
            return self.stay(call);
        }
        let Some(step) = Step::of(call) else { return };
        let made = self.whole.comms.made[self.rank as usize].get(self.steps).copied().flatten();
        self.steps += 1;
        match (step, made) {
            (Step::Make(creation), Some(comm)) => _ = self.comms.insert(creation.child, comm),
            (Step::Make(creation), None) => _ = self.comms.remove(&creation.child),
            (Step::Free(comm), _) => _ = self.comms.remove(&comm),
            (Step::Group(recipe), _) => {
                let (rank, comms, whole) = (self.rank, &self.comms, &self.whole.comms);
                self.groups.make(&recipe, |comm| match comm {
                    ALONE => Some(vec![rank]),
                    comm => Some(whole.side(*comms.get(&comm)?, rank).to_vec()),
                });
            }
        }
    }

    pub(super) fn finish(mut self, left_out: &mut BTreeMap<String, u64>) {
        for pending in std::mem::take(&mut self.requests).rest() {
            if let Pending::Unclear(_, message, _, place) = pending
                && !self.whole.has_sends_to_nobody
            {
                let line = format!("{} {}", self.rank, Action::Irecv(message));
                self.spool.fill(place, line.as_bytes());
            }
        }
        self.under_way.end(self.spool, self.rank);
        self.fences.end(self.spool, self.rank);
        self.add(&Action::Finalize);
        for (what, count) in self.left_out {
            *left_out.entry(what).or_default() += count;
        }
    }
}

/// How a send of this function completes.
fn mode(function: u16) -> Mode {
    match function {
        4 | 10 | 28 => Mode::Synchronous,
        3 | 9 | 27 => Mode::Buffered,
        _ => Mode::Standard,
    }
}

/// A receive asks for room; what came is in its status, if that is told.
fn received(message: Message, status: Option<&Status>) -> Message {
    match status {
        Some(Status { bytes, .. }) if *bytes >= 0 => {
            Message { size: Amount::of_bytes(*bytes as u64), ..message }
        }
        _ => message,
    }
}

fn list(call: &Call, at: usize) -> &[i64] {
    call.lists.get(at).map_or(&[], Vec::as_slice)
}
