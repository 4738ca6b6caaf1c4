//! `MPI_MINLOC` and `MPI_MAXLOC`: a value and where it was. MPI 4.1 section 6.9.4.

use foretell_mpi::datatype::{Basic, Format, Kind};

use super::extended::Extended;
use super::half::Half;
use super::number::{Ordered, Plain, each};
use super::predefined::{Apply, no_op, replace};
use super::quad::Quad;
use crate::abi::*;

/// A value and its index, packed.
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Pair<V, I> {
    value: V,
    index: I,
}

// SAFETY: two members of which every pattern of bits is a value, without holes.
unsafe impl<V: Plain, I: Plain> Plain for Pair<V, I> {}

impl<V: Ordered, I: Ordered> Pair<V, I> {
    /// The one with the lesser value; of equal ones, the one with the lesser index.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.first(other, self.value.is_below(other.value), other.value.is_below(self.value))
    }

    /// The one with the greater value; of equal ones, the one with the lesser index.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        self.first(other, other.value.is_below(self.value), self.value.is_below(other.value))
    }

    #[inline(always)]
    fn first(self, other: Self, is_self: bool, is_other: bool) -> Self {
        match (is_self, is_other) {
            (true, _) => self,
            (false, true) => other,
            (false, false) => Pair { value: other.value, index: self.index.least(other.index) },
        }
    }
}

/// How an operation combines pairs; none if it is not for pairs or these are none.
pub(super) fn apply(op: MPI_Op, value: Basic, index: Basic) -> Option<Apply> {
    match (value.kind(), value.size()) {
        (Kind::Signed, 1) => with::<i8>(op, index),
        (Kind::Signed, 2) => with::<i16>(op, index),
        (Kind::Signed, 4) => with::<i32>(op, index),
        (Kind::Signed, 8) => with::<i64>(op, index),
        (Kind::Signed, 16) => with::<i128>(op, index),
        (Kind::Unsigned, 1) => with::<u8>(op, index),
        (Kind::Unsigned, 2) => with::<u16>(op, index),
        (Kind::Unsigned, 4) => with::<u32>(op, index),
        (Kind::Unsigned, 8) => with::<u64>(op, index),
        (Kind::Real(Format::Half), _) => with::<Half>(op, index),
        (Kind::Real(Format::Single), _) => with::<f32>(op, index),
        (Kind::Real(Format::Double), _) => with::<f64>(op, index),
        (Kind::Real(Format::Extended), _) => with::<Extended>(op, index),
        (Kind::Real(Format::Quad), _) => with::<Quad>(op, index),
        _ => None,
    }
}

fn with<V: Ordered>(op: MPI_Op, index: Basic) -> Option<Apply> {
    match (index.kind(), index.size()) {
        (Kind::Signed, 1) => of::<V, i8>(op),
        (Kind::Signed, 2) => of::<V, i16>(op),
        (Kind::Signed, 4) => of::<V, i32>(op),
        (Kind::Signed, 8) => of::<V, i64>(op),
        (Kind::Signed, 16) => of::<V, i128>(op),
        (Kind::Unsigned, 1) => of::<V, u8>(op),
        (Kind::Unsigned, 2) => of::<V, u16>(op),
        (Kind::Unsigned, 4) => of::<V, u32>(op),
        (Kind::Unsigned, 8) => of::<V, u64>(op),
        (Kind::Real(Format::Single), _) => of::<V, f32>(op),
        (Kind::Real(Format::Double), _) => of::<V, f64>(op),
        _ => None,
    }
}

fn of<V: Ordered, I: Ordered>(op: MPI_Op) -> Option<Apply> {
    Some(match op {
        MPI_MINLOC => |left, right| each(left, right, Pair::<V, I>::least),
        MPI_MAXLOC => |left, right| each(left, right, Pair::<V, I>::most),
        MPI_REPLACE => replace,
        MPI_NO_OP => no_op,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: MPI_Op, left: (f64, i32), right: (f64, i32), expected: (f64, i32)) {
        let packed = |(value, index): (f64, i32)| {
            let mut bytes = value.to_ne_bytes().to_vec();
            bytes.extend(index.to_ne_bytes());
            bytes
        };
        let mut result = packed(right);
        apply(op, Basic::Double, Basic::Int).unwrap()(&packed(left), &mut result);
        assert_eq!(result, packed(expected));
    }

    #[test]
    fn the_value_decides_and_then_the_lesser_index() {
        check(MPI_MAXLOC, (2.0, 7), (1.0, 3), (2.0, 7));
        check(MPI_MAXLOC, (1.0, 7), (2.0, 9), (2.0, 9));
        check(MPI_MAXLOC, (2.0, 7), (2.0, 3), (2.0, 3));
        check(MPI_MINLOC, (2.0, 7), (1.0, 3), (1.0, 3));
        check(MPI_MINLOC, (2.0, 1), (2.0, 3), (2.0, 1));
    }
}
