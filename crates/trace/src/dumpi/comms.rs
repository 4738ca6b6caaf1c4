//! Which ranks communicators have: put together from the calls of all ranks that make them.

use std::collections::{BTreeMap, VecDeque};

use super::groups::{Groups, Recipe};
use super::stream::Call;
use crate::untimed::party::Party;

/// Communicators that are there from the beginning.
pub(super) const NULL: i64 = 1;
pub(super) const WORLD: i64 = 2;
pub(super) const ALONE: i64 = 3;

/// A rank takes part in the making of a communicator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Creation {
    how: How,
    parent: i64,
    pub(super) child: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    Copy,
    Split {
        colour: i64,
        key: i64,
    },
    Grid(Vec<i64>),
    Slice(Vec<i64>),
    /// Of a group, if that is told.
    Group(Option<i64>),
    /// Together with another communicator, whose leader is a rank of a third one.
    Between {
        leader: i64,
        peers: i64,
        other: i64,
        tag: i64,
    },
    /// Of both sides of an inter-communicator; who says so comes last.
    Merge {
        is_last: bool,
    },
}

/// What a rank does to its communicators and groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Make(Creation),
    Group(Recipe),
    /// A communicator is given up: its handle may become that of another.
    Free(i64),
}

impl Step {
    /// What a call does, if it is about these.
    pub(super) fn of(call: &Call) -> Option<Self> {
        match (call.function, &call.numbers[..]) {
            (87 | 132, [comm]) => Some(Step::Free(*comm)),
            _ => {
                let group = || Recipe::of(call).map(Step::Group);
                Creation::of(call).map(Step::Make).or_else(group)
            }
        }
    }
}

impl Creation {
    /// What a call makes, if it makes a communicator.
    fn of(call: &Call) -> Option<Self> {
        let (numbers, list) = (&call.numbers, call.lists.first());
        let (how, parent, child) = match (call.function, &numbers[..]) {
            (84, [parent, child]) => (How::Copy, *parent, *child),
            (85, [parent, group, child]) => (How::Group(Some(*group)), *parent, *child),
            (86, [parent, colour, key, child]) => {
                (How::Split { colour: *colour, key: *key }, *parent, *child)
            }
            (99, [parent, _, _, child]) => (How::Grid(list?.clone()), *parent, *child),
            (111, [_, parent, child]) => (How::Slice(list?.clone()), *parent, *child),
            (91, [parent, leader, peers, other, tag, child]) => {
                let [leader, peers, other, tag] = [*leader, *peers, *other, *tag];
                (How::Between { leader, peers, other, tag }, *parent, *child)
            }
            (92, [parent, is_last, child]) => {
                (How::Merge { is_last: *is_last != 0 }, *parent, *child)
            }
            (101, [_, parent, .., child]) => (How::Group(None), *parent, *child),
            _ => return None,
        };
        Some(Self { how, parent, child })
    }
}

/// How far a rank has come.
#[derive(Debug)]
struct Progress {
    next: usize,
    /// Communicators by their handles.
    known: BTreeMap<i64, u32>,
    groups: Groups,
}

impl Progress {
    fn new() -> Self {
        Self { next: 0, known: BTreeMap::from([(WORLD, 0)]), groups: Groups::default() }
    }
}

/// A rank that makes a communicator with others, and its groups.
type Part<'a> = (u32, &'a Creation, &'a Groups);

/// Sides of inter-communicators whose other sides are not there yet, by their leaders, the own one
/// first, and tags.
type Alone = BTreeMap<(u32, u32, i64), VecDeque<Vec<u32>>>;

/// All communicators; the first is the world.
#[derive(Debug)]
pub(super) struct Comms {
    pub(super) members: Vec<Vec<u32>>,
    /// Sizes of the dimensions of those that are grids.
    grids: Vec<Vec<i64>>,
    /// How many ranks the first side of an inter-communicator has; the others are the second.
    sides: BTreeMap<u32, usize>,
    /// What each rank gets of each of its steps, in order.
    pub(super) made: Vec<Vec<Option<u32>>>,
}

impl Comms {
    /// Finds out which calls of ranks belong together: those of one communicator, in their order.
    pub(super) fn resolve(steps: &[Vec<Step>]) -> Self {
        let ranks = steps.len();
        let world = (0..ranks as u32).collect();
        let made = steps.iter().map(|own| vec![None; own.len()]).collect();
        let (grids, sides) = (vec![Vec::new()], BTreeMap::new());
        let mut comms = Self { members: vec![world], grids, sides, made };
        let mut alone = Alone::new();
        let mut progress: Vec<Progress> = (0..ranks).map(|_| Progress::new()).collect();
        // How often a rank has made something of a communicator.
        let mut counts: BTreeMap<(usize, u32), u64> = BTreeMap::new();
        let mut waiting: BTreeMap<(u32, u64), Vec<usize>> = BTreeMap::new();
        let mut ready: Vec<usize> = (0..ranks).rev().collect();
        while let Some(rank) = ready.pop() {
            let Some(parent) = comms.go_on(rank as u32, &steps[rank], &mut progress[rank]) else {
                continue;
            };
            let nth = counts.entry((rank, parent)).or_default();
            let key = (parent, *nth);
            *nth += 1;
            let joined = waiting.entry(key).or_default();
            joined.push(rank);
            if joined.len() < comms.members[parent as usize].len() {
                continue;
            }
            let _ = waiting.remove(&key);
            let members = comms.members[parent as usize].clone();
            let parts: Vec<Part<'_>> = members
                .iter()
                .filter_map(|rank| {
                    let at = &progress[*rank as usize];
                    match &steps[*rank as usize][at.next] {
                        Step::Make(creation) => Some((*rank, creation, &at.groups)),
                        _ => None,
                    }
                })
                .collect();
            let found = match parts.first() {
                Some((_, Creation { how: How::Between { .. }, .. }, _)) => {
                    comms.meet(&parts, &progress, &mut alone)
                }
                _ => members.into_iter().zip(comms.make(parent, &parts)).collect(),
            };
            let child = |(rank, comm): (u32, Option<u32>)| {
                let rank = rank as usize;
                match &steps[rank][progress[rank].next] {
                    Step::Make(creation) => Some((rank, creation.child, comm)),
                    _ => None,
                }
            };
            for (rank, child, comm) in found.into_iter().filter_map(child).collect::<Vec<_>>() {
                let at = &mut progress[rank];
                comms.made[rank][at.next] = comm;
                match comm {
                    Some(comm) => _ = at.known.insert(child, comm),
                    None => _ = at.known.remove(&child),
                }
                at.next += 1;
                ready.push(rank);
            }
        }
        comms
    }

    /// Takes the steps of a rank that need no other, up to one that makes something of a
    /// communicator that is known: which this is.
    fn go_on(&self, rank: u32, steps: &[Step], at: &mut Progress) -> Option<u32> {
        loop {
            match steps.get(at.next)? {
                Step::Make(creation) => match at.known.get(&creation.parent) {
                    Some(parent) => return Some(*parent),
                    None => _ = at.known.remove(&creation.child),
                },
                Step::Group(recipe) => {
                    let known = &at.known;
                    at.groups.make(recipe, |comm| match comm {
                        ALONE => Some(vec![rank]),
                        comm => Some(self.side(*known.get(&comm)?, rank).to_vec()),
                    });
                }
                Step::Free(comm) => _ = at.known.remove(comm),
            }
            at.next += 1;
        }
    }

    /// One side of an inter-communicator is there: if the other is as well, what each rank of both
    /// gets. If it is not told who the other one is, nobody gets anything.
    fn meet(
        &mut self,
        parts: &[Part<'_>],
        progress: &[Progress],
        alone: &mut Alone,
    ) -> Vec<(u32, Option<u32>)> {
        let own: Vec<u32> = parts.iter().map(|(rank, ..)| *rank).collect();
        let leaders = parts.iter().enumerate().find_map(|(place, (rank, creation, _))| {
            let How::Between { leader, peers, other, tag } = creation.how else { return None };
            // The leader alone has to know who the other is.
            let known = &progress[*rank as usize].known;
            let peers = *known.get(&peers).filter(|_| leader == place as i64)?;
            let other = self.peers(peers, *rank).get(usize::try_from(other).ok()?)?;
            Some((*rank, *other, tag))
        });
        let Some((leader, other, tag)) = leaders else {
            return own.into_iter().map(|rank| (rank, None)).collect();
        };
        let Some(others) = alone.get_mut(&(other, leader, tag)).and_then(VecDeque::pop_front)
        else {
            alone.entry((leader, other, tag)).or_default().push_back(own);
            return Vec::new();
        };
        let (first, second) = if leader < other { (own, others) } else { (others, own) };
        let number = self.members.len() as u32;
        self.sides.insert(number, first.len());
        self.members.push([first, second].concat());
        self.grids.push(Vec::new());
        self.members[number as usize].iter().map(|rank| (*rank, Some(number))).collect()
    }

    /// Its ranks.
    pub(super) fn party(&self, comm: u32) -> Party<'_> {
        let first = self.sides.get(&comm).copied().unwrap_or(0);
        Party { members: &self.members[comm as usize], first }
    }

    /// Whether this is an inter-communicator.
    pub(super) fn has_sides(&self, comm: u32) -> bool {
        self.sides.contains_key(&comm)
    }

    /// The ranks that messages of a rank go to and come from.
    pub(super) fn peers(&self, comm: u32, rank: u32) -> &[u32] {
        self.of_sides(comm, rank, false)
    }

    /// The ranks of a communicator, or those of the rank's own side.
    pub(super) fn side(&self, comm: u32, rank: u32) -> &[u32] {
        self.of_sides(comm, rank, true)
    }

    fn of_sides(&self, comm: u32, rank: u32, is_own: bool) -> &[u32] {
        let members = &self.members[comm as usize];
        match self.sides.get(&comm) {
            None => members,
            Some(first) => {
                // Of a copy that some ranks do not keep, fewer are there.
                let (first, second) = members.split_at((*first).min(members.len()));
                if first.contains(&rank) == is_own { first } else { second }
            }
        }
    }

    /// The new communicator of each rank, where all ranks of the parent are told in order.
    fn make(&mut self, parent: u32, parts: &[Part<'_>]) -> Vec<Option<u32>> {
        let grid = self.grids[parent as usize].clone();
        // Ranks with the same label are together, by their keys.
        let mut labels: BTreeMap<Vec<i64>, Vec<(i64, u32)>> = BTreeMap::new();
        let mut dimensions = Vec::new();
        let sides = self.sides.get(&parent).copied();
        for (place, (rank, creation, groups)) in parts.iter().enumerate() {
            let is_known = match creation.how {
                How::Copy => true,
                How::Merge { .. } => sides.is_some(),
                _ => sides.is_none(),
            };
            if creation.child == NULL || !is_known {
                continue;
            }
            let (label, key) = match &creation.how {
                How::Split { colour, key } => (vec![*colour], *key),
                How::Slice(keeps) => (dropped(place as i64, &grid, keeps), 0),
                // Ranks of other groups are apart, and the group has the order. Of a group that is
                // not known are those that get a communicator.
                How::Group(Some(group)) => {
                    let group = groups.get(*group).unwrap_or_default();
                    let place = group.iter().position(|member| member == rank);
                    let label = group.iter().map(|member| i64::from(*member)).collect();
                    (label, place.unwrap_or_default() as i64)
                }
                How::Grid(sizes) => {
                    dimensions.clone_from(sizes);
                    (Vec::new(), 0)
                }
                How::Merge { is_last } => (Vec::new(), i64::from(*is_last)),
                _ => (Vec::new(), 0),
            };
            labels.entry(label).or_default().push((key, *rank));
        }
        if let Some((_, Creation { how: How::Slice(keeps), .. }, _)) = parts.first() {
            let kept = grid.iter().zip(keeps).filter(|(_, keeps)| **keeps != 0);
            dimensions = kept.map(|(size, _)| *size).collect();
        }
        let mut of_rank = BTreeMap::new();
        for mut group in labels.into_values() {
            // Equal keys keep the order of the parent.
            group.sort_by_key(|(key, _)| *key);
            let number = self.members.len() as u32;
            self.members.push(group.iter().map(|(_, rank)| *rank).collect());
            self.grids.push(dimensions.clone());
            if let (Some(first), Some((_, Creation { how: How::Copy, .. }, _))) =
                (sides, parts.first())
            {
                self.sides.insert(number, first);
            }
            group.iter().for_each(|(_, rank)| _ = of_rank.insert(*rank, number));
        }
        parts.iter().map(|(rank, ..)| of_rank.get(rank).copied()).collect()
    }
}

/// The coordinates of a place in a grid along the dimensions that are not kept; the last dimension
/// is the fastest.
fn dropped(place: i64, grid: &[i64], keeps: &[i64]) -> Vec<i64> {
    let mut rest = place;
    let mut all = Vec::new();
    for (size, keeps) in grid.iter().zip(keeps).rev() {
        let size = (*size).max(1);
        if *keeps == 0 {
            all.push(rest % size);
        }
        rest /= size;
    }
    all
}
