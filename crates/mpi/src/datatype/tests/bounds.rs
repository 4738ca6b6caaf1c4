//! Bounds and extents, with the examples of MPI 4.1 sections 5.1.2 to 5.1.7 recomputed.

use super::*;

fn bounds(datatype: &Datatype) -> (i64, i64) {
    (datatype.lower_bound(), datatype.extent())
}

#[test]
fn structures_are_padded_to_their_alignment() {
    let pair = double_char();
    assert_eq!((pair.size(), bounds(&pair), pair.true_extent()), (9, (0, 16), 9));
    let chars = Datatype::structure(&[3, 2], &[0, 3], &[char(), char()]).unwrap();
    assert_eq!((bounds(&chars), chars.is_contiguous()), ((0, 5), true));
}

#[test]
fn contiguous_repeats_at_the_extent() {
    let three = Datatype::contiguous(3, &double_char()).unwrap();
    assert_eq!(offsets(&three), [0, 8, 16, 24, 32, 40]);
    assert_eq!((three.size(), three.extent()), (27, 48));
}

#[test]
fn vectors_count_strides_in_extents() {
    let two = Datatype::vector(2, 3, 4, &double_char()).unwrap();
    assert_eq!(offsets(&two), [0, 8, 16, 24, 32, 40, 64, 72, 80, 88, 96, 104]);
    let back = Datatype::vector(3, 1, -2, &double_char()).unwrap();
    assert_eq!(offsets(&back), [0, 8, -32, -24, -64, -56]);
    assert_eq!(bounds(&back), (-64, 80));
}

#[test]
fn indexed_blocks_lie_where_they_are_told() {
    let indexed = Datatype::indexed(&[3, 1], &[4, 0], &double_char()).unwrap();
    assert_eq!(offsets(&indexed), [64, 72, 80, 88, 96, 104, 0, 8]);
    assert_eq!(bounds(&indexed), (0, 112));
}

#[test]
fn structures_mix_types() {
    let types = [Basic::Float.into(), double_char(), char()];
    let mixed = Datatype::structure(&[2, 1, 3], &[0, 16, 26], &types).unwrap();
    assert_eq!(offsets(&mixed), [0, 4, 16, 24, 26, 27, 28]);
    assert_eq!((mixed.size(), bounds(&mixed)), (8 + 9 + 3, (0, 32)));
}

#[test]
fn explicit_bounds_stay_and_add_up() {
    let wide = int().resized(-3, 9).unwrap();
    assert_eq!(bounds(&wide), (-3, 9));
    assert_eq!(bounds(&Datatype::contiguous(2, &wide).unwrap()), (-3, 18));
    let beside = Datatype::structure(&[1, 1], &[0, 100], &[wide.clone(), int()]).unwrap();
    assert_eq!((bounds(&beside), beside.true_extent()), ((-3, 9), 104));
    let again = wide.resized(0, 4).unwrap();
    assert_eq!((bounds(&again), again.is_contiguous()), ((0, 4), true));
}

#[test]
fn extents_may_be_negative() {
    let back = int().resized(6, -9).unwrap();
    assert_eq!((bounds(&back), back.true_lower_bound()), ((6, -9), 0));
    let three = Datatype::contiguous(3, &back).unwrap();
    assert_eq!((bounds(&three), offsets(&three)), ((-12, 9), vec![0, -9, -18]));
    assert_eq!((three.true_lower_bound(), three.true_extent()), (-18, 22));
}

#[test]
fn nothing_has_no_bounds_to_give() {
    let empty = Datatype::contiguous(0, &int()).unwrap();
    assert_eq!((empty.size(), bounds(&empty), empty.true_extent()), (0, (0, 0), 0));
    let placed = Datatype::structure(&[1, 0, 1], &[40, -80, 8], &[empty.clone(), int(), int()]);
    assert_eq!(bounds(&placed.unwrap()), (8, 4));
    let room = empty.resized(0, 64).unwrap();
    assert_eq!((room.size(), Datatype::contiguous(2, &room).unwrap().extent()), (0, 128));
}

#[test]
fn pairs_are_padded_like_structures() {
    let pair = Datatype::from(Basic::DoubleInt);
    assert_eq!((pair.size(), pair.extent(), pair.true_extent()), (12, 16, 12));
    assert_eq!(pair.basic_elements(), 2);
    assert!(!pair.is_contiguous() && Datatype::from(Basic::FloatInt).is_contiguous());
}

#[test]
fn all_basic_types_have_their_size_and_extent() {
    for basic in Basic::ALL {
        let datatype = Datatype::from(*basic);
        assert_eq!((datatype.size(), datatype.extent() as u64), (basic.size(), basic.extent()));
        assert_eq!(datatype.as_basic(), Some(*basic));
    }
}

#[test]
fn arguments_without_sense_are_refused() {
    assert!(Datatype::contiguous(-1, &int()).is_err());
    assert!(Datatype::vector(2, -1, 3, &int()).is_err());
    assert!(Datatype::indexed(&[1, 2], &[0], &int()).is_err());
    assert!(Datatype::indexed(&[1, -2], &[0, 4], &int()).is_err());
    assert!(Datatype::structure(&[1, 1], &[0, 8], &[int()]).is_err());
    assert!(Datatype::hindexed_block(-1, &[], &int()).is_err());
}

#[test]
fn what_is_too_large_is_refused() {
    let huge = Datatype::contiguous(1 << 60, &int()).unwrap();
    assert_eq!(huge.size(), 1 << 62);
    assert!(Datatype::contiguous(2, &huge).is_err());
    assert!(Datatype::vector(2, 1, i64::MAX / 2, &int()).is_err());
    assert!(Datatype::hindexed(&[1], &[i64::MAX - 2], &int()).is_err());
    assert!(Datatype::hindexed(&[1, 1], &[i64::MIN, 0], &int()).is_err());
    assert!(Datatype::indexed(&[1], &[i64::MIN], &int()).is_err());
    assert!(int().resized(i64::MAX, 1).is_err());
    assert!(huge.packed_size(1).is_ok() && huge.packed_size(2).is_err());
    assert!(huge.span(2).is_none());
}
