//! Tests of datatypes as a whole.

mod arrays;
mod bounds;
mod contents;
mod elements;
mod layouts;
mod properties;
mod reference;

use super::{Basic, Datatype};

/// `MPI_INT`.
fn int() -> Datatype {
    Basic::Int.into()
}

/// `MPI_DOUBLE`.
fn double() -> Datatype {
    Basic::Double.into()
}

/// `MPI_CHAR`.
fn char() -> Datatype {
    Basic::Char.into()
}

/// A double and a character behind it, padded to 16 bytes: the standard's running example.
fn double_char() -> Datatype {
    Datatype::structure(&[1, 1], &[0, 8], &[double(), char()]).unwrap()
}

/// The offsets of all basic elements.
fn offsets(datatype: &Datatype) -> Vec<i64> {
    let mut offsets = Vec::new();
    datatype.for_each_basic(1, |_, offset| offsets.push(offset));
    offsets
}

/// The runs of `count` elements.
fn runs(datatype: &Datatype, count: i64) -> Vec<(i64, u64)> {
    let mut runs = Vec::new();
    datatype.for_each_run(count, 0..u64::MAX, |offset, bytes| runs.push((offset, bytes)));
    runs
}
