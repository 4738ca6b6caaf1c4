//! The groups of one rank, from which communicators are made.

use std::collections::BTreeMap;

use super::stream::Call;

/// Handles of groups below this are those of none and of the empty one.
const FIRST: i64 = 3;

/// A group is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recipe {
    how: How,
    child: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    OfComm(i64),
    /// The ranks of a group with these numbers, in this order.
    Only(i64, Vec<i64>),
    Without(i64, Vec<i64>),
    Union(i64, i64),
    Intersection(i64, i64),
    Difference(i64, i64),
    /// From what is not followed here.
    Unknown,
}

impl Recipe {
    /// How a call makes a group, if it makes one.
    pub(super) fn of(call: &Call) -> Option<Self> {
        let child = *call.numbers.last()?;
        let list = || call.lists.first().cloned().unwrap_or_default();
        let how = match (call.function, &call.numbers[..]) {
            (72, [comm, _]) => How::OfComm(*comm),
            (73, [one, other, _]) => How::Union(*one, *other),
            (74, [one, other, _]) => How::Intersection(*one, *other),
            (75, [one, other, _]) => How::Difference(*one, *other),
            (76, [group, ..]) => How::Only(*group, list()),
            (77, [group, ..]) => How::Without(*group, list()),
            (78, [group, ..]) => How::Only(*group, ranges(&list())),
            (79, [group, ..]) => How::Without(*group, ranges(&list())),
            (90 | 148 | 236, _) => How::Unknown,
            _ => return None,
        };
        Some(Self { how, child })
    }
}

/// The numbers that triples of first, last and stride stand for.
fn ranges(triples: &[i64]) -> Vec<i64> {
    /// More than any group has: damaged files ask for no room.
    const MOST: usize = 1 << 24;
    let mut all = Vec::new();
    for triple in triples.chunks_exact(3) {
        let [first, last, stride] = [triple[0], triple[1], triple[2]];
        let is_within = |number: &i64| if stride > 0 { *number <= last } else { *number >= last };
        let numbers = std::iter::successors(Some(first), |number| number.checked_add(stride));
        if stride != 0 {
            all.extend(numbers.take_while(is_within).take(MOST - all.len().min(MOST)));
        }
    }
    all
}

/// Groups by their handles: ranks of the world, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups(BTreeMap<i64, Vec<u32>>);

impl Groups {
    /// The ranks of a group, if they are known.
    pub(super) fn get(&self, handle: i64) -> Option<&[u32]> {
        match handle {
            1..FIRST => Some(&[]),
            handle => self.0.get(&handle).map(Vec::as_slice),
        }
    }

    /// Makes a group; `members` are those of a communicator.
    pub(super) fn make(&mut self, recipe: &Recipe, members: impl Fn(i64) -> Option<Vec<u32>>) {
        match self.made(&recipe.how, members) {
            Some(ranks) => _ = self.0.insert(recipe.child, ranks),
            None => _ = self.0.remove(&recipe.child),
        }
    }

    fn made(&self, how: &How, members: impl Fn(i64) -> Option<Vec<u32>>) -> Option<Vec<u32>> {
        let both = |one: &i64, other: &i64| Some((self.get(*one)?, self.get(*other)?));
        Some(match how {
            How::OfComm(comm) => members(*comm)?,
            How::Only(group, numbers) => {
                let ranks = self.get(*group)?;
                let rank = |number: &i64| ranks.get(usize::try_from(*number).ok()?).copied();
                numbers.iter().map(rank).collect::<Option<_>>()?
            }
            How::Without(group, numbers) => {
                let mut left_out = numbers.clone();
                left_out.sort_unstable();
                let stays = |at: usize| left_out.binary_search(&(at as i64)).is_err();
                let ranks = self.get(*group)?.iter().enumerate();
                ranks.filter(|(at, _)| stays(*at)).map(|(_, rank)| *rank).collect()
            }
            How::Union(one, other) => {
                let (one, other) = both(one, other)?;
                [one, &apart(other, one, false)].concat()
            }
            How::Intersection(one, other) => {
                let (one, other) = both(one, other)?;
                apart(one, other, true)
            }
            How::Difference(one, other) => {
                let (one, other) = both(one, other)?;
                apart(one, other, false)
            }
            How::Unknown => return None,
        })
    }
}

/// The ranks that are, or are not, among others.
fn apart(ranks: &[u32], others: &[u32], are_among: bool) -> Vec<u32> {
    let mut others = others.to_vec();
    others.sort_unstable();
    let is_among = |rank: &u32| others.binary_search(rank).is_ok();
    ranks.iter().copied().filter(|rank| is_among(rank) == are_among).collect()
}
