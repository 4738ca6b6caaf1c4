//! Types that are looked up by what they can hold: Fortran's kinds, pairs of value and index.
//!
//! MPI 4.1 sections 19.1.9 and 6.9.4. The kinds are gfortran's on x86-64: reals of 4, 8, 10 and
//! 16 bytes, integers of 1 to 16.

use super::Datatype;
use super::basic::Basic;
use super::recipe::Recipe;
use crate::error::{Error, Result};

/// What a Fortran real has to offer, as for `selected_real_kind`; at least one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    /// Decimal digits; none for `MPI_UNDEFINED`.
    pub digits: Option<i32>,
    /// Decimal exponent; none for `MPI_UNDEFINED`.
    pub range: Option<i32>,
}

impl Datatype {
    /// `MPI_Type_create_f90_integer`: an integer of so many decimal digits.
    pub fn f90_integer(digits: i32) -> Result<Datatype> {
        Datatype::new(Recipe::F90Integer(digits))
    }

    /// `MPI_Type_create_f90_real`: a real with these digits and exponents.
    pub fn f90_real(digits: Option<i32>, range: Option<i32>) -> Result<Datatype> {
        Datatype::new(Recipe::F90Real(Precision { digits, range }))
    }

    /// `MPI_Type_create_f90_complex`: two reals with these digits and exponents.
    pub fn f90_complex(digits: Option<i32>, range: Option<i32>) -> Result<Datatype> {
        Datatype::new(Recipe::F90Complex(Precision { digits, range }))
    }

    /// `MPI_Type_get_value_index`: the pair of a value and an index, for reductions that look for
    /// a place. Has a name of its own if MPI gives it one.
    pub fn value_index(value: Basic, index: Basic) -> Result<Datatype> {
        match Basic::pair(value, index) {
            Some(pair) => Ok(pair.into()),
            None => Datatype::new(Recipe::ValueIndex { value: value.into(), index: index.into() }),
        }
    }
}

pub(super) fn integer(digits: i32) -> Result<Basic> {
    Ok(match digits {
        ..=2 => Basic::Integer1,
        3..=4 => Basic::Integer2,
        5..=9 => Basic::Integer4,
        10..=18 => Basic::Integer8,
        19..=38 => Basic::Integer16,
        _ => return Err(Error::BadArgument(format!("no Fortran integer has {digits} digits"))),
    })
}

pub(super) fn real(precision: Precision) -> Result<Basic> {
    let kinds = [Basic::Real4, Basic::Real8, Basic::LongDouble, Basic::Real16];
    kind(precision).map(|kind| kinds[kind])
}

pub(super) fn complex(precision: Precision) -> Result<Basic> {
    let kinds = [Basic::Complex8, Basic::Complex16, Basic::CLongDoubleComplex, Basic::Complex32];
    kind(precision).map(|kind| kinds[kind])
}

/// The number of the smallest kind that has the digits and exponents.
fn kind(precision: Precision) -> Result<usize> {
    const KINDS: [(i32, i32); 4] = [(6, 37), (15, 307), (18, 4931), (33, 4931)];
    let Precision { digits, range } = precision;
    if digits.is_none() && range.is_none() {
        let message = "a Fortran real needs digits or a range of exponents";
        return Err(Error::BadArgument(message.into()));
    }
    let (digits, range) = (digits.unwrap_or(0), range.unwrap_or(0));
    let suffices = |kind: &(i32, i32)| digits <= kind.0 && range <= kind.1;
    KINDS.iter().position(suffices).ok_or_else(|| {
        let message = format!("no Fortran real has {digits} digits and exponents up to {range}");
        Error::BadArgument(message)
    })
}

/// The structure that C lays out for a value and an index.
pub(super) fn value_index(value: &Datatype, index: &Datatype) -> Result<Datatype> {
    let place = value.extent().max(0) as u64;
    let place = place.next_multiple_of(index.measure().alignment) as i64;
    Datatype::structure(&[1, 1], &[0, place], &[value.clone(), index.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(made: Result<Datatype>, expected: Basic) {
        let made = made.unwrap();
        let named = Datatype::from(expected);
        assert_eq!((made.size(), made.signature(1)), (named.size(), named.signature(1)));
    }

    #[test]
    fn kinds_are_the_smallest_that_suffice() {
        check(Datatype::f90_integer(2), Basic::Integer1);
        check(Datatype::f90_integer(9), Basic::Integer4);
        check(Datatype::f90_integer(10), Basic::Integer8);
        check(Datatype::f90_real(Some(6), Some(37)), Basic::Real4);
        check(Datatype::f90_real(Some(15), None), Basic::Real8);
        check(Datatype::f90_real(None, Some(38)), Basic::Real8);
        check(Datatype::f90_real(Some(16), None), Basic::LongDouble);
        check(Datatype::f90_complex(Some(33), Some(4931)), Basic::Complex32);
    }

    #[test]
    fn impossible_kinds_are_refused() {
        assert!(Datatype::f90_integer(39).is_err());
        assert!(Datatype::f90_real(Some(34), None).is_err());
        assert!(Datatype::f90_complex(None, None).is_err());
    }

    #[test]
    fn pairs_without_a_name_are_structures() {
        check(Datatype::value_index(Basic::Double, Basic::Int), Basic::DoubleInt);
        let pair = Datatype::value_index(Basic::Short, Basic::Long).unwrap();
        assert_eq!((pair.size(), pair.extent()), (10, 16));
    }
}
