//! Sorting records that are nearly sorted.

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
}

/// From this many records of one bucket on a general sort is used.
const MANY: usize = 32;

/// Sorts by date, and records of one date by where they begin.
///
/// Records are dealt into buckets by their dates, in the order in which they came. That leaves
/// little to do, since most of them were nearly in place: a general sort would not notice.
pub(super) fn sort(lines: &mut Vec<Line>) {
    let dates = lines.iter().map(|line| line.date);
    let (Some(first), Some(last)) = (dates.clone().min(), dates.max()) else { return };
    let most = lines.len().next_power_of_two() as u64;
    let shift = ((last - first) / most).checked_ilog2().map_or(0, |bits| bits + 1);
    let bucket = |line: &Line| ((line.date - first) >> shift) as usize;
    // Where each bucket begins.
    let mut starts = vec![0_u32; ((last - first) >> shift) as usize + 2];
    lines.iter().for_each(|line| starts[bucket(line) + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let mut places = starts.clone();
    let mut dealt = vec![Line { date: 0, start: 0, end: 0 }; lines.len()];
    for line in lines.iter() {
        let place = &mut places[bucket(line)];
        dealt[*place as usize] = *line;
        *place += 1;
    }
    for pair in starts.windows(2) {
        let bucket = &mut dealt[pair[0] as usize..pair[1] as usize];
        match bucket.len() {
            0 | 1 => {}
            few if few < MANY => insert(bucket),
            _ if bucket.is_sorted() => {}
            _ => bucket.sort_unstable(),
        }
    }
    *lines = dealt;
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
            sort(&mut lines);
            prop_assert_eq!(lines, expected);
        }
    }
}
