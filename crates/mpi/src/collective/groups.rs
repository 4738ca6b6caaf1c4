//! Who exchanges with whom in the steps of recursive exchange.
//!
//! MPICH 4's `recexch`: in a step, groups of `k` ranks exchange among themselves; `log_k(p)` steps.
//! With `k = 2` it is recursive doubling.

/// The largest power of `k` of ranks, the core. Each of the others is the ward of one of them,
/// which takes part for both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Groups {
    radix: u32,
    core: u32,
    size: u32,
}

impl Groups {
    pub(crate) fn new(size: u32, radix: u32) -> Groups {
        let radix = radix.max(2);
        let mut core = 1;
        while core <= size / radix {
            core *= radix;
        }
        Groups { radix, core, size }
    }

    /// How many ranks take part in the steps.
    pub(crate) fn core(self) -> u32 {
        self.core
    }

    /// The rank that takes part for this one; none if it takes part itself.
    pub(crate) fn guardian(self, rank: u32) -> Option<u32> {
        (rank >= self.core).then_some(rank % self.core)
    }

    /// The ranks that one of the core takes part for.
    pub(crate) fn wards(self, rank: u32) -> impl Iterator<Item = u32> + Clone {
        (1..).map(move |turn| rank + turn * self.core).take_while(move |ward| *ward < self.size)
    }

    /// Ranks of the core, each with its wards.
    pub(crate) fn families(
        self,
        core: impl Iterator<Item = u32> + Clone,
    ) -> impl Iterator<Item = u32> + Clone {
        core.flat_map(move |rank| std::iter::once(rank).chain(self.wards(rank)))
    }

    /// How far apart the ranks of a group are in each step, near ones first.
    pub(crate) fn distances(self) -> impl DoubleEndedIterator<Item = u32> {
        let steps = self.core.ilog(self.radix);
        (0..steps).map(move |step| self.radix.pow(step))
    }

    /// The others of a rank's group, from the next on.
    pub(crate) fn partners(self, rank: u32, distance: u32) -> impl Iterator<Item = u32> + Clone {
        let digit = rank / distance % self.radix;
        let first = rank - digit * distance;
        (1..self.radix).map(move |turn| first + (digit + turn) % self.radix * distance)
    }

    /// The part of the core that a rank and those less than a distance from it make up.
    pub(crate) fn near(self, rank: u32, distance: u32) -> impl Iterator<Item = u32> + Clone {
        let first = rank / distance * distance;
        first..first + distance
    }

    /// The part of the core that is a multiple of a distance away from a rank.
    pub(crate) fn far(self, rank: u32, distance: u32) -> impl Iterator<Item = u32> + Clone {
        (rank % distance..self.core).step_by(distance as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ranks: impl Iterator<Item = u32>) -> Vec<u32> {
        ranks.collect()
    }

    #[test]
    fn ranks_past_the_power_have_a_guardian() {
        let groups = Groups::new(11, 3);
        assert_eq!((groups.core(), groups.guardian(10), groups.guardian(8)), (9, Some(1), None));
        assert_eq!(list(groups.wards(1)), [10]);
        assert_eq!(list(Groups::new(8, 3).wards(1)), [4, 7]);
        assert_eq!(list(groups.families(0..3)), [0, 9, 1, 10, 2]);
    }

    #[test]
    fn partners_are_a_distance_apart() {
        let groups = Groups::new(11, 3);
        assert_eq!(list(groups.distances()), [1, 3]);
        assert_eq!(list(groups.partners(4, 1)), [5, 3]);
        assert_eq!(list(groups.partners(7, 3)), [1, 4]);
        assert_eq!(
            (list(groups.near(4, 3)), list(groups.far(4, 3))),
            (vec![3, 4, 5], vec![1, 4, 7])
        );
        assert_eq!(list(Groups::new(1, 4).distances()), [0; 0]);
    }
}
