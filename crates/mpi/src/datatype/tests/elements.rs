//! Counting elements in received bytes.

use super::*;

#[test]
fn counts_are_whole_or_undefined() {
    let pair = Datatype::contiguous(2, &Basic::Real.into()).unwrap();
    assert_eq!((pair.count(16), pair.elements(16)), (Some(2), Some(4)));
    assert_eq!((pair.count(12), pair.elements(12)), (None, Some(3)));
    assert_eq!((pair.count(6), pair.elements(6)), (None, None));
}

#[test]
fn types_without_data_count_only_nothing() {
    let empty = Datatype::contiguous(0, &int()).unwrap();
    assert_eq!((empty.count(0), empty.count(4)), (Some(0), None));
    assert_eq!((empty.elements(0), empty.elements(4)), (Some(0), None));
    assert_eq!((empty.bytes_of_elements(0), empty.bytes_of_elements(1)), (Some(0), None));
}

#[test]
fn both_halves_of_a_pair_count() {
    let pair = Datatype::from(Basic::DoubleInt);
    assert_eq!(pair.elements(8 + 4 + 8), Some(3));
    assert_eq!(pair.elements(8 + 4 + 4), None);
    assert_eq!(pair.bytes_of_elements(3), Some(20));
}

#[test]
fn huge_vectors_are_counted_at_once() {
    let column = Datatype::vector(1 << 40, 3, 5, &double_char()).unwrap();
    let bytes = column.size() + 9 * ((1 << 41) + 1) + 8;
    assert_eq!(column.elements(bytes), Some((6 << 40) + (1 << 42) + 3));
    assert_eq!(column.elements(bytes + 2), None);
}

#[test]
fn messages_match_by_their_basic_elements() {
    let row = Datatype::vector(4, 1, 9, &int()).unwrap();
    let flat = Datatype::contiguous(2, &int()).unwrap();
    assert!(row.signature(3).matches(flat.signature(6)));
    assert!(!row.signature(3).matches(flat.signature(5)));
    assert!(flat.signature_of_elements(12).matches(row.signature(3)));
    assert!(!row.signature(1).matches(Datatype::from(Basic::Float).signature(4)));
    let structure = Datatype::structure(&[1, 1], &[0, 8], &[double(), int()]).unwrap();
    assert!(structure.signature(2).matches(Datatype::from(Basic::DoubleInt).signature(2)));
}
