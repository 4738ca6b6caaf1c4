//! Sorting records that are nearly sorted.

/// A record: its date, its number among those of the same date, and where it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) date: u64,
    pub(super) nth: u32,
    pub(super) at: u32,
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
    /// Sorts by date, and records of one date by their numbers, in the order of which they came.
    /// The first ones are in their order already.
    pub(super) fn sort(&mut self, lines: &mut [Line], sorted: usize) {
        let mut rest = self.deal(&lines[sorted..]);
        let mut first = sorted;
        // From behind, so that each of the first ones moves once.
        for place in (0..lines.len()).rev() {
            let Some((last, before)) = rest.split_last() else { break };
            if first > 0 && lines[first - 1].date > last.date {
                first -= 1;
                lines[place] = lines[first];
            } else {
                lines[place] = *last;
                rest = before;
            }
        }
    }

    /// Records are dealt into buckets by their dates, in the order in which they came. That leaves
    /// little to do, since most of them were nearly in place: a general sort would not notice.
    fn deal(&mut self, lines: &[Line]) -> &[Line] {
        let Self { places, dealt } = self;
        let bounds =
            |(first, last): (u64, u64), line: &Line| (first.min(line.date), last.max(line.date));
        let (first, last) = lines.iter().fold((u64::MAX, 0), bounds);
        if first > last {
            return &[];
        }
        let most = (lines.len() as u64 / 2).next_power_of_two();
        let shift = ((last - first) / most).checked_ilog2().map_or(0, |bits| bits + 1);
        let bucket = |line: &Line| ((line.date - first) >> shift) as usize;
        places.clear();
        places.resize(((last - first) >> shift) as usize + 2, 0);
        lines.iter().for_each(|line| places[bucket(line) + 1] += 1);
        let mut sum = 0;
        for place in places.iter_mut() {
            sum += *place;
            *place = sum;
        }
        if dealt.len() < lines.len() {
            dealt.resize(lines.len(), Line::default());
        }
        for line in lines {
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
        &dealt[..lines.len()]
    }
}

/// Sorts a few records that came in the order of their numbers.
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
        fn the_order_is_that_of_any_other_sort(
            dates in prop::collection::vec(0_u64..1 << 40, 0..500),
            spread in 0_u32..40,
            sorted in 0_usize..500,
        ) {
            let mut lines: Vec<Line> = (0..).zip(&dates)
                .map(|(nth, date)| Line { date: date >> spread, nth, at: 1000 - nth })
                .collect();
            let mut expected = lines.clone();
            expected.sort();
            let sorted = sorted.min(lines.len());
            lines[..sorted].sort();
            (0..).zip(&mut lines).for_each(|(nth, line)| line.nth = nth);
            let mut order = Order::default();
            order.sort(&mut lines, sorted);
            let places = |lines: &[Line]| -> Vec<(u64, u32)> {
                lines.iter().map(|line| (line.date, line.at)).collect()
            };
            prop_assert_eq!(places(&lines), places(&expected));
        }
    }
}
