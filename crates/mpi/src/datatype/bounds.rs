//! Where bytes lie around a buffer's address.

/// A lower and an upper bound in bytes. With explicit bounds the upper may be the smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i64,
    pub(super) upper: i64,
}

impl Bounds {
    /// Moved by `displacement` bytes; `None` past the range of addresses.
    pub(super) fn shifted(self, displacement: i64) -> Option<Bounds> {
        let lower = self.lower.checked_add(displacement)?;
        Some(Bounds { lower, upper: self.upper.checked_add(displacement)? })
    }

    /// Around `count` copies that are `step` bytes apart.
    pub(super) fn repeated(self, count: u64, step: i64) -> Option<Bounds> {
        let last = i64::try_from(count.saturating_sub(1)).ok()?.checked_mul(step)?;
        Some(self.around(self.shifted(last)?))
    }

    /// Around both.
    pub(super) fn around(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// From the lower bound to the upper one.
    pub(super) fn extent(self) -> Option<i64> {
        self.upper.checked_sub(self.lower)
    }

    /// With the upper bound raised so that the extent is a multiple of `alignment`, as a compiler
    /// pads a structure. MPI 4.1 section 5.1.7.
    pub(super) fn padded(self, alignment: u64) -> Option<Bounds> {
        let extent = self.extent()?;
        let padding = (alignment as i64 - extent % alignment as i64) % alignment as i64;
        Some(Bounds { lower: self.lower, upper: self.upper.checked_add(padding)? })
    }
}

/// What surrounds both, where either may be nothing.
pub(super) fn around(one: Option<Bounds>, other: Option<Bounds>) -> Option<Bounds> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.around(other)),
        (one, other) => one.or(other),
    }
}
