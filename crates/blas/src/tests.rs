//! Every routine against its definition, through the names that programs call. Nothing simulates
//! here, so everything is computed.

use std::ffi::c_int;

use proptest::prelude::*;

use crate::{cblas, fortran};

/// A dense matrix with its layout.
#[derive(Debug, Clone)]
struct Stored {
    data: Vec<f64>,
    leading: usize,
    by_rows: bool,
}

impl Stored {
    /// Elements that differ, of a leading dimension with some room; the room holds no number.
    fn new(rows: usize, columns: usize, by_rows: bool, seed: u64) -> Self {
        let leading = if by_rows { columns } else { rows } + 2;
        let data = vec![f64::NAN; leading * if by_rows { rows } else { columns }];
        let mut made = Self { data, leading, by_rows };
        let mut state = seed;
        for row in 0..rows {
            for column in 0..columns {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
                let value = (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0;
                // A heavy diagonal keeps triangles well away from singular ones.
                let heavy = if row == column { 4.0 } else { 0.0 };
                let at = made.place(row, column);
                made.data[at] = value + heavy;
            }
        }
        made
    }

    fn place(&self, row: usize, column: usize) -> usize {
        match self.by_rows {
            true => row * self.leading + column,
            false => row + column * self.leading,
        }
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        self.data[self.place(row, column)]
    }

    /// The element of the matrix as it is used.
    fn used(&self, is_transposed: bool, row: usize, column: usize) -> f64 {
        if is_transposed { self.get(column, row) } else { self.get(row, column) }
    }

    fn lead(&self) -> c_int {
        self.leading as c_int
    }
}

fn order(by_rows: bool) -> c_int {
    if by_rows { 101 } else { 102 }
}

fn trans(is_transposed: bool) -> c_int {
    if is_transposed { 112 } else { 111 }
}

fn shape(rows: usize, columns: usize, is_transposed: bool) -> (usize, usize) {
    if is_transposed { (columns, rows) } else { (rows, columns) }
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn products_are_sums_of_products(
        (m, n, k) in (0..7_usize, 0..7_usize, 0..7_usize),
        (by_rows, ta, tb) in any::<(bool, bool, bool)>(),
        seed in any::<u64>(),
        (alpha, beta) in (-2.0..2.0, prop_oneof![Just(0.0), Just(1.0), -2.0..2.0]),
    ) {
        let ((ar, ac), (br, bc)) = (shape(m, k, ta), shape(k, n, tb));
        let (a, b) = (Stored::new(ar, ac, by_rows, seed), Stored::new(br, bc, by_rows, seed ^ 7));
        let before = Stored::new(m, n, by_rows, seed ^ 9);
        let mut c = before.clone();
        let sizes = (m as c_int, n as c_int, k as c_int);
        unsafe {
            cblas::cblas_dgemm(
                order(by_rows), trans(ta), trans(tb), sizes.0, sizes.1, sizes.2, alpha,
                a.data.as_ptr(), a.lead(), b.data.as_ptr(), b.lead(), beta,
                c.data.as_mut_ptr(), c.lead(),
            );
        }
        for row in 0..m {
            for column in 0..n {
                let product: f64 =
                    (0..k).map(|at| a.used(ta, row, at) * b.used(tb, at, column)).sum();
                let expected = alpha * product + beta * before.get(row, column);
                prop_assert!(close(c.get(row, column), expected));
            }
        }
    }

    #[test]
    fn what_is_solved_gives_the_right_hand_sides_again(
        (m, n) in (1..7_usize, 1..7_usize),
        (by_rows, left, upper, ta, ones) in any::<(bool, bool, bool, bool, bool)>(),
        seed in any::<u64>(),
    ) {
        let size = if left { m } else { n };
        let a = Stored::new(size, size, by_rows, seed);
        let before = Stored::new(m, n, by_rows, seed ^ 5);
        let mut x = before.clone();
        unsafe {
            cblas::cblas_dtrsm(
                order(by_rows), if left { 141 } else { 142 }, if upper { 121 } else { 122 },
                trans(ta), if ones { 132 } else { 131 }, m as c_int, n as c_int, 1.5,
                a.data.as_ptr(), a.lead(), x.data.as_mut_ptr(), x.lead(),
            );
        }
        let element = |row: usize, column: usize| {
            let (row, column) = if ta { (column, row) } else { (row, column) };
            match row.cmp(&column) {
                std::cmp::Ordering::Equal if ones => 1.0,
                std::cmp::Ordering::Less if !upper => 0.0,
                std::cmp::Ordering::Greater if upper => 0.0,
                _ => a.get(row, column),
            }
        };
        for row in 0..m {
            for column in 0..n {
                let product: f64 = match left {
                    true => (0..m).map(|at| element(row, at) * x.get(at, column)).sum(),
                    false => (0..n).map(|at| x.get(row, at) * element(at, column)).sum(),
                };
                let expected = 1.5 * before.get(row, column);
                prop_assert!((product - expected).abs() < 1e-6 * expected.abs().max(1.0));
            }
        }
    }

    #[test]
    fn a_triangle_solved_for_a_vector_is_one_solved_for_a_column(
        n in 1..8_usize,
        (by_rows, upper, ta, ones) in any::<(bool, bool, bool, bool)>(),
        seed in any::<u64>(),
    ) {
        let a = Stored::new(n, n, by_rows, seed);
        let mut x: Vec<f64> = (0..n).map(|at| at as f64 - 1.5).collect();
        let mut column = x.clone();
        let (uplo, diag) = (if upper { 121 } else { 122 }, if ones { 132 } else { 131 });
        let (size, order, lead) = (n as c_int, order(by_rows), a.lead());
        unsafe {
            let (data, x) = (a.data.as_ptr(), x.as_mut_ptr());
            cblas::cblas_dtrsv(order, uplo, trans(ta), diag, size, data, lead, x, 1);
            let (apart, column) = (if by_rows { 1 } else { size }, column.as_mut_ptr());
            cblas::cblas_dtrsm(
                order, 141, uplo, trans(ta), diag, size, 1, 1.0, data, lead, column, apart,
            );
        }
        prop_assert!(x.iter().zip(&column).all(|(x, column)| close(*x, *column)));
    }

    #[test]
    fn matrices_times_vectors_and_updates_of_rank_one(
        (m, n) in (1..7_usize, 1..7_usize),
        (by_rows, ta) in any::<(bool, bool)>(),
        seed in any::<u64>(),
    ) {
        let before = Stored::new(m, n, by_rows, seed);
        let (rows, columns) = shape(m, n, ta);
        let x: Vec<f64> = (0..columns).map(|at| 1.0 + at as f64).collect();
        let mut y = vec![0.5; rows];
        let mut grown = before.clone();
        let (right, down): (Vec<f64>, Vec<f64>) =
            ((0..n).map(|at| at as f64).collect(), (0..m).map(|at| 2.0 - at as f64).collect());
        unsafe {
            cblas::cblas_dgemv(
                order(by_rows), trans(ta), m as c_int, n as c_int, 2.0, before.data.as_ptr(),
                before.lead(), x.as_ptr(), 1, 3.0, y.as_mut_ptr(), 1,
            );
            cblas::cblas_dger(
                order(by_rows), m as c_int, n as c_int, 0.25, down.as_ptr(), 1, right.as_ptr(), 1,
                grown.data.as_mut_ptr(), grown.lead(),
            );
        }
        for (row, found) in y.iter().enumerate() {
            let product: f64 = (0..columns).map(|at| before.used(ta, row, at) * x[at]).sum();
            prop_assert!(close(*found, 2.0 * product + 1.5));
        }
        for (row, left) in down.iter().enumerate() {
            for (column, top) in right.iter().enumerate() {
                let expected = before.get(row, column) + 0.25 * left * top;
                prop_assert!(close(grown.get(row, column), expected));
            }
        }
    }
}

#[test]
fn vectors_may_have_steps_and_go_backwards() {
    let x = [1.0, 0.0, 2.0, 0.0, 3.0];
    let mut y = [10.0, 20.0, 30.0];
    unsafe { cblas::cblas_daxpy(3, 2.0, x.as_ptr(), 2, y.as_mut_ptr(), -1) };
    assert_eq!(y, [16.0, 24.0, 32.0]);
    let mut copied = [0.0; 3];
    unsafe { cblas::cblas_dcopy(3, x.as_ptr(), -2, copied.as_mut_ptr(), 1) };
    assert_eq!(copied, [3.0, 2.0, 1.0]);
    unsafe { cblas::cblas_dswap(3, copied.as_mut_ptr(), 1, y.as_mut_ptr(), 1) };
    assert_eq!((copied, y), ([16.0, 24.0, 32.0], [3.0, 2.0, 1.0]));
    unsafe { cblas::cblas_dscal(2, -1.0, y.as_mut_ptr(), 2) };
    assert_eq!(y, [-3.0, 2.0, -1.0]);
}

#[test]
fn the_first_of_the_largest_is_found_from_zero_in_c_and_from_one_in_fortran() {
    let x = [1.0, -5.0, 5.0, 4.0];
    unsafe {
        assert_eq!(cblas::cblas_idamax(4, x.as_ptr(), 1), 1);
        assert_eq!(cblas::cblas_idamax(2, x.as_ptr(), 2), 1);
        assert_eq!(fortran::idamax_(&4, x.as_ptr(), &1), 2);
        assert_eq!(fortran::idamax_(&0, x.as_ptr(), &1), 0);
        assert_eq!(fortran::idamax_(&4, x.as_ptr(), &-1), 0);
    }
}

#[test]
fn fortran_does_what_c_does_by_columns() {
    let (a, b) = (Stored::new(4, 3, false, 1), Stored::new(5, 3, false, 2));
    let square = Stored::new(4, 4, false, 3);
    let (mut here, mut there) = (vec![1.0; 20], vec![1.0; 20]);
    let (ld, four, five) = (square.lead(), 4, 5);
    let letter = |text: &'static std::ffi::CStr| text.as_ptr();
    unsafe {
        let (a, lda, b, ldb) = (a.data.as_ptr(), a.lead(), b.data.as_ptr(), b.lead());
        let c = here.as_mut_ptr();
        cblas::cblas_dgemm(102, 111, 112, 4, 5, 3, 2.0, a, lda, b, ldb, 0.5, c, 4);
        cblas::cblas_dtrsm(102, 141, 122, 112, 132, 4, 5, 1.0, square.data.as_ptr(), ld, c, 4);
        cblas::cblas_dgemv(102, 112, 4, 5, 1.0, c, 4, b, 1, 0.0, c.add(10), 1);
        cblas::cblas_dger(102, 2, 2, 1.0, a, 1, b, 1, c, 4);
        cblas::cblas_dtrsv(102, 121, 111, 131, 4, square.data.as_ptr(), ld, c, 1);
        let c = there.as_mut_ptr();
        let (n, t, l, u) = (letter(c"N"), letter(c"t"), letter(c"L"), letter(c"U"));
        fortran::dgemm_(n, t, &4, &5, &3, &2.0, a, &lda, b, &ldb, &0.5, c, &4);
        fortran::dtrsm_(l, l, t, u, &4, &5, &1.0, square.data.as_ptr(), &ld, c, &4);
        fortran::dgemv_(t, &four, &five, &1.0, c, &4, b, &1, &0.0, c.add(10), &1);
        fortran::dger_(&2, &2, &1.0, a, &1, b, &1, c, &4);
        fortran::dtrsv_(u, n, n, &4, square.data.as_ptr(), &ld, c, &1);
    }
    assert_eq!(here, there);
    let (mut x, mut y) = ([1.0, 2.0], [3.0, 4.0]);
    unsafe {
        fortran::daxpy_(&2, &2.0, x.as_ptr(), &1, y.as_mut_ptr(), &1);
        fortran::dswap_(&2, x.as_mut_ptr(), &1, y.as_mut_ptr(), &1);
        fortran::dscal_(&2, &10.0, y.as_mut_ptr(), &1);
        fortran::dcopy_(&1, x.as_ptr(), &1, y.as_mut_ptr().add(1), &1);
    }
    assert_eq!((x, y), ([5.0, 8.0], [10.0, 5.0]));
}
