//! Grids of ranks for algorithms on meshes, as STAR-MPI finds them.

/// Rows and columns, at least as many of these, as equal as possible; none for primes.
pub(crate) fn square(ranks: u32) -> Option<(u32, u32)> {
    let side = (ranks.isqrt()..=ranks / 2).find(|side| *side > 0 && ranks.is_multiple_of(*side))?;
    let other = ranks / side;
    Some((side.min(other), side.max(other)))
}

/// The side of square layers, and how many layers there are.
pub(crate) fn cube(ranks: u32) -> Option<(u32, u32)> {
    let root = (1..).take_while(|side: &u32| side.pow(3) <= ranks).last().unwrap_or(1);
    let side = (root..=ranks / 3).find(|side| ranks.is_multiple_of(side.saturating_mul(*side)))?;
    Some((side, ranks / (side * side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_nearly_square() {
        assert_eq!(square(64), Some((8, 8)));
        assert_eq!(square(12), Some((3, 4)));
        assert_eq!(square(13), None);
        assert_eq!(square(1), None);
        assert_eq!(cube(64), Some((4, 4)));
        assert_eq!(cube(16), Some((2, 4)));
        assert_eq!(cube(13), None);
    }
}
