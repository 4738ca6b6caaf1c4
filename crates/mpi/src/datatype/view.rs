//! Views of files: which bytes of a file a rank sees, and in which order. MPI 4.1 section 14.3.
//!
//! A filetype is repeated without end from a displacement on; its bytes of data, one behind the
//! other, are what the rank sees. A position is a byte in that sequence.

use std::ops::Range;

use super::Datatype;

/// What a rank sees of a file.
#[derive(Debug, Clone)]
pub struct View {
    displacement: i64,
    filetype: Datatype,
}

/// Why a datatype is no part of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ViewMistake {
    /// Files begin at zero.
    #[error("has data at negative displacements")]
    Negative,
    /// A view goes through a file in one direction.
    #[error("has displacements that decrease")]
    Decreasing,
    /// A byte that is written twice would have no value.
    #[error("has parts that overlap, which only a file that is read may be seen through")]
    Overlapping,
}

impl View {
    /// The bytes of copies of `filetype`, from byte `displacement` of the file on.
    pub fn new(displacement: i64, filetype: Datatype) -> View {
        View { displacement, filetype }
    }

    /// Where in the file it begins.
    pub fn displacement(&self) -> i64 {
        self.displacement
    }

    /// Whether nothing is seen at all.
    pub fn is_empty(&self) -> bool {
        self.filetype.size() == 0
    }

    /// Visits the runs of bytes of the file, first byte and length, where the positions `range`
    /// lie. Runs that touch are given as one.
    pub fn for_each_run(&self, range: Range<u64>, mut visit: impl FnMut(i64, u64)) {
        if self.is_empty() || range.is_empty() {
            return;
        }
        // Whole copies before the first byte are left out, so that counts stay small.
        let size = self.filetype.size();
        let skipped = range.start / size;
        let start = self.displacement + skipped as i64 * self.filetype.extent();
        let range = range.start - skipped * size..range.end - skipped * size;
        let mut last: Option<(i64, u64)> = None;
        self.filetype.for_each_run(range.end.div_ceil(size) as i64, range, |offset, bytes| {
            let offset = start + offset;
            last = match last {
                Some((begin, length)) if begin + length as i64 == offset => {
                    Some((begin, length + bytes))
                }
                before => {
                    if let Some((begin, length)) = before {
                        visit(begin, length);
                    }
                    Some((offset, bytes))
                }
            };
        });
        if let Some((begin, length)) = last {
            visit(begin, length);
        }
    }

    /// The byte of the file at a position; nothing if the view is empty.
    pub fn offset(&self, position: u64) -> Option<i64> {
        let mut found = None;
        self.for_each_run(position..position + 1, |offset, _| found = Some(offset));
        found
    }

    /// The first position that is not before byte `offset` of the file.
    pub fn position(&self, offset: i64) -> u64 {
        // Every byte that is seen is a byte of the file, so there are no more than those.
        let most = u64::try_from(offset.saturating_sub(self.displacement)).unwrap_or(0);
        let is_before = |position| self.offset(position).is_some_and(|at| at < offset);
        let mut range = 0..most;
        while range.start < range.end {
            let middle = range.start + (range.end - range.start) / 2;
            match is_before(middle) {
                true => range.start = middle + 1,
                false => range.end = middle,
            }
        }
        range.start
    }
}

impl Datatype {
    /// That the datatype can be an etype or a filetype: its data lies behind the displacement and
    /// in order. Parts that overlap are for reading only.
    pub fn check_view(&self, is_written: bool) -> Result<(), ViewMistake> {
        let (mut begin, mut end) = (0, 0);
        let mut outcome = Ok(());
        self.layout(1).for_each_group(0..self.size(), |group| {
            let stride = if group.count > 1 { group.stride } else { i64::MAX };
            let mistake = match () {
                () if group.offset < 0 => Some(ViewMistake::Negative),
                () if group.offset < begin || stride < 0 => Some(ViewMistake::Decreasing),
                () if is_written && (group.offset < end || stride < group.bytes as i64) => {
                    Some(ViewMistake::Overlapping)
                }
                () => None,
            };
            begin =
                group.offset + if group.count > 1 { stride * (group.count as i64 - 1) } else { 0 };
            end = begin + group.bytes as i64;
            outcome = outcome.and(mistake.map_or(Ok(()), Err));
        });
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::Basic;
    use proptest::prelude::*;

    fn runs(view: &View, range: Range<u64>) -> Vec<(i64, u64)> {
        let mut runs = Vec::new();
        view.for_each_run(range, |offset, bytes| runs.push((offset, bytes)));
        runs
    }

    #[test]
    fn a_view_of_every_third_int_skips_the_others() {
        let third = Datatype::from(Basic::Int).resized(0, 12).unwrap();
        let view = View::new(4, third);
        assert_eq!(runs(&view, 0..8), [(4, 4), (16, 4)]);
        assert_eq!(runs(&view, 6..10), [(18, 2), (28, 2)]);
        assert_eq!(view.offset(8), Some(28));
        assert_eq!([0, 4, 5, 8, 17, 100].map(|end| view.position(end)), [0, 0, 1, 4, 5, 32]);
    }

    #[test]
    fn what_touches_is_one_run() {
        let view = View::new(10, Basic::Int.into());
        assert_eq!(runs(&view, 0..4000), [(10, 4000)]);
        assert_eq!(runs(&view, 1 << 40..(1 << 40) + 5), [((1 << 40) + 10, 5)]);
    }

    #[test]
    fn a_view_of_nothing_has_no_bytes() {
        let view = View::new(0, Datatype::contiguous(0, &Basic::Int.into()).unwrap());
        assert!(view.is_empty() && runs(&view, 0..10).is_empty());
        assert_eq!((view.offset(0), view.position(7)), (None, 0));
    }

    #[test]
    fn datatypes_that_go_back_are_no_views() {
        let int = Datatype::from(Basic::Int);
        let check = |blocks: &[i64], places: &[i64], is_written| {
            Datatype::indexed(blocks, places, &int).unwrap().check_view(is_written)
        };
        assert_eq!(check(&[1, 1], &[0, 2], true), Ok(()));
        assert_eq!(check(&[1, 1], &[-2, 2], false), Err(ViewMistake::Negative));
        assert_eq!(check(&[1, 1], &[3, 0], false), Err(ViewMistake::Decreasing));
        assert_eq!(check(&[3, 1], &[0, 1], true), Err(ViewMistake::Overlapping));
        assert_eq!(check(&[3, 1], &[0, 1], false), Ok(()));
        let back = Datatype::vector(3, 1, -2, &int).unwrap().resized(0, 40).unwrap();
        let back = Datatype::hindexed(&[1], &[40], &back).unwrap();
        assert_eq!(back.check_view(false), Err(ViewMistake::Decreasing));
    }

    /// Blocks with holes between them, and a hole at the end.
    fn filetypes() -> impl Strategy<Value = Datatype> {
        let parts = prop::collection::vec((0_i64..5, 0_i64..4), 1..6);
        (parts, 0_i64..7, prop::sample::select(vec![Basic::Byte, Basic::Int])).prop_map(
            |(parts, tail, basic)| {
                let (mut at, mut places, mut blocks) = (0, Vec::new(), Vec::new());
                for (hole, length) in parts {
                    places.push(at + hole);
                    blocks.push(length);
                    at += hole + length;
                }
                let parts = Datatype::indexed(&blocks, &places, &basic.into()).unwrap();
                let extent = (at + tail).max(1) * basic.extent() as i64;
                parts.resized(0, extent).unwrap()
            },
        )
    }

    /// The bytes of the file that a view shows, found one by one: copy after copy, and in each
    /// the bytes that the datatype has.
    fn naive(filetype: &Datatype, displacement: i64, count: usize) -> Vec<i64> {
        let mut one = Vec::new();
        filetype.for_each_basic(1, |basic, offset| {
            one.extend((0..basic.size() as i64).map(|byte| offset + byte));
        });
        let copies = (0..).map(|copy| displacement + copy * filetype.extent());
        let all = copies.flat_map(|start| one.iter().map(move |byte| start + byte));
        if one.is_empty() { Vec::new() } else { all.take(count).collect() }
    }

    proptest! {
        #[test]
        fn runs_are_the_bytes_found_one_by_one(
            filetype in filetypes(), displacement in 0_i64..100, start in 0_usize..60,
            length in 0_usize..80,
        ) {
            prop_assert_eq!(filetype.check_view(true), Ok(()));
            let view = View::new(displacement, filetype.clone());
            let expected = naive(&filetype, displacement, start + length);
            let mut found = Vec::new();
            let runs = runs(&view, start as u64..(start + length) as u64);
            for (offset, bytes) in &runs {
                found.extend(*offset..offset + *bytes as i64);
            }
            prop_assert_eq!(found.as_slice(), expected.get(start..).unwrap_or_default());
            // Runs never touch.
            for pair in runs.windows(2) {
                prop_assert!(pair[0].0 + (pair[0].1 as i64) < pair[1].0);
            }
        }

        #[test]
        fn positions_and_offsets_are_each_others_way_back(
            filetype in filetypes(), displacement in 0_i64..100, end in 0_i64..300,
        ) {
            let view = View::new(displacement, filetype.clone());
            let bytes = naive(&filetype, displacement, 500);
            let before = bytes.iter().filter(|byte| **byte < end).count();
            prop_assert_eq!(view.position(end), before as u64);
            for (position, byte) in bytes.iter().enumerate() {
                prop_assert_eq!(view.offset(position as u64), Some(*byte));
                prop_assert_eq!(view.position(*byte), position as u64);
            }
        }
    }
}
