//! The predefined operations on packed elements of predefined datatypes. MPI 4.1 section 6.9.2.
//!
//! Beyond the standard, `MPI_CHAR` counts as an integer and logical operations take every integer,
//! as MPICH and Open MPI have it.

use foretell_mpi::datatype::{Basic, Format, Kind};

use super::complex::{Complex, Part};
use super::extended::Extended;
use super::half::Half;
use super::number::{Arithmetic, Bits, Ordered, each};
use super::pair;
use super::quad::Quad;
use crate::abi::*;

/// Replaces each right element by `left op right`.
pub(crate) type Apply = fn(&[u8], &mut [u8]);

/// How an operation combines elements; none if it is not defined for them.
pub(super) fn apply(op: MPI_Op, basic: Basic) -> Option<Apply> {
    match op {
        MPI_REPLACE => return Some(replace),
        MPI_NO_OP => return Some(no_op),
        _ => {}
    }
    match (basic.kind(), basic.size()) {
        (Kind::Signed, 1) => integer::<i8>(op),
        (Kind::Signed, 2) => integer::<i16>(op),
        (Kind::Signed, 4) => integer::<i32>(op),
        (Kind::Signed, 8) => integer::<i64>(op),
        (Kind::Signed, 16) => integer::<i128>(op),
        (Kind::Unsigned, 1) => integer::<u8>(op),
        (Kind::Unsigned, 2) => integer::<u16>(op),
        (Kind::Unsigned, 4) => integer::<u32>(op),
        (Kind::Unsigned, 8) => integer::<u64>(op),
        (Kind::Character, _) if basic == Basic::Char => integer::<i8>(op),
        (Kind::Bytes, _) if basic == Basic::Byte => bits::<u8>(op),
        (Kind::Logical, 1) => logical::<u8>(op),
        (Kind::Logical, 2) => logical::<u16>(op),
        (Kind::Logical, 4) => logical::<u32>(op),
        (Kind::Logical, 8) => logical::<u64>(op),
        (Kind::Logical, 16) => logical::<u128>(op),
        (Kind::Real(Format::Half), _) => real::<Half>(op),
        (Kind::Real(Format::Single), _) => real::<f32>(op),
        (Kind::Real(Format::Double), _) => real::<f64>(op),
        (Kind::Real(Format::Extended), _) => real::<Extended>(op),
        (Kind::Real(Format::Quad), _) => real::<Quad>(op),
        (Kind::Complex(Format::Half), _) => complex::<Half>(op),
        (Kind::Complex(Format::Single), _) => complex::<f32>(op),
        (Kind::Complex(Format::Double), _) => complex::<f64>(op),
        (Kind::Complex(Format::Extended), _) => complex::<Extended>(op),
        (Kind::Complex(Format::Quad), _) => complex::<Quad>(op),
        (Kind::Pair(value, index), _) => pair::apply(op, value, index),
        _ => None,
    }
}

/// `MPI_REPLACE`: what comes takes the place of what is there.
pub(super) fn replace(left: &[u8], right: &mut [u8]) {
    right.copy_from_slice(left);
}

/// `MPI_NO_OP`: what is there stays.
pub(super) fn no_op(_: &[u8], _: &mut [u8]) {}

fn integer<T: Arithmetic + Ordered + Bits>(op: MPI_Op) -> Option<Apply> {
    real::<T>(op).or_else(|| bits::<T>(op)).or_else(|| logical::<T>(op))
}

fn real<T: Arithmetic + Ordered>(op: MPI_Op) -> Option<Apply> {
    Some(match op {
        MPI_SUM => |left, right| each(left, right, T::plus),
        MPI_PROD => |left, right| each(left, right, T::times),
        MPI_MIN => |left, right| each(left, right, T::least),
        MPI_MAX => |left, right| each(left, right, T::most),
        _ => return None,
    })
}

fn complex<R: Part>(op: MPI_Op) -> Option<Apply> {
    Some(match op {
        MPI_SUM => |left, right| each(left, right, Complex::<R>::plus),
        MPI_PROD => |left, right| each(left, right, Complex::<R>::times),
        _ => return None,
    })
}

fn bits<T: Bits>(op: MPI_Op) -> Option<Apply> {
    Some(match op {
        MPI_BAND => |left, right| each(left, right, T::and),
        MPI_BOR => |left, right| each(left, right, T::or),
        MPI_BXOR => |left, right| each(left, right, T::xor),
        _ => return None,
    })
}

fn logical<T: Bits>(op: MPI_Op) -> Option<Apply> {
    Some(match op {
        MPI_LAND => |left, right| each(left, right, T::both),
        MPI_LOR => |left, right| each(left, right, T::either),
        MPI_LXOR => |left, right| each(left, right, T::one),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_defined_where_the_standard_says() {
        let defined = |basic: Basic| -> Vec<&str> {
            let defined = PREDEFINED_OPS.iter().filter(|(op, _)| apply(*op, basic).is_some());
            defined.map(|(_, name)| &name[4..]).collect()
        };
        let both = ["REPLACE", "NO_OP"];
        assert_eq!(defined(Basic::Double), [&["SUM", "MIN", "MAX", "PROD"], &both[..]].concat());
        assert_eq!(defined(Basic::Complex32), [&["SUM", "PROD"], &both[..]].concat());
        assert_eq!(defined(Basic::CBool), [&["LAND", "LOR", "LXOR"], &both[..]].concat());
        assert_eq!(defined(Basic::Byte), [&["BAND", "BOR", "BXOR"], &both[..]].concat());
        assert_eq!(defined(Basic::LongDoubleInt), [&["MINLOC", "MAXLOC"], &both[..]].concat());
        assert_eq!(defined(Basic::Packed), both);
        assert_eq!(defined(Basic::Int).len(), 12);
    }

    #[test]
    fn operations_reach_the_last_element() {
        let (left, mut right) = (vec![3_u8; 37], vec![4_u8; 37]);
        apply(MPI_SUM, Basic::Uint8).unwrap()(&left, &mut right);
        assert_eq!(right, [7; 37]);
    }
}
