//! Requests of which nobody tells that they are complete, nor what receives brought.
//!
//! EZTrace tells when a request is begun, and in which calls a rank waits. Messages that no receive
//! tells of are those of the requests: all messages are counted beforehand. A call that waits takes
//! the oldest requests, one or as many as there are, with the messages that were sent first. Clocks
//! of ranks have nothing in common, so what was sent first is told by the collectives of all ranks
//! that came before, and between two of them by how far each sender has come with what it sends to
//! this receiver: ranks that go through the same loop come as far in the same step of it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Story;
use crate::timed::otf2::read::definitions::{Definitions, Members};
use crate::timed::otf2::read::events::Told;
use crate::timed::{Class, Event, Taken};

/// From here on, numbers are those of MPI for nobody or anybody, which are negative.
const NOBODY: u64 = 0xffff_ff00;

/// What is known of the requests of all ranks.
#[derive(Debug, Default)]
pub(super) struct Silent {
    is_so: bool,
    /// How many messages requests receive, as far as they have not yet.
    left: FxHashMap<Road, i64>,
    ranks: Vec<Requests>,
}

/// A receiver, a sender, a communicator as the archive numbers it, and a tag.
type Road = (u32, u32, u64, u64);

/// Those of one rank, the oldest first.
#[derive(Debug, Default)]
struct Requests {
    under_way: VecDeque<Asked>,
    /// Messages to this rank that nobody has received, in the order in which they were sent.
    coming: VecDeque<Coming>,
    has_told: bool,
    /// The region that the rank is in, and how many collectives of all ranks are behind it.
    region: u64,
    passed: u64,
    /// When it met others for the last time, or for the first before those.
    met: f64,
}

/// A message on its way.
#[derive(Debug, Clone, Copy)]
struct Coming {
    road: Road,
    bytes: u64,
    /// How many collectives were behind its sender.
    passed: u64,
    /// Which one it is of those that the sender sends after them, and of how many.
    nth: u64,
    of: u64,
    /// How long it was sent after ranks had met, by the clock of its sender.
    after: f64,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    request: u64,
    is_send: bool,
}

impl Silent {
    pub(super) fn new(definitions: &Definitions) -> Self {
        let ranks = definitions.ranks.iter().map(|_| Requests::default()).collect();
        Self { is_so: definitions.is_of_eztrace, left: FxHashMap::default(), ranks }
    }
}

impl Story<'_> {
    /// Something will be told: messages are counted.
    pub(in super::super) fn foresee(&mut self, date: f64, rank: u32, told: &Told) {
        match *told {
            Told::Enter { region, .. } => self.silent.ranks[rank as usize].region = region,
            Told::Leave { region } => {
                let is_meeting = self.definitions.name(region).0.starts_with("MPI_Comm_");
                let met = &mut self.silent.ranks[rank as usize].met;
                if is_meeting && *met == 0.0 {
                    *met = date;
                }
            }
            Told::Collective { comm, .. } => {
                let Requests { region, passed, .. } = self.silent.ranks[rank as usize];
                self.pass(rank, region, comm);
                let requests = &mut self.silent.ranks[rank as usize];
                if requests.passed > passed {
                    requests.met = date;
                }
            }
            Told::Send { to, comm, tag, bytes, .. } => {
                let Some(to) = self.world_rank(rank, comm, to) else { return };
                let road = (to, rank, comm, tag);
                *self.silent.left.entry(road).or_default() += 1;
                let Requests { passed, met, .. } = self.silent.ranks[rank as usize];
                let coming = Coming { road, bytes, passed, nth: 0, of: 0, after: date - met };
                self.silent.ranks[to as usize].coming.push_back(coming);
            }
            Told::Receive { from, comm, tag, .. } => {
                let Some(from) = self.world_rank(rank, comm, from) else { return };
                *self.silent.left.entry((rank, from, comm, tag)).or_default() -= 1;
            }
            _ => {}
        }
    }

    /// All was foreseen.
    pub(in super::super) fn put_in_order(&mut self) {
        let Silent { left, ranks, .. } = &mut self.silent;
        for requests in ranks {
            let Requests { coming, passed, .. } = requests;
            coming.retain(|one| left.get(&one.road).is_some_and(|left| *left > 0));
            let mut counts: FxHashMap<(u32, u64), u64> = FxHashMap::default();
            for one in coming.iter_mut() {
                let count = counts.entry((one.road.1, one.passed)).or_default();
                *count += 1;
                one.nth = *count;
            }
            coming.iter_mut().for_each(|one| one.of = counts[&(one.road.1, one.passed)]);
            // Shares are compared without dividing.
            coming.make_contiguous().sort_by(|one, other| {
                let share =
                    |one: &Coming, other: &Coming| u128::from(one.nth) * u128::from(other.of);
                let order = one.passed.cmp(&other.passed);
                let order = order.then(share(one, other).cmp(&share(other, one)));
                order.then(one.after.total_cmp(&other.after))
            });
            *passed = 0;
        }
    }

    /// A rank has taken part in a collective. EZTrace tells the last one again in calls that wait.
    pub(super) fn pass(&mut self, rank: u32, region: u64, comm: u64) {
        let class = Class::of(self.definitions.name(region).0);
        if self.definitions.world == Some(comm)
            && matches!(class, Class::Barrier | Class::Collective)
        {
            self.silent.ranks[rank as usize].passed += 1;
        }
    }

    /// Whether this stands for nobody.
    pub(super) fn is_nobody(&self, peer: u64) -> bool {
        self.silent.is_so && peer >= NOBODY
    }

    /// A request is begun, whose number may have been that of another: that one is complete.
    pub(super) fn ask(&mut self, date: f64, rank: u32, request: u64, is_send: bool) {
        if !self.silent.is_so {
            return;
        }
        let under_way = &mut self.silent.ranks[rank as usize].under_way;
        if let Some(at) = under_way.iter().position(|asked| asked.request == request)
            && let Some(asked) = under_way.remove(at)
        {
            self.finish_silently(date, rank, asked);
        }
        self.silent.ranks[rank as usize].under_way.push_back(Asked { request, is_send });
    }

    /// A message is sent or received.
    pub(super) fn note_message(&mut self, rank: u32) {
        self.silent.ranks[rank as usize].has_told = true;
    }

    /// A message is received.
    pub(super) fn accept(&mut self, from: u32, to: u32, (comm, tag): (u64, u64)) {
        if self.silent.is_so {
            let coming = &mut self.silent.ranks[to as usize].coming;
            let is_it = |one: &Coming| one.road == (to, from, comm, tag);
            if let Some(at) = coming.iter().position(is_it) {
                let _ = coming.remove(at);
            }
        }
    }

    /// A rank leaves a call, in which it may have waited.
    pub(super) fn complete_silently(&mut self, date: f64, rank: u32) {
        if !self.silent.is_so {
            return;
        }
        let has_told = std::mem::take(&mut self.silent.ranks[rank as usize].has_told);
        let most = match self.call_of(rank) {
            "MPI_Wait" | "MPI_Waitany" => 1,
            "MPI_Waitall" | "MPI_Waitsome" => usize::MAX,
            "MPI_Sendrecv" | "MPI_Sendrecv_replace" if !has_told => {
                return self.leave_out("exchanges of which only the calls are told");
            }
            _ => return,
        };
        self.finish_some(date, rank, most);
    }

    /// So many of the requests of a rank that can be complete are.
    pub(super) fn finish_some(&mut self, date: f64, rank: u32, most: usize) {
        let mut finished = 0;
        let asked = std::mem::take(&mut self.silent.ranks[rank as usize].under_way);
        for asked in asked {
            if finished < most && self.finish_silently(date, rank, asked) {
                finished += 1;
            } else {
                self.silent.ranks[rank as usize].under_way.push_back(asked);
            }
        }
    }

    /// A request is complete, if there is a message that it may have received.
    fn finish_silently(&mut self, date: f64, rank: u32, asked: Asked) -> bool {
        if asked.is_send {
            if let Some((request, _)) = self.own(rank).requests.remove(&asked.request) {
                let (request, taken) = (Some(request), Taken::Send);
                self.writer.write(date, &Event::Takes { rank, request, taken });
            }
            return true;
        }
        let Silent { left, ranks, .. } = &mut self.silent;
        let Requests { coming, passed, .. } = &ranks[rank as usize];
        let can_be = |one: &&Coming| {
            one.passed <= *passed && left.get(&one.road).is_some_and(|left| *left > 0)
        };
        let Some(&Coming { road, bytes, .. }) = coming.iter().find(can_be) else {
            return false;
        };
        left.entry(road).and_modify(|left| *left -= 1);
        let (_, from, comm, tag) = road;
        let sender = match self.definitions.members(comm) {
            Some(Members::Ranks(members)) => {
                members.iter().position(|member| *member == u64::from(from)).unwrap_or(0)
            }
            _ => 0,
        };
        self.receive(date, rank, (sender as u64, comm, tag), bytes, Some(asked.request));
        true
    }
}
