//! Subarrays and distributed arrays, with the examples of MPI 4.1 sections 5.1.3 and 5.1.4
//! recomputed. The general case is among the properties.

use super::super::{Darray, Distribution, Order, Subarray};
use super::*;

fn subarray(sizes: &[i64], subsizes: &[i64], starts: &[i64], order: Order) -> Subarray {
    Subarray { sizes: sizes.into(), subsizes: subsizes.into(), starts: starts.into(), order }
}

#[test]
fn a_block_of_rows_is_one_run_between_bounds() {
    let rows = subarray(&[100, 100], &[25, 100], &[50, 0], Order::C);
    let rows = Datatype::subarray(rows, &double()).unwrap();
    assert_eq!(runs(&rows, 1), [(50 * 800, 25 * 800)]);
    assert_eq!((rows.lower_bound(), rows.extent()), (0, 80_000));
    let columns = subarray(&[100, 100], &[100, 25], &[0, 50], Order::Fortran);
    let columns = Datatype::subarray(columns, &double()).unwrap();
    assert_eq!(runs(&columns, 1), runs(&rows, 1));
}

#[test]
fn a_block_of_columns_is_a_vector() {
    let columns = subarray(&[4, 6], &[3, 2], &[1, 3], Order::C);
    let columns = Datatype::subarray(columns, &int()).unwrap();
    assert_eq!(runs(&columns, 1), [(36, 8), (60, 8), (84, 8)]);
    assert_eq!(runs(&columns, 2).len(), 6);
}

#[test]
fn blocks_outside_of_their_array_are_refused() {
    let refused = |sizes: &[i64], subsizes: &[i64], starts: &[i64]| {
        Datatype::subarray(subarray(sizes, subsizes, starts, Order::C), &int()).is_err()
    };
    assert!(refused(&[4], &[3], &[2]));
    assert!(refused(&[4], &[0], &[0]));
    assert!(refused(&[4], &[5], &[0]));
    assert!(refused(&[4], &[1], &[-1]));
    assert!(refused(&[], &[], &[]));
    assert!(refused(&[4, 4], &[1, 1], &[0]));
    assert!(refused(&[1 << 40, 1 << 40], &[1, 1], &[0, 0]));
}

/// The standard's array of 100 x 200 x 300 doubles on 2 x 1 x 3 processes.
fn dealt_out(rank: i64) -> Darray {
    Darray {
        size: 6,
        rank,
        sizes: vec![100, 200, 300],
        distributions: vec![Distribution::Cyclic, Distribution::None, Distribution::Block],
        arguments: vec![Some(10), None, None],
        processes: vec![2, 1, 3],
        order: Order::Fortran,
    }
}

#[test]
fn every_process_has_its_share_of_a_dealt_array() {
    let doubles = 100 * 200 * 300_i64;
    let mut total = 0;
    for rank in 0..6 {
        let part = Datatype::darray(dealt_out(rank), &double()).unwrap();
        assert_eq!((part.lower_bound(), part.extent()), (0, 8 * doubles));
        assert_eq!(part.true_lower_bound(), 8 * (rank / 3 * 10 + rank % 3 * 100 * 100 * 200));
        total += part.size();
    }
    assert_eq!(total, 8 * doubles as u64);
}

#[test]
fn processes_past_the_end_have_nothing() {
    let array = Darray {
        size: 4,
        rank: 3,
        sizes: vec![5],
        distributions: vec![Distribution::Block],
        arguments: vec![Some(2)],
        processes: vec![4],
        order: Order::C,
    };
    let part = Datatype::darray(array, &int()).unwrap();
    assert_eq!((part.size(), part.extent()), (0, 20));
}

#[test]
fn grids_and_shares_that_do_not_fit_are_refused() {
    let refused = |change: fn(&mut Darray)| {
        let mut array = dealt_out(0);
        change(&mut array);
        Datatype::darray(array, &double()).is_err()
    };
    assert!(!refused(|_| ()));
    assert!(refused(|array| array.size = 7));
    assert!(refused(|array| array.rank = 6));
    assert!(refused(|array| array.processes = vec![2, 3, 1]));
    assert!(refused(|array| array.arguments[2] = Some(99)));
    assert!(refused(|array| array.arguments[0] = Some(0)));
    assert!(refused(|array| array.sizes[0] = 0));
    assert!(refused(|array| array.sizes.clear()));
}
