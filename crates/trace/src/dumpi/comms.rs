//! Which ranks communicators have: put together from the calls of all ranks that make them.

use std::collections::BTreeMap;

use super::stream::Call;

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
    /// Of a group: those that get one are in it.
    Group,
    Unknown,
}

impl Creation {
    /// What a call makes, if it makes a communicator.
    pub(super) fn of(call: &Call) -> Option<Self> {
        let (numbers, list) = (&call.numbers, call.lists.first());
        let (how, parent, child) = match (call.function, &numbers[..]) {
            (84, [parent, child]) => (How::Copy, *parent, *child),
            (85, [parent, _, child]) => (How::Group, *parent, *child),
            (86, [parent, colour, key, child]) => {
                (How::Split { colour: *colour, key: *key }, *parent, *child)
            }
            (99, [parent, _, _, child]) => (How::Grid(list?.clone()), *parent, *child),
            (111, [_, parent, child]) => (How::Slice(list?.clone()), *parent, *child),
            (91, [parent, .., child]) => (How::Unknown, *parent, *child),
            (92, [parent, _, child]) => (How::Unknown, *parent, *child),
            (101, [_, parent, .., child]) => (How::Group, *parent, *child),
            _ => return None,
        };
        Some(Self { how, parent, child })
    }
}

/// All communicators; the first is the world.
#[derive(Debug)]
pub(super) struct Comms {
    pub(super) members: Vec<Vec<u32>>,
    /// Sizes of the dimensions of those that are grids.
    grids: Vec<Vec<i64>>,
    /// What each rank gets of each of its calls, in order.
    pub(super) made: Vec<Vec<Option<u32>>>,
}

impl Comms {
    /// Finds out which calls of ranks belong together: those of one communicator, in their order.
    pub(super) fn resolve(creations: &[Vec<Creation>]) -> Self {
        let ranks = creations.len();
        let world = (0..ranks as u32).collect();
        let made = creations.iter().map(|own| vec![None; own.len()]).collect();
        let mut comms = Self { members: vec![world], grids: vec![Vec::new()], made };
        // For each rank its next call, its communicators by their handles, and how often it has
        // made something of each.
        let mut next = vec![0; ranks];
        let mut known: Vec<BTreeMap<i64, u32>> = vec![BTreeMap::from([(WORLD, 0)]); ranks];
        let mut counts: BTreeMap<(usize, u32), u64> = BTreeMap::new();
        let mut waiting: BTreeMap<(u32, u64), Vec<usize>> = BTreeMap::new();
        let mut ready: Vec<usize> = (0..ranks).rev().collect();
        while let Some(rank) = ready.pop() {
            let Some(creation) = creations[rank].get(next[rank]) else { continue };
            let Some(parent) = known[rank].get(&creation.parent).copied() else {
                known[rank].remove(&creation.child);
                next[rank] += 1;
                ready.push(rank);
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
            let parts: Vec<(u32, &Creation)> = members
                .iter()
                .map(|rank| (*rank, &creations[*rank as usize][next[*rank as usize]]))
                .collect();
            let found = comms.make(parent, &parts);
            for ((rank, creation), comm) in parts.iter().zip(found) {
                let rank = *rank as usize;
                comms.made[rank][next[rank]] = comm;
                match comm {
                    Some(comm) => _ = known[rank].insert(creation.child, comm),
                    None => _ = known[rank].remove(&creation.child),
                }
                next[rank] += 1;
                ready.push(rank);
            }
        }
        comms
    }

    /// The new communicator of each rank, where all ranks of the parent are told in order.
    fn make(&mut self, parent: u32, parts: &[(u32, &Creation)]) -> Vec<Option<u32>> {
        let grid = self.grids[parent as usize].clone();
        // Ranks with the same label are together, by their keys.
        let mut labels: BTreeMap<Vec<i64>, Vec<(i64, u32)>> = BTreeMap::new();
        let mut dimensions = Vec::new();
        for (place, (rank, creation)) in parts.iter().enumerate() {
            if creation.child == NULL || creation.how == How::Unknown {
                continue;
            }
            let (label, key) = match &creation.how {
                How::Split { colour, key } => (vec![*colour], *key),
                How::Slice(keeps) => (dropped(place as i64, &grid, keeps), 0),
                How::Grid(sizes) => {
                    dimensions.clone_from(sizes);
                    (Vec::new(), 0)
                }
                _ => (Vec::new(), 0),
            };
            labels.entry(label).or_default().push((key, *rank));
        }
        if let Some((_, Creation { how: How::Slice(keeps), .. })) = parts.first() {
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
            group.iter().for_each(|(_, rank)| _ = of_rank.insert(*rank, number));
        }
        parts.iter().map(|(rank, _)| of_rank.get(rank).copied()).collect()
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
