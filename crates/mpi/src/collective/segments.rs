//! Cutting a payload into segments that follow each other through a pipeline.

use std::ops::Range;

/// Consecutive ranges of `segment` bytes, the last of which may be shorter. Nothing to cut is one
/// empty range; a segment of 0 bytes is all at once.
pub(crate) fn segments(bytes: u64, segment: u64) -> impl ExactSizeIterator<Item = Range<u64>> {
    let segment = if segment == 0 { bytes.max(1) } else { segment };
    let count = bytes.div_ceil(segment).max(1) as usize;
    (0..count).map(move |number| {
        let start = number as u64 * segment;
        start..(start + segment).min(bytes)
    })
}

/// A segment of about so many bytes and whole elements, at least one.
pub(crate) fn whole_elements(segment: u64, element: u64) -> u64 {
    (segment / element).max(1) * element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_segment_takes_what_is_left() {
        let cut = |bytes, segment| segments(bytes, segment).collect::<Vec<_>>();
        assert_eq!(cut(10, 4), [0..4, 4..8, 8..10]);
        assert_eq!(cut(8, 4), [0..4, 4..8]);
        assert_eq!(segments(0, 4).next(), Some(0..0));
        assert_eq!(segments(9, 0).next(), Some(0..9));
    }

    #[test]
    fn elements_are_not_cut() {
        assert_eq!((whole_elements(10, 4), whole_elements(1, 16)), (8, 16));
    }
}
