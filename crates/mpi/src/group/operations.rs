//! Groups made of groups. MPI 4.1 section 7.3.2.

use super::Group;
use crate::comm::PROC_NULL;
use crate::error::{Error, Result};

/// How two groups or communicators relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The same ranks in the same order; communicators: the same context too.
    Identical,
    /// Communicators only: identical groups, different contexts.
    Congruent,
    /// The same ranks in another order.
    Similar,
    /// Different ranks.
    Unequal,
}

impl Comparison {
    /// Of two pairs of groups, from that of each pair: as different as the more different one.
    pub(crate) fn and(self, other: Comparison) -> Comparison {
        match (self, other) {
            (Comparison::Unequal, _) | (_, Comparison::Unequal) => Comparison::Unequal,
            (Comparison::Similar, _) | (_, Comparison::Similar) => Comparison::Similar,
            (Comparison::Congruent, _) | (_, Comparison::Congruent) => Comparison::Congruent,
            (Comparison::Identical, Comparison::Identical) => Comparison::Identical,
        }
    }
}

impl Group {
    /// `MPI_Group_compare`.
    pub fn compare(&self, other: &Group) -> Comparison {
        if self.size() != other.size() {
            Comparison::Unequal
        } else if self.iter().eq(other.iter()) {
            Comparison::Identical
        } else if self.iter().all(|rank| other.contains(rank)) {
            Comparison::Similar
        } else {
            Comparison::Unequal
        }
    }

    /// Whether a world rank is a member.
    pub fn contains(&self, world: u32) -> bool {
        self.rank_of(world).is_some()
    }

    /// `MPI_Group_union`: these ranks, then those of the other that are not here.
    pub fn union(&self, other: &Group) -> Group {
        let added = other.iter().filter(|rank| !self.contains(*rank));
        Group::new(self.iter().chain(added).collect())
    }

    /// `MPI_Group_intersection`: these ranks that the other has too.
    pub fn intersection(&self, other: &Group) -> Group {
        Group::new(self.iter().filter(|rank| other.contains(*rank)).collect())
    }

    /// `MPI_Group_difference`: these ranks that the other has not.
    pub fn difference(&self, other: &Group) -> Group {
        Group::new(self.iter().filter(|rank| !other.contains(*rank)).collect())
    }

    /// `MPI_Group_incl`: these ranks of the group, in this order.
    pub fn incl(&self, ranks: &[u32]) -> Result<Group> {
        let chosen = self.distinct(ranks.iter().copied())?;
        Ok(Group::new(chosen.iter().map(|rank| self.world_rank(*rank)).collect()))
    }

    /// `MPI_Group_excl`: the group without these ranks.
    pub fn excl(&self, ranks: &[u32]) -> Result<Group> {
        self.without(&self.distinct(ranks.iter().copied())?)
    }

    /// `MPI_Group_range_incl`: the ranks of each `(first, last, stride)`, in this order.
    pub fn range_incl(&self, ranges: &[(u32, u32, i32)]) -> Result<Group> {
        self.incl(&triplets(ranges)?)
    }

    /// `MPI_Group_range_excl`: the group without the ranks of each `(first, last, stride)`.
    pub fn range_excl(&self, ranges: &[(u32, u32, i32)]) -> Result<Group> {
        self.excl(&triplets(ranges)?)
    }

    /// `MPI_Group_translate_ranks`: the rank in the other group of one of this group, if it is in
    /// both. `MPI_PROC_NULL` stays what it is.
    pub fn translate(&self, rank: i32, other: &Group) -> Result<Option<i32>> {
        match u32::try_from(rank) {
            Ok(rank) if rank < self.size() => {
                Ok(other.rank_of(self.world_rank(rank)).map(|rank| rank as i32))
            }
            _ if rank == PROC_NULL => Ok(Some(PROC_NULL)),
            _ => Err(Error::NoSuchRank { rank, size: self.size() }),
        }
    }

    fn without(&self, ranks: &[u32]) -> Result<Group> {
        let mut sorted = ranks.to_vec();
        sorted.sort_unstable();
        let kept = (0..self.size()).filter(|rank| sorted.binary_search(rank).is_err());
        Ok(Group::new(kept.map(|rank| self.world_rank(rank)).collect()))
    }

    /// The ranks, if they are of this group and each is there once.
    fn distinct(&self, ranks: impl Iterator<Item = u32>) -> Result<Vec<u32>> {
        let size = self.size();
        let ranks: Vec<u32> = ranks.collect();
        if let Some(rank) = ranks.iter().find(|rank| **rank >= size) {
            return Err(Error::NoSuchRank { rank: *rank as i32, size });
        }
        let mut sorted = ranks.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::BadArgument(format!("rank {} is given twice", pair[0]))),
            None => Ok(ranks),
        }
    }
}

fn triplets(ranges: &[(u32, u32, i32)]) -> Result<Vec<u32>> {
    let mut ranks = Vec::new();
    for (first, last, stride) in ranges.iter().copied() {
        if stride == 0 {
            return Err(Error::BadArgument("a range with a stride of 0".into()));
        }
        let (last, stride) = (i64::from(last), i64::from(stride));
        let mut at = i64::from(first);
        while (stride > 0 && at <= last) || (stride < 0 && at >= last) {
            ranks.push(at as u32);
            at += stride;
        }
    }
    Ok(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(ranks: &[u32]) -> Group {
        Group::new(ranks.to_vec())
    }

    fn check(group: Group, expected: &[u32]) {
        assert_eq!(group.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sets_keep_the_order_of_the_first() {
        let (a, b) = (group(&[5, 1, 3]), group(&[3, 4, 5]));
        check(a.union(&b), &[5, 1, 3, 4]);
        check(a.intersection(&b), &[5, 3]);
        check(a.difference(&b), &[1]);
        check(b.difference(&b), &[]);
    }

    #[test]
    fn ranks_are_chosen_by_place() {
        let ten = group(&[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
        check(ten.incl(&[3, 0, 9]).unwrap(), &[13, 10, 19]);
        check(ten.excl(&[3, 0, 9]).unwrap(), &[11, 12, 14, 15, 16, 17, 18]);
        check(
            ten.range_incl(&[(6, 7, 1), (1, 5, 2), (0, 9, 4)]).unwrap(),
            &[16, 17, 11, 13, 15, 10, 14, 18],
        );
        check(ten.range_incl(&[(9, 0, -4)]).unwrap(), &[19, 15, 11]);
        check(ten.range_excl(&[(1, 9, 1)]).unwrap(), &[10]);
    }

    #[test]
    fn a_rank_given_twice_is_refused() {
        assert!(group(&[4, 5]).incl(&[1, 1]).is_err());
        assert!(group(&[4, 5]).range_excl(&[(0, 1, 0)]).is_err());
        assert!(group(&[4, 5]).excl(&[2]).is_err());
    }

    #[test]
    fn ranks_translate_where_they_are_in_both() {
        let (a, b) = (group(&[5, 1, 3]), group(&[3, 4, 5]));
        let ranks: Vec<_> = (0..3).map(|rank| a.translate(rank, &b).unwrap()).collect();
        assert_eq!(ranks, [Some(2), None, Some(0)]);
        assert_eq!(a.translate(PROC_NULL, &b), Ok(Some(PROC_NULL)));
        assert!(a.translate(3, &b).is_err());
    }

    #[test]
    fn groups_compare_by_ranks_and_order() {
        let a = group(&[0, 1, 2]);
        assert_eq!(a.compare(&group(&[0, 1, 2])), Comparison::Identical);
        assert_eq!(a.compare(&group(&[2, 1, 0])), Comparison::Similar);
        assert_eq!(a.compare(&group(&[1, 2, 3])), Comparison::Unequal);
        assert_eq!(a.compare(&group(&[0, 1])), Comparison::Unequal);
    }
}
