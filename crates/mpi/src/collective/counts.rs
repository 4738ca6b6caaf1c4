//! How many bytes each rank has its share of: the `counts` of the `v` forms.

use std::rc::Rc;

use crate::payload::Payload;

/// Bytes for each rank of a communicator, one behind the other without gaps.
///
/// Cloning is cheap. Equal counts cost no memory per rank; others cost eight bytes each, so a
/// program that uses the same counts again and again does well to keep one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Even {
        bytes: u64,
        ranks: u32,
    },
    /// Where each rank's bytes begin; at the end, the sum.
    Each(Rc<[u64]>),
}

impl Counts {
    /// The same for each of `ranks` ranks.
    pub fn even(ranks: u32, bytes: u64) -> Counts {
        Counts(Kind::Even { bytes, ranks })
    }

    /// One for each rank, in order.
    pub fn each(counts: impl IntoIterator<Item = u64>) -> Counts {
        let mut sum = 0;
        let ends = counts.into_iter().map(|count| {
            sum += count;
            sum
        });
        Counts(Kind::Each(std::iter::once(0).chain(ends).collect::<Vec<u64>>().into()))
    }

    /// How many ranks there are counts for.
    pub fn ranks(&self) -> u32 {
        match &self.0 {
            Kind::Even { ranks, .. } => *ranks,
            Kind::Each(starts) => starts.len() as u32 - 1,
        }
    }

    /// Bytes of one rank.
    pub fn of(&self, rank: u32) -> u64 {
        self.start(rank + 1) - self.start(rank)
    }

    /// Bytes of all ranks before this one.
    pub fn start(&self, rank: u32) -> u64 {
        match &self.0 {
            Kind::Even { bytes, .. } => u64::from(rank) * bytes,
            Kind::Each(starts) => starts[rank as usize],
        }
    }

    /// Bytes of all ranks.
    pub fn total(&self) -> u64 {
        self.start(self.ranks())
    }

    /// Whether all ranks have the same.
    pub(crate) fn is_even(&self) -> bool {
        match &self.0 {
            Kind::Even { .. } => true,
            Kind::Each(starts) => {
                let first = starts.get(1).copied().unwrap_or(0);
                starts.windows(2).all(|pair| pair[1] - pair[0] == first)
            }
        }
    }

    /// One rank's part of a payload that holds one for each.
    pub(crate) fn part(&self, payload: &Payload, rank: u32) -> Payload {
        self.parts(payload, rank, rank + 1)
    }

    /// The parts of the ranks from `first` to before `end`.
    pub(crate) fn parts(&self, payload: &Payload, first: u32, end: u32) -> Payload {
        payload.slice(self.start(first), self.start(end))
    }
}

impl From<&[u64]> for Counts {
    fn from(counts: &[u64]) -> Self {
        Counts::each(counts.iter().copied())
    }
}

impl From<&Vec<u64>> for Counts {
    fn from(counts: &Vec<u64>) -> Self {
        Counts::from(counts.as_slice())
    }
}

impl From<Vec<u64>> for Counts {
    fn from(counts: Vec<u64>) -> Self {
        Counts::each(counts)
    }
}

impl From<&Counts> for Counts {
    fn from(counts: &Counts) -> Self {
        counts.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: Counts, expected: &[u64]) {
        assert_eq!(counts.ranks() as usize, expected.len());
        assert_eq!(counts.total(), expected.iter().sum::<u64>());
        for (rank, bytes) in expected.iter().enumerate() {
            assert_eq!(counts.of(rank as u32), *bytes);
            assert_eq!(counts.start(rank as u32), expected[..rank].iter().sum::<u64>());
        }
    }

    #[test]
    fn equal_counts_are_numbers() {
        check(Counts::even(3, 7), &[7, 7, 7]);
        check(Counts::even(0, 7), &[]);
    }

    #[test]
    fn others_are_sums() {
        check(vec![3, 0, 5].into(), &[3, 0, 5]);
        check(vec![].into(), &[]);
    }
}
