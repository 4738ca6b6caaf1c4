//! Datatypes by the numbers that stand for them in traces.

/// A datatype of a trace: a number that SimGrid gives each predefined type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datatype(i8);

/// Bytes of an element, by the datatype's number.
const SIZES: [u8; 60] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, // double to unsigned char
    2, 4, 8, 8, 16, 4, 1, 1, 2, 4, // unsigned short to int32
    8, 1, 2, 4, 8, 8, 16, 32, 8, 8, // int64 to offset
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, // pairs, and Fortran's reals from here on
    8, 16, 8, 16, 16, 4, 2, 4, 8, 16, // to integer*16
    32, 1, 8, 16, 32, 0, 0, 1, 8, 8, // long double with int, C++, bounds, packed, to count
];

impl Datatype {
    /// `MPI_DOUBLE`, what counts are in where the first line of a rank says so.
    pub const DOUBLE: Datatype = Datatype(0);
    /// `MPI_BYTE`, what counts are in otherwise.
    pub const BYTE: Datatype = Datatype(6);
    /// `MPI_DATATYPE_NULL`, which has no size.
    pub const NULL: Datatype = Datatype(-1);

    /// The datatype with this number, if there is one.
    pub fn numbered(number: i64) -> Option<Datatype> {
        (-1..SIZES.len() as i64).contains(&number).then_some(Datatype(number as i8))
    }

    /// Its number.
    pub fn number(self) -> i8 {
        self.0
    }

    /// Bytes of one element.
    pub fn size(self) -> u64 {
        usize::try_from(self.0).map_or(0, |number| SIZES[number].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_types() {
        let size = |number| Datatype::numbered(number).map(Datatype::size);
        assert_eq!([0, 1, 5, 6, 20, 26, 59].map(size), [8, 4, 4, 1, 8, 16, 8].map(Some));
        assert_eq!([-1, -2, 60].map(size), [Some(0), None, None]);
    }
}
