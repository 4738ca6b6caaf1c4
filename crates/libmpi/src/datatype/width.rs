//! Integers of C calls: `int` in ordinary functions, `MPI_Aint` and `MPI_Count` in large ones.
//! Behind the calls all have 64 bits.

use std::ffi::c_int;

use crate::abi::*;
use crate::failure::{Failure, bad};
use crate::pointer::In;

/// An integer of one of the three types.
pub(crate) trait Width: Copy {
    /// Its value.
    fn wide(self) -> i64;

    /// A result of this type, or `MPI_UNDEFINED` if it cannot hold the value.
    fn told(value: i64) -> Self;
}

impl Width for c_int {
    fn wide(self) -> i64 {
        i64::from(self)
    }

    fn told(value: i64) -> Self {
        value.try_into().unwrap_or(MPI_UNDEFINED)
    }
}

impl Width for MPI_Aint {
    fn wide(self) -> i64 {
        self as i64
    }

    fn told(value: i64) -> Self {
        value as MPI_Aint
    }
}

impl Width for MPI_Count {
    fn wide(self) -> i64 {
        self
    }

    fn told(value: i64) -> Self {
        value
    }
}

/// A number of things, which cannot be negative.
pub(crate) fn count(count: impl Width) -> Result<i64, Failure> {
    match count.wide() {
        count @ 0.. => Ok(count),
        count => {
            bad(MPI_ERR_COUNT, format!("a count of {count} is negative: counts are 0 or more"))
        }
    }
}

/// The numbers of an array.
pub(crate) fn list<T: Width>(
    array: In<T>,
    length: i64,
    argument: &str,
) -> Result<Vec<i64>, Failure> {
    let array = array.given(length as usize, argument)?;
    Ok(array.slice(length as usize).iter().map(|number| number.wide()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_int_cannot_hold_is_undefined() {
        assert_eq!(c_int::told(7), 7);
        assert_eq!(c_int::told(1 << 31), MPI_UNDEFINED);
        assert_eq!(MPI_Count::told(1 << 31), 1 << 31);
        assert_eq!(MPI_Aint::told(-8), -8);
    }

    #[test]
    fn negative_counts_are_refused() {
        assert_eq!(count(3).unwrap(), 3);
        assert_eq!(count(-1).unwrap_err().code, MPI_ERR_COUNT);
    }
}
