//! Groups: which world ranks a communicator has, in which order. MPI 4.1 section 7.3.

mod operations;

use std::rc::Rc;

use rustc_hash::FxHashMap;

pub use operations::Comparison;

/// An ordered set of world ranks. Regular ones are a few numbers, whatever their size.
#[derive(Debug, Clone)]
pub enum Group {
    /// `first`, `first + stride`, … `count` of them.
    Range {
        /// World rank of rank 0.
        first: u32,
        /// Distance between two ranks.
        stride: u32,
        /// Number of ranks.
        count: u32,
    },
    /// These ranks.
    List(Rc<RankList>),
}

/// World ranks in order, and the way back.
#[derive(Debug)]
pub struct RankList {
    ranks: Box<[u32]>,
    places: FxHashMap<u32, u32>,
    fingerprint: u64,
}

impl Group {
    /// The ranks in this order; kept as a range when they are one.
    pub fn new(ranks: Vec<u32>) -> Group {
        let count = ranks.len() as u32;
        let first = ranks.first().copied().unwrap_or(0);
        let stride = match ranks.as_slice() {
            [first, second, ..] if second > first => second - first,
            _ => 1,
        };
        let is_range = ranks.iter().enumerate().all(|(i, rank)| *rank == first + i as u32 * stride);
        if is_range {
            return Group::Range { first, stride, count };
        }
        let places = ranks.iter().enumerate().map(|(i, rank)| (*rank, i as u32)).collect();
        let fingerprint = ranks.iter().fold(u64::from(count), |hash, rank| mix(hash, *rank));
        Group::List(Rc::new(RankList { ranks: ranks.into(), places, fingerprint }))
    }

    /// How many ranks it has.
    pub fn size(&self) -> u32 {
        match self {
            Group::Range { count, .. } => *count,
            Group::List(list) => list.ranks.len() as u32,
        }
    }

    /// The world rank of a rank of the group.
    pub fn world_rank(&self, rank: u32) -> u32 {
        match self {
            Group::Range { first, stride, .. } => first + rank * stride,
            Group::List(list) => list.ranks[rank as usize],
        }
    }

    /// The rank in the group of a world rank, if it is a member.
    pub fn rank_of(&self, world: u32) -> Option<u32> {
        match self {
            Group::Range { first, stride, count } => {
                let offset = world.checked_sub(*first)?;
                (offset % stride == 0 && offset / stride < *count).then(|| offset / stride)
            }
            Group::List(list) => list.places.get(&world).copied(),
        }
    }

    /// The first ranks of the group.
    pub(crate) fn first(&self, count: u32) -> Group {
        match self {
            Group::Range { first, stride, .. } => {
                Group::Range { first: *first, stride: *stride, count }
            }
            list if count == list.size() => list.clone(),
            list => Group::new(list.iter().take(count as usize).collect()),
        }
    }

    /// A number that tells groups of different ranks, or of another order, apart.
    pub(crate) fn fingerprint(&self) -> u64 {
        match self {
            // A single rank has no distance to the next.
            Group::Range { first, stride, count } => {
                let stride = if *count > 1 { *stride } else { 0 };
                mix(mix(mix(1, *first), stride), *count)
            }
            Group::List(list) => list.fingerprint,
        }
    }

    /// All world ranks in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.size()).map(|rank| self.world_rank(rank))
    }
}

/// Takes one more word into a hash: multiplication spreads it, the shift brings high bits down.
fn mix(hash: u64, word: u32) -> u64 {
    let mixed = (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ranks: &[u32], is_range: bool) {
        let group = Group::new(ranks.to_vec());
        assert_eq!(matches!(group, Group::Range { .. }), is_range);
        assert!(group.iter().eq(ranks.iter().copied()));
        for world in 0..40 {
            let place = ranks.iter().position(|rank| *rank == world);
            assert_eq!(group.rank_of(world), place.map(|place| place as u32));
        }
    }

    #[test]
    fn regular_groups_are_ranges() {
        check(&[4, 7, 10, 13], true);
        check(&[5], true);
        check(&[], true);
    }

    #[test]
    fn fingerprints_follow_ranks_and_order() {
        let print = |ranks: &[u32]| Group::new(ranks.to_vec()).fingerprint();
        let one = Group::Range { first: 5, stride: 7, count: 1 };
        assert_eq!(one.fingerprint(), print(&[5]));
        assert_eq!(print(&[4, 7, 11]), print(&[4, 7, 11]));
        let different = [print(&[4, 7, 11]), print(&[7, 4, 11]), print(&[4, 7]), print(&[0, 2])];
        for (at, one) in different.iter().enumerate() {
            assert!(!different[..at].contains(one));
        }
    }

    #[test]
    fn others_are_lists() {
        check(&[4, 7, 11], false);
        check(&[9, 3], false);
    }
}
