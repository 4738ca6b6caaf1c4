//! Names of the hosts of a cluster: a prefix, a number out of a list of ranges, a suffix.

/// A run of consecutive numbers within a radical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRange {
    /// First number of the run.
    pub first: u32,
    /// Last number of the run, included.
    pub last: u32,
}

impl NumberRange {
    fn len(self) -> usize {
        (self.last - self.first) as usize + 1
    }
}

/// How the hosts of a cluster are named. Nothing is stored per host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Naming {
    prefix: String,
    suffix: String,
    ranges: Vec<NumberRange>,
    /// Index of the first host of each range, and the total at the end.
    starts: Vec<usize>,
}

impl Naming {
    /// Names `prefix`, number, `suffix`, with numbers in the order of `ranges`.
    ///
    /// Empty ranges (`last < first`) are dropped.
    pub fn new(prefix: &str, suffix: &str, ranges: &[NumberRange]) -> Self {
        let ranges: Vec<_> = ranges.iter().copied().filter(|r| r.first <= r.last).collect();
        let mut starts = vec![0];
        for range in &ranges {
            starts.push(starts[starts.len() - 1] + range.len());
        }
        Self { prefix: prefix.to_owned(), suffix: suffix.to_owned(), ranges, starts }
    }

    /// Names numbered from 0 to `count - 1`.
    pub fn counted(prefix: &str, suffix: &str, count: u32) -> Self {
        match count {
            0 => Self::new(prefix, suffix, &[]),
            n => Self::new(prefix, suffix, &[NumberRange { first: 0, last: n - 1 }]),
        }
    }

    /// How many names there are.
    pub fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// What comes before the number.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// What comes after the number.
    pub fn suffix(&self) -> &str {
        &self.suffix
    }

    /// The runs of numbers, in host order.
    pub fn ranges(&self) -> &[NumberRange] {
        &self.ranges
    }

    /// The number in the name of the `index`-th host.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not below [`count`](Self::count).
    pub fn number(&self, index: usize) -> u32 {
        let range = self.starts.partition_point(|start| *start <= index) - 1;
        self.ranges[range].first + (index - self.starts[range]) as u32
    }

    /// The name of the `index`-th host.
    pub fn name(&self, index: usize) -> String {
        format!("{}{}{}", self.prefix, self.number(index), self.suffix)
    }

    /// The index of the host with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let digits = name.strip_prefix(self.prefix.as_str())?.strip_suffix(self.suffix.as_str())?;
        // Only the canonical spelling is a name: `n01` is not `n1`.
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: u32 = digits.parse().ok()?;
        let range = self.ranges.iter().position(|r| (r.first..=r.last).contains(&number))?;
        Some(self.starts[range] + (number - self.ranges[range].first) as usize)
    }

    /// A number that both name lists contain, if the two share prefix and suffix.
    pub(crate) fn clash(&self, other: &Naming) -> Option<u32> {
        if self.prefix != other.prefix || self.suffix != other.suffix {
            return None;
        }
        let tag = |mine: bool| move |range: &NumberRange| (range.first, range.last, mine);
        let mut all: Vec<_> =
            self.ranges.iter().map(tag(true)).chain(other.ranges.iter().map(tag(false))).collect();
        all.sort_unstable();
        // How far the ranges of either list reach so far.
        let mut reach: [Option<u32>; 2] = [None, None];
        for (first, last, mine) in all {
            let (own, theirs) = (usize::from(mine), usize::from(!mine));
            if reach[theirs].is_some_and(|reached| first <= reached) {
                return Some(first);
            }
            reach[own] = reach[own].max(Some(last));
        }
        None
    }

    /// A number that occurs twice in this list.
    pub(crate) fn repeated(&self) -> Option<u32> {
        let mut ranges = self.ranges.clone();
        ranges.sort_unstable_by_key(|range| (range.first, range.last));
        let overlap = ranges.windows(2).find(|pair| pair[1].first <= pair[0].last);
        overlap.map(|pair| pair[1].first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naming() -> Naming {
        let range = |first, last| NumberRange { first, last };
        Naming::new("node-", ".site", &[range(3, 5), range(10, 10), range(0, 1)])
    }

    #[test]
    fn numbers_follow_the_order_of_the_ranges() {
        let names: Vec<_> = (0..naming().count()).map(|i| naming().number(i)).collect();
        assert_eq!(names, [3, 4, 5, 10, 0, 1]);
    }

    #[test]
    fn every_name_is_found_again() {
        let naming = naming();
        for i in 0..naming.count() {
            assert_eq!(naming.find(&naming.name(i)), Some(i));
        }
    }

    #[test]
    fn look_alikes_are_not_found() {
        for name in ["node-03.site", "node-.site", "node-2.site", "node-+3.site", "node-3", "3"] {
            assert_eq!(naming().find(name), None, "{name}");
        }
    }

    #[test]
    fn overlaps_are_seen() {
        assert_eq!(naming().repeated(), None);
        assert_eq!(naming().clash(&Naming::counted("node-", ".site", 1)), Some(0));
        assert_eq!(naming().clash(&Naming::counted("other-", ".site", 1)), None);
    }
}
