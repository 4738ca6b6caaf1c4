//! Ranks that are stuck in the thought run: who they are, and what holds them.

use std::rc::Rc;

use super::super::finding::{Draft, Kind};
use super::super::operation::{Operation, What};
use super::super::rule;
use super::super::site::Site;
use super::{Awaited, Line, Need, Safety, Step, join};
use crate::abi::MPI_ANY_TAG;

/// So many knots are untied at once.
const MOST: usize = 1000;
/// A ring is told by so many of its ranks.
const SHOWN: usize = 8;

/// Where following ranks that wait for each other leads to.
enum Way {
    /// To ranks that wait for each other: each for the next, the last for the first.
    Ring(Vec<u32>),
    /// To a rank that waits for what nobody will do.
    End(u32),
}

impl Safety {
    /// Tells of the rings of ranks that are stuck for good, and lets them go on.
    pub(in super::super) fn untie(&mut self) -> Vec<Draft> {
        let mut told = Vec::new();
        for _ in 0..MOST {
            let can_move = self.can_move();
            let Some(first) = can_move.iter().position(|can_move| !can_move) else { break };
            if self.match_otherwise(&can_move) {
                continue;
            }
            match self.way(first as u32, &can_move) {
                Way::Ring(ring) => {
                    let held = self.held(&ring);
                    told.extend((!held.is_empty()).then(|| self.told(&ring, &held)));
                    self.let_go(if held.is_empty() { self.rest(&ring) } else { held });
                }
                Way::End(rank) => self.let_go(self.rest(&[rank])),
            }
        }
        told
    }

    /// Which ranks may still go on: those that are no further in the real run, and those that
    /// wait for such.
    fn can_move(&self) -> Vec<bool> {
        // The real rank may still be in the call that is its last step.
        let is_there = |line: &Line| match line.steps.len() {
            0 => true,
            1 => !line.has_ended,
            _ => false,
        };
        let mut can_move: Vec<bool> = self.lines.iter().map(is_there).collect();
        loop {
            let mut has_changed = false;
            for rank in 0..can_move.len() {
                let has_hope = |call: &Awaited| call.has_hope(&can_move, self);
                if !can_move[rank] && self.awaited(rank as u32).is_none_or(has_hope) {
                    can_move[rank] = true;
                    has_changed = true;
                }
            }
            if !has_changed {
                return can_move;
            }
        }
    }

    /// Whether a rank may still come to something new.
    fn is_alive(&self, rank: u32, can_move: &[bool]) -> bool {
        self.lines.get(rank as usize).is_none_or(|line| {
            can_move[rank as usize] && (!line.has_ended || !line.steps.is_empty())
        })
    }

    /// The call that a rank waits in.
    fn awaited(&self, rank: u32) -> Option<&Awaited> {
        match self.lines.get(rank as usize)?.steps.front()? {
            Step::Await(awaited) => Some(awaited),
            Step::Begin(_) => None,
        }
    }

    /// What ranks wait for.
    fn rest(&self, ranks: &[u32]) -> Vec<Rc<Operation>> {
        let calls = ranks.iter().filter_map(|rank| self.awaited(*rank));
        calls.flat_map(Awaited::rest).cloned().collect()
    }

    /// Gives a receive from anybody that is stuck another message that it could have got as well.
    fn match_otherwise(&mut self, can_move: &[bool]) -> bool {
        let stuck = (0..can_move.len()).filter(|rank| !can_move[*rank]);
        let stuck: Vec<u32> = stuck.map(|rank| rank as u32).collect();
        for receive in self.rest(&stuck) {
            if !receive.is_wild() {
                continue;
            }
            let fitting = self.open.values().find(|send| could_swap(send, &receive));
            let Some(send) = fitting.cloned() else { continue };
            if let (Some(loser), Some(left)) = (send.partner(), receive.partner()) {
                join(&left, &loser);
            }
            join(&send, &receive);
            self.open.remove(&send.number);
            self.advance(vec![send.site.rank, receive.site.rank]);
            return true;
        }
        false
    }

    /// Follows ranks that are stuck, from one to the next that it waits for.
    fn way(&self, from: u32, can_move: &[bool]) -> Way {
        let (mut path, mut at) = (Vec::new(), from);
        loop {
            if let Some(start) = path.iter().position(|rank| *rank == at) {
                return Way::Ring(path.split_off(start));
            }
            path.push(at);
            let needs = self.rest(&[at]).into_iter().flat_map(|operation| operation.needs());
            match needs.into_iter().find(|rank| can_move.get(*rank as usize) == Some(&false)) {
                Some(next) => at = next,
                None => return Way::End(at),
            }
        }
    }

    /// The operations that hold a ring together: sends, or collectives if there is none.
    fn held(&self, ring: &[u32]) -> Vec<Rc<Operation>> {
        let rest = self.rest(ring);
        let of = |wanted: fn(&Operation) -> bool| {
            rest.iter().filter(|operation| wanted(operation)).cloned().collect::<Vec<_>>()
        };
        let sends = of(Operation::is_send);
        if sends.is_empty() { of(|one| matches!(one.what, What::Collective(_))) } else { sends }
    }

    /// The words for a ring.
    fn told(&self, ring: &[u32], held: &[Rc<Operation>]) -> Draft {
        let mut calls: Vec<(Site, String)> = Vec::new();
        for call in ring.iter().filter_map(|rank| self.awaited(*rank)).take(SHOWN) {
            calls.extend(call.rest().next().map(|operation| told_call(call, operation)));
        }
        // The same ring is told in the same order, wherever it was entered.
        let first = (0..calls.len()).min_by_key(|at| calls[*at].0.rank).unwrap_or(0);
        calls.rotate_left(first);
        let (title, rule) = match held.iter().any(|operation| operation.is_send()) {
            true => ("the program relies on sends that are buffered", rule::UNSAFE),
            false => {
                ("the program relies on a collective that lets ranks go on", rule::SYNCHRONISES)
            }
        };
        let note = match ring.len() {
            1 => "if the send waited for its receive, the rank would wait for itself".into(),
            many @ 2..=SHOWN => {
                format!("if each waited for its other side, these {many} ranks would wait for ever")
            }
            many => format!(
                "if each waited for its other side, {many} ranks would wait for ever in a ring, of \
                 which {SHOWN} are shown"
            ),
        };
        Draft { kind: Kind::Unsafe, title, note: Some(note), rule, calls }
    }

    /// Takes operations for complete.
    fn let_go(&mut self, operations: Vec<Rc<Operation>>) {
        for operation in operations {
            match &operation.what {
                What::Collective(gathering) => {
                    gathering.is_free.set(true);
                    let all = gathering.groups.iter().flat_map(|group| group.iter());
                    self.advance(all.collect());
                }
                _ => self.release(&operation),
            }
        }
    }
}

impl Awaited {
    /// Whether what it waits for may still come.
    fn has_hope(&self, can_move: &[bool], safety: &Safety) -> bool {
        let mut hopes = self
            .operations
            .iter()
            .map(|operation| operation.is_done() || operation.has_hope(can_move, safety));
        match self.need {
            Need::All => hopes.all(|hope| hope),
            Need::Any => hopes.any(|hope| hope),
        }
    }
}

impl Operation {
    /// Whether ranks that may still go on can complete it.
    fn has_hope(&self, can_move: &[bool], safety: &Safety) -> bool {
        if self.is_wild() {
            return (0..can_move.len() as u32).any(|rank| safety.is_alive(rank, can_move));
        }
        self.needs().into_iter().all(|rank| safety.is_alive(rank, can_move))
    }

    fn is_wild(&self) -> bool {
        matches!(self.what, What::Receive { from: None, .. })
    }

    /// The ranks that have to come to something before it is complete.
    fn needs(&self) -> Vec<u32> {
        match &self.what {
            What::Collective(gathering) => gathering.missing(),
            What::Send { to, .. } => vec![*to],
            What::Receive { from: Some(from), .. } => vec![*from],
            What::Receive { .. } => self.partner().map(|send| send.site.rank).into_iter().collect(),
        }
    }
}

/// Whether a receive could get the message of a send, and the receive that did get it another.
fn could_swap(send: &Operation, receive: &Operation) -> bool {
    could_meet(send, receive)
        && match (send.partner(), receive.partner()) {
            (Some(loser), Some(left)) => could_meet(&left, &loser),
            _ => true,
        }
}

/// Whether a receive could get the message of a send.
fn could_meet(send: &Operation, receive: &Operation) -> bool {
    match (&send.what, &receive.what) {
        (What::Send { to, tag, context }, What::Receive { from, tag: wanted, context: on }) => {
            *to == receive.site.rank
                && context == on
                && from.is_none_or(|from| from == send.site.rank)
                && (*wanted == MPI_ANY_TAG || wanted == tag)
        }
        _ => false,
    }
}

/// A call of a ring: the operation that holds it, and who waits for that.
fn told_call(call: &Awaited, operation: &Operation) -> (Site, String) {
    let (one, other) = (&call.site, &operation.site);
    let mut phrase = operation.phrase();
    if (one.call, one.spot) != (other.call, other.spot) {
        phrase += &format!(" (which {} waits for)", one.call);
    }
    (operation.site.clone(), phrase)
}
