//! From the calls of a rank to its actions.

use std::collections::BTreeMap;

use super::comms::{ALONE, Comms, Creation, WORLD};
use super::stream::Call;
use crate::action::{Action, Amount, Message, Mode, Peer, Waited};
use crate::spool::Spool;
use crate::timed::Collective;
use crate::untimed::collective::{Collectives, define};
use crate::untimed::tag_of;

/// Bytes of predefined datatypes, by their handles.
const SIZES: [u64; 28] =
    [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 16, 16, 8, 8, 32];
/// The request that is none.
const NO_REQUEST: i64 = 1;
/// Stands for any sender or tag, and for nobody: what libraries use.
const ANY: i64 = -1;

/// Tells the actions of one rank.
pub(super) struct Teller<'a> {
    rank: u32,
    spool: &'a mut Spool,
    all: &'a Comms,
    collectives: &'a mut Collectives,
    /// Communicators by their handles.
    comms: BTreeMap<i64, u32>,
    creations: usize,
    told: Vec<u32>,
    types: BTreeMap<i64, u64>,
    /// Requests under way, and persistent ones.
    requests: BTreeMap<i64, Waited>,
    persistent: BTreeMap<i64, (bool, Mode, Message)>,
    /// When the last call ended.
    ended: Option<f64>,
    left_out: BTreeMap<String, u64>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        rank: u32,
        spool: &'a mut Spool,
        all: &'a Comms,
        collectives: &'a mut Collectives,
    ) -> Self {
        spool.add(rank, &Action::Init { doubles: false });
        Self {
            rank,
            spool,
            all,
            collectives,
            comms: BTreeMap::from([(WORLD, 0)]),
            creations: 0,
            told: Vec::new(),
            types: BTreeMap::new(),
            requests: BTreeMap::new(),
            persistent: BTreeMap::new(),
            ended: None,
            left_out: BTreeMap::new(),
        }
    }

    /// Tells what a call does, or what is wrong with it.
    pub(super) fn tell(&mut self, call: &Call) -> Result<(), String> {
        if let Some((begin, end)) = call.times {
            if let Some(before) = self.ended
                && begin > before
            {
                self.spool.add(self.rank, &Action::Compute(begin - before));
            }
            self.ended = Some(end.max(begin));
        }
        let numbers = &call.numbers[..];
        match (call.function, numbers) {
            (0 | 3..=5, [count, datatype, to, tag, comm]) => {
                if let Some(message) = self.sent(*count, *datatype, (*to, *tag, *comm))? {
                    self.add(&Action::Send(mode(call.function), message));
                }
            }
            (1, [count, datatype, from, tag, comm]) => {
                if let Some(message) = self.message(*count, *datatype, (*from, *tag, *comm))? {
                    self.add(&Action::Recv(received(message, call.statuses.first())));
                }
            }
            (8..=12, [count, datatype, peer, tag, comm, request]) => {
                let is_send = call.function < 12;
                let address = (*peer, *tag, *comm);
                if let Some(message) = self.sent_or_received(is_send, *count, *datatype, address)? {
                    self.start(*request, is_send, mode(call.function), message);
                }
            }
            (26..=30, [count, datatype, peer, tag, comm, request]) => {
                let is_send = call.function < 30;
                let address = (*peer, *tag, *comm);
                if let Some(message) = self.sent_or_received(is_send, *count, *datatype, address)? {
                    self.persistent.insert(*request, (is_send, mode(call.function), message));
                }
            }
            (31, [request]) => self.restart(&[*request]),
            (32, _) => self.restart(list(call, 0)),
            (13, [request]) => self.wait(&[*request]),
            (14, [request, flag]) if *flag != 0 => self.wait(&[*request]),
            (16, [_, index]) => self.wait_one(call, *index),
            (17, [_, index, flag]) if *flag != 0 => self.wait_one(call, *index),
            (18, _) => self.wait(list(call, 0)),
            (19, [_, flag]) if *flag != 0 => self.wait(list(call, 0)),
            (20 | 21, _) => {
                for index in list(call, 1) {
                    self.wait_one(call, *index);
                }
            }
            (24, [request]) => {
                self.requests.remove(request);
                self.leave_out("cancelled requests");
            }
            (33 | 34, _) => self.exchange(call)?,
            (35..=40 | 43 | 178, _) => self.datatype(call),
            (52..=62 | 65..=67 | 156, _) => self.join(call)?,
            _ => self.make(call),
        }
        Ok(())
    }

    fn add(&mut self, action: &Action<'_>) {
        self.spool.add(self.rank, action);
    }

    fn leave_out(&mut self, what: &str) {
        *self.left_out.entry(what.to_owned()).or_default() += 1;
    }

    fn bytes(&self, count: i64, datatype: i64) -> u64 {
        let usual = usize::try_from(datatype).ok().and_then(|number| SIZES.get(number)).copied();
        let size = self.types.get(&datatype).copied().or(usual).unwrap_or(1);
        (count.max(0) as u64).saturating_mul(size).min(1 << 40)
    }

    /// A message; none if its communicator is not known.
    fn message(
        &mut self,
        count: i64,
        datatype: i64,
        (peer, tag, comm): (i64, i64, i64),
    ) -> Result<Option<Message>, String> {
        let size = Amount::of_bytes(self.bytes(count, datatype));
        let number = self.comms.get(&comm).copied();
        let peer = match (peer, number) {
            (ANY, _) => Peer::Any,
            (peer, _) if peer < 0 => Peer::Nobody,
            (_, _) if comm == ALONE => Peer::Rank(self.rank),
            (peer, Some(number)) => {
                let members = &self.all.members[number as usize];
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
            Some(Message { peer: Peer::Any, .. }) => {
                Err("a send names the rank it goes to; this one has MPI_ANY_SOURCE there".into())
            }
            Some(Message { tag: None, .. }) => {
                Err(format!("the tag of a send is 0 or more, not {}", address.1))
            }
            message => Ok(message),
        }
    }

    fn sent_or_received(
        &mut self,
        is_send: bool,
        count: i64,
        datatype: i64,
        address: (i64, i64, i64),
    ) -> Result<Option<Message>, String> {
        match is_send {
            true => self.sent(count, datatype, address),
            false => self.message(count, datatype, address),
        }
    }

    fn start(&mut self, request: i64, is_send: bool, mode: Mode, message: Message) {
        let (own, tag) = (Peer::Rank(self.rank), message.tag);
        let (action, waited) = match is_send {
            true => (Action::Isend(mode, message), Waited { from: own, to: message.peer, tag }),
            false => (Action::Irecv(message), Waited { from: message.peer, to: own, tag }),
        };
        self.requests.insert(request, waited);
        self.add(&action);
    }

    fn restart(&mut self, requests: &[i64]) {
        for request in requests {
            if let Some((is_send, mode, message)) = self.persistent.get(request).copied() {
                self.start(*request, is_send, mode, message);
            }
        }
    }

    fn wait(&mut self, requests: &[i64]) {
        for request in requests.iter().filter(|request| **request != NO_REQUEST) {
            if let Some(waited) = self.requests.remove(request) {
                self.add(&Action::Wait(waited));
            }
        }
    }

    /// Waits for the request of a list that a call has found done.
    fn wait_one(&mut self, call: &Call, index: i64) {
        let found = usize::try_from(index).ok().and_then(|index| list(call, 0).get(index));
        if let Some(request) = found.copied() {
            self.wait(&[request]);
        }
    }

    fn exchange(&mut self, call: &Call) -> Result<(), String> {
        let (out, into) = match (call.function, &call.numbers[..]) {
            (33, [c, d, to, tag, count, datatype, from, other, comm]) => {
                let out = self.sent(*c, *d, (*to, *tag, *comm))?;
                (out, self.message(*count, *datatype, (*from, *other, *comm))?)
            }
            (_, [count, datatype, to, tag, from, other, comm]) => {
                let out = self.sent(*count, *datatype, (*to, *tag, *comm))?;
                (out, self.message(*count, *datatype, (*from, *other, *comm))?)
            }
            _ => return Ok(()),
        };
        if let (Some(out), Some(into)) = (out, into) {
            let from = Peer::Rank(self.rank);
            self.add(&Action::Isend(Mode::Standard, out));
            self.add(&Action::Recv(received(into, call.statuses.first())));
            self.add(&Action::Wait(Waited { from, to: out.peer, tag: out.tag }));
        }
        Ok(())
    }

    /// A datatype is made, or tells its size.
    fn datatype(&mut self, call: &Call) {
        let sum = |list: &[i64]| list.iter().sum::<i64>();
        let (new, size) = match (call.function, &call.numbers[..]) {
            (35, [count, old, new]) => (*new, self.bytes(*count, *old)),
            (36 | 37, [count, block, _, old, new]) => {
                (*new, self.bytes(count.saturating_mul(*block), *old))
            }
            (38 | 39, [_, old, new]) => (*new, self.bytes(sum(list(call, 0)), *old)),
            (40, [_, new]) => {
                let parts = list(call, 0).iter().zip(list(call, 2));
                (*new, parts.map(|(count, old)| self.bytes(*count, *old)).sum())
            }
            (43, [datatype, size]) => (*datatype, (*size).max(0) as u64),
            (178, [old, new]) => (*new, self.bytes(1, *old)),
            _ => return,
        };
        self.types.insert(new, size.min(1 << 40));
    }

    fn join(&mut self, call: &Call) -> Result<(), String> {
        let n = &call.numbers;
        let Some(handle) = (match call.function {
            54 | 56 => n.get(4),
            55 => n.get(5),
            57 => n.get(6),
            _ => n.last(),
        }) else {
            return Ok(());
        };
        if *handle == ALONE {
            return Ok(());
        }
        let Some(comm) = self.comms.get(handle).copied() else {
            self.leave_out("collectives of communicators that are not known");
            return Ok(());
        };
        let members = &self.all.members[comm as usize];
        let size = members.len() as u64;
        let sum = |list: &[i64]| list.iter().sum::<i64>().max(0);
        let own = members.iter().position(|member| *member == self.rank).unwrap_or(0);
        let (name, bytes, root) = match (call.function, &n[..]) {
            (52, _) => ("MPI_Barrier", 0, None),
            (53, [count, datatype, root, _]) => {
                ("MPI_Bcast", self.bytes(*count, *datatype), Some(*root))
            }
            (54, [_, count, datatype, root, ..]) => {
                ("MPI_Gather", self.bytes(*count, *datatype), Some(*root))
            }
            (55, [_, _, count, datatype, root, ..]) => {
                ("MPI_Gatherv", self.bytes(*count, *datatype), Some(*root))
            }
            (56, [_, count, datatype, root, ..]) => {
                ("MPI_Scatter", self.bytes(*count, *datatype), Some(*root))
            }
            (57, [_, _, _, count, datatype, root, ..]) => {
                ("MPI_Scatterv", self.bytes(*count, *datatype), Some(*root))
            }
            (58, [count, datatype, ..]) => ("MPI_Allgather", self.bytes(*count, *datatype), None),
            (59, [_, count, datatype, ..]) => {
                ("MPI_Allgatherv", self.bytes(*count, *datatype), None)
            }
            (60, [count, datatype, ..]) => ("MPI_Alltoall", self.bytes(*count, *datatype), None),
            (61, [_, datatype, ..]) => {
                let all = self.bytes(sum(list(call, 0)), *datatype);
                ("MPI_Alltoallv", all / size.max(1), None)
            }
            (62, [count, datatype, _, root, _]) => {
                ("MPI_Reduce", self.bytes(*count, *datatype), Some(*root))
            }
            (65, [count, datatype, ..]) => ("MPI_Allreduce", self.bytes(*count, *datatype), None),
            (66, [_, datatype, ..]) => {
                let count = list(call, 0).get(own).copied().unwrap_or(0);
                ("MPI_Reduce_scatter", self.bytes(count, *datatype), None)
            }
            (67, [count, datatype, ..]) => ("MPI_Scan", self.bytes(*count, *datatype), None),
            (156, [count, datatype, ..]) => ("MPI_Exscan", self.bytes(*count, *datatype), None),
            _ => return Ok(()),
        };
        let root = root.and_then(|root| u32::try_from(root).ok());
        let members = (comm != 0).then_some(&members[..]);
        if let Some(members) = members
            && !self.told.contains(&comm)
        {
            self.told.push(comm);
            define(self.spool, self.rank, comm, members);
        }
        let args = Collective { comm, root, bytes, gathered: 0, algorithm: "" };
        self.collectives.join(self.spool, self.rank, name, args, members);
        Ok(())
    }

    /// A communicator is made, or nothing that matters here happens.
    fn make(&mut self, call: &Call) {
        let Some(creation) = Creation::of(call) else { return };
        let made = self.all.made[self.rank as usize].get(self.creations).copied().flatten();
        self.creations += 1;
        match made {
            Some(comm) => _ = self.comms.insert(creation.child, comm),
            None => _ = self.comms.remove(&creation.child),
        }
    }

    pub(super) fn finish(mut self, left_out: &mut BTreeMap<String, u64>) {
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
fn received(message: Message, status: Option<&(i64, i64)>) -> Message {
    match status {
        Some((bytes, _)) if *bytes >= 0 => {
            Message { size: Amount::of_bytes(*bytes as u64), ..message }
        }
        _ => message,
    }
}

fn list(call: &Call, at: usize) -> &[i64] {
    call.lists.get(at).map_or(&[], Vec::as_slice)
}
