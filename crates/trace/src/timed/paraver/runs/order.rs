//! Sorting records that are nearly sorted.

use std::mem;

/// A record: its date, and where in the text it begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) date: u64,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Line {
    pub(super) fn of(self, text: &[u8]) -> &[u8] {
        &text[self.start as usize..self.end as usize]
    }

    /// Adds it to another text, in steps of a fixed size: most records are one or two of them.
    #[inline]
    pub(super) fn copy(self, text: &[u8], to: &mut Vec<u8>) {
        const STEP: usize = 64;
        let length = to.len() + (self.end - self.start) as usize;
        for at in (self.start as usize..self.end as usize).step_by(STEP) {
            match text[at..].first_chunk::<STEP>() {
                Some(step) => to.extend_from_slice(step),
                None => to.extend_from_slice(&text[at..self.end as usize]),
            }
        }
        to.truncate(length);
    }
}

/// From this many records of one bucket on a general sort is used.
const MANY: usize = 32;

/// Puts records in order, and keeps the memory that it needs for it.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Where each bucket begins; while records are dealt, where its next one goes.
    places: Vec<u32>,
    dealt: Vec<Line>,
}

impl Order {
    /// Sorts by date, and records of one date by where they begin.
    ///
    /// Records are dealt into buckets by their dates, in the order in which they came. That leaves
    /// little to do, since most of them were nearly in place: a general sort would not notice.
    pub(super) fn sort(&mut self, lines: &mut Vec<Line>) {
        let dates = lines.iter().map(|line| line.date);
        let (Some(first), Some(last)) = (dates.clone().min(), dates.max()) else { return };
        let most = lines.len().next_power_of_two() as u64;
        let shift = ((last - first) / most).checked_ilog2().map_or(0, |bits| bits + 1);
        let bucket = |line: &Line| ((line.date - first) >> shift) as usize;
        let Self { places, dealt } = self;
        places.clear();
        places.resize(((last - first) >> shift) as usize + 2, 0);
        lines.iter().for_each(|line| places[bucket(line) + 1] += 1);
        let mut sum = 0;
        for place in places.iter_mut() {
            sum += *place;
            *place = sum;
        }
        dealt.resize(lines.len(), Line { date: 0, start: 0, end: 0 });
        for line in lines.iter() {
            let place = &mut places[bucket(line)];
            dealt[*place as usize] = *line;
            *place += 1;
        }
        // Each bucket now tells where it ends.
        let mut start = 0;
        for end in places.iter() {
            let bucket = &mut dealt[start as usize..*end as usize];
            match bucket.len() {
                0 | 1 => {}
                few if few < MANY => insert(bucket),
                _ if bucket.is_sorted() => {}
                _ => bucket.sort_unstable(),
            }
            start = *end;
        }
        mem::swap(lines, dealt);
    }
}

/// Sorts a few records that came in the order of their beginnings.
fn insert(lines: &mut [Line]) {
    for at in 1..lines.len() {
        let line = lines[at];
        let mut place = at;
        while place > 0 && lines[place - 1].date > line.date {
            lines[place] = lines[place - 1];
            place -= 1;
        }
        lines[place] = line;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_any_other_sort(dates in prop::collection::vec(0_u64..1 << 40, 0..500), spread in 0_u32..40) {
            let mut lines: Vec<Line> = (0..).zip(&dates)
                .map(|(start, date)| Line { date: date >> spread, start, end: start + 1 })
                .collect();
            let mut expected = lines.clone();
            expected.sort();
            Order::default().sort(&mut lines);
            prop_assert_eq!(lines, expected);
        }
    }
}
