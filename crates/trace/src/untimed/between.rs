//! Collectives of two groups: what the ranks of both tell, put together.

use super::collective::{MOST, Part, Shape, elements, listed};
use crate::action::{Action, Amount, Counts};
use crate::datatype::Datatype;
use crate::fields::List;
use crate::root::Root;

/// A collective of two groups in which all ranks have joined. Of each part, `bytes` is what the rank
/// gives to each rank of the other side or to the root, and `gathered` what it gets.
pub(super) struct Between<'a> {
    shape: Shape,
    /// In the order of the communicator.
    parts: &'a [Part],
    /// How many of them are on the first side.
    first: usize,
    /// The root's part.
    root: Option<usize>,
    /// What ranks of each side give.
    given: [Share; 2],
    /// What they get.
    gotten: [Share; 2],
    ranks: u32,
}

/// The bytes of all ranks of a side.
struct Share {
    largest: u64,
    total: u64,
    size: usize,
    /// As a list for a line.
    list: String,
}

impl Share {
    fn of(parts: &[Part], bytes: impl Fn(&Part) -> u64, ranks: u32) -> Self {
        let all = || parts.iter().map(&bytes);
        let list = if ranks > MOST { String::new() } else { listed(all(), ranks) };
        Self { largest: all().max().unwrap_or(0), total: all().sum(), size: parts.len(), list }
    }
}

impl<'a> Between<'a> {
    /// None if what the ranks tell does not fit together.
    pub(super) fn new(shape: Shape, parts: &'a [Part], first: usize, ranks: u32) -> Option<Self> {
        let sides = [&parts[..first], &parts[first..]];
        let given = sides.map(|side| Share::of(side, |part| part.bytes, ranks));
        let gotten = sides.map(|side| Share::of(side, |part| part.gathered, ranks));
        // Those on the other side name the root.
        let namer = parts.iter().position(|part| part.root.is_some());
        let root = namer.and_then(|at| {
            let begin = if at < first { first } else { 0 };
            let place = begin + parts[at].root? as usize;
            let end = if at < first { parts.len() } else { first };
            (place < end).then_some(place)
        });
        let fits = match shape {
            Shape::Scan | Shape::Exscan => false,
            // Both sides share as much as the other has.
            Shape::ReduceScatter => gotten[0].total == gotten[1].total,
            shape => root.is_some() || !shape.is_rooted(),
        };
        fits.then_some(Self { shape, parts, first, root, given, gotten, ranks })
    }

    /// What the rank of a part does, as it stands behind its number.
    pub(super) fn line(&self, at: usize) -> String {
        let (own, root, flops) = (usize::from(at >= self.first), self.root_of(at), 0.0);
        let (Part { bytes, gathered, .. }, other) = (self.parts[at], 1 - own);
        let [sent, received] = [bytes, gathered].map(Amount::of_bytes);
        let [given, gotten] = [&self.given, &self.gotten].map(largest);
        if self.shape.has_lists() && self.ranks > MOST {
            return self.even(own, root).to_string();
        }
        let nothing = listed(std::iter::empty(), self.ranks);
        let if_root = |list| if root == Root::Itself { list } else { &nothing };
        match self.shape {
            Shape::Bcast => {
                let size = Amount::of_bytes(given.max(gotten));
                Action::Bcast { size, root }.to_string()
            }
            Shape::Reduce => Action::Reduce { size: elements(given), flops, root }.to_string(),
            Shape::Allreduce => Action::Allreduce { size: elements(given), flops }.to_string(),
            Shape::Gatherv => {
                let received = self.counts(if_root(&self.given[other].list));
                Action::Gatherv { sent, received, root }.to_string()
            }
            Shape::Scatterv => {
                let sent = self.counts(if_root(&self.gotten[other].list));
                Action::Scatterv { sent, received, root }.to_string()
            }
            Shape::Allgatherv => {
                let received = self.counts(&self.given[other].list);
                Action::Allgatherv { sent, received }.to_string()
            }
            Shape::Alltoallv => {
                // A rank tells what it gives to each on average; what it gets is what they give.
                let all = listed(std::iter::repeat_n(bytes, self.given[other].size), self.ranks);
                let (sent, received) = (self.counts(&all), self.counts(&self.given[other].list));
                Action::Alltoallv { sent, received }.to_string()
            }
            Shape::ReduceScatter => {
                let counts = self.counts(&self.gotten[own].list);
                Action::ReduceScatter { counts, flops }.to_string()
            }
            _ => self.even(own, root).to_string(),
        }
    }

    /// The same where all ranks of a side give and get the same.
    fn even(&self, own: usize, root: Root) -> Action<'static> {
        let block = |share: &Share| match self.shape.has_lists() {
            true => share.total / share.size.max(1) as u64,
            false => share.largest,
        };
        let [given, theirs] = [&self.given[own], &self.given[1 - own]].map(block);
        let (sent, received) = (Amount::of_bytes(given), Amount::of_bytes(theirs));
        let both = |all: &[Share; 2]| Amount::of_bytes(block(&all[0]).max(block(&all[1])));
        match self.shape {
            Shape::Gather | Shape::Gatherv => {
                Action::Gather { sent: both(&self.given), received: both(&self.given), root }
            }
            Shape::Scatter | Shape::Scatterv => {
                Action::Scatter { sent: both(&self.gotten), received: both(&self.gotten), root }
            }
            Shape::Allgather | Shape::Allgatherv => Action::Allgather { sent, received },
            Shape::Alltoall | Shape::Alltoallv => Action::Alltoall { sent, received },
            // No operation without a list comes nearer.
            Shape::ReduceScatter => {
                Action::Allreduce { size: elements(self.gotten[0].total), flops: 0.0 }
            }
            _ => Action::Barrier,
        }
    }

    fn root_of(&self, at: usize) -> Root {
        match self.root {
            Some(root) if root == at => Root::Itself,
            Some(root) if (root < self.first) != (at < self.first) => {
                Root::Rank((root - if root < self.first { 0 } else { self.first }) as u32)
            }
            _ => Root::Nobody,
        }
    }

    fn counts<'b>(&self, list: &'b str) -> Counts<'b> {
        let list = List::written(list.as_bytes(), self.ranks);
        Counts { list, datatype: Some(Datatype::BYTE) }
    }
}

fn largest(both: &[Share; 2]) -> u64 {
    both[0].largest.max(both[1].largest)
}
