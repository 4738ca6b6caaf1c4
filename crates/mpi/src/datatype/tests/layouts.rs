//! Layouts stay compact and merge what touches.

use super::super::Group;
use super::*;

fn groups(datatype: &Datatype, count: i64) -> Vec<Group> {
    let mut groups = Vec::new();
    datatype.layout(count).for_each_group(0..u64::MAX, |group| groups.push(group));
    groups
}

#[test]
fn touching_bytes_are_one_run() {
    let fields = Datatype::structure(&[2, 1], &[0, 8], &[int(), double()]).unwrap();
    assert!(fields.is_contiguous());
    assert_eq!(runs(&fields, 1000), [(0, 16_000)]);
    let nested = Datatype::contiguous(7, &Datatype::vector(3, 2, 2, &fields).unwrap()).unwrap();
    assert_eq!(runs(&nested, 1), [(0, 16 * 6 * 7)]);
}

#[test]
fn a_vector_is_one_group_whatever_its_length() {
    let column = Datatype::vector(1 << 40, 1, 10, &double()).unwrap();
    let group = Group { offset: 0, bytes: 8, stride: 80, count: 1 << 40 };
    assert_eq!(groups(&column, 1), [group]);
    let columns = column.resized(0, 80 << 40).unwrap();
    assert_eq!(groups(&columns, 3), [Group { count: 3 << 40, ..group }]);
}

#[test]
fn regular_displacements_are_a_vector() {
    let indexed = Datatype::indexed_block(2, &[5, 2, -1], &int()).unwrap();
    let group = Group { offset: 20, bytes: 8, stride: -12, count: 3 };
    assert_eq!(groups(&indexed, 1), [group]);
    let touching = Datatype::indexed(&[1, 2, 1], &[0, 1, 4], &int()).unwrap();
    assert_eq!(runs(&touching, 1), [(0, 12), (16, 4)]);
}

#[test]
fn a_walk_may_begin_in_the_middle_of_a_huge_type() {
    let matrix = Datatype::vector(1 << 30, 3, 1 << 20, &double()).unwrap();
    let mut visited = Vec::new();
    let start = 24 * (1 << 29) + 20;
    matrix.for_each_run(1, start..start + 30, |offset, bytes| visited.push((offset, bytes)));
    let row = 8 << 20;
    assert_eq!(
        visited,
        [((row << 29) + 20, 4), (row * ((1 << 29) + 1), 24), (row * ((1 << 29) + 2), 2)]
    );
}

#[test]
fn elements_before_the_address_are_visited_too() {
    let back = Datatype::vector(2, 1, -1, &int()).unwrap();
    assert_eq!(runs(&back, 1), [(0, 4), (-4, 4)]);
    assert_eq!(back.span(1), Some(-4..4));
    let mut packed = Vec::new();
    back.pack_into(1, &[1, 2, 3, 4, 5, 6, 7, 8], 4, &mut packed).unwrap();
    assert_eq!(packed, [5, 6, 7, 8, 1, 2, 3, 4]);
    assert!(back.pack_into(1, &[0; 8], 0, &mut packed).is_err());
    assert!(back.unpack(1, &[0; 8], &mut [0; 8], 0).is_err());
}

#[test]
fn no_elements_have_no_runs() {
    assert_eq!(runs(&int(), 0), []);
    assert_eq!(runs(&int(), -1), []);
    assert_eq!(runs(&Datatype::contiguous(0, &int()).unwrap(), 5), []);
}

#[test]
fn arrays_of_basic_elements_come_together() {
    let mut arrays = Vec::new();
    let block = Datatype::vector(2, 100, 200, &int()).unwrap();
    block.for_each_array(1, |basic, offset, number| arrays.push((basic, offset, number)));
    assert_eq!(arrays, [(Basic::Int, 0, 100), (Basic::Int, 800, 100)]);
    let spread = int().resized(0, 8).unwrap();
    let mut offsets = Vec::new();
    spread.for_each_array(2, |_, offset, number| offsets.push((offset, number)));
    assert_eq!(offsets, [(0, 1), (8, 1)]);
}

#[test]
fn long_chains_of_types_come_apart_without_a_deep_stack() {
    let mut chain = int();
    for _ in 0..200_000 {
        chain = Datatype::contiguous(1, &chain.dup().unwrap()).unwrap();
    }
    assert_eq!((chain.size(), offsets(&chain)), (4, vec![0]));
}
