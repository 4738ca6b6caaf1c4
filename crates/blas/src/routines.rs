//! A call of each routine, stored by columns: the time of its model, its computation, or both.
//!
//! Every function has the arguments of the BLAS routine of its name, and its contract: all elements
//! that sizes and steps speak of are there.

use std::ffi::c_int;

use crate::choice::Routine;
use crate::compute::{self, Triangle};
use crate::model::call;
use crate::strided::{Matrix, Vector};

/// A matrix as an argument: where it starts, how far apart its columns are, and whether it is used
/// transposed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) start: *const f64,
    pub(crate) leading: c_int,
    pub(crate) is_transposed: bool,
}

impl Argument {
    /// The matrix as it is used, of so many rows and columns.
    ///
    /// # Safety
    ///
    /// All elements are there.
    unsafe fn view(self, rows: c_int, columns: c_int) -> Matrix {
        // SAFETY: by contract; the elements are the same either way.
        unsafe {
            match self.is_transposed {
                true => Matrix::new(self.start, columns, rows, self.leading).transposed(),
                false => Matrix::new(self.start, rows, columns, self.leading),
            }
        }
    }

    /// The triangle as it is used: what is stored above the diagonal is below it once transposed.
    fn triangle(&self, stored: Triangle) -> Triangle {
        if self.is_transposed { stored.transposed() } else { stored }
    }
}

/// A vector as an argument: where it starts, and its step.
pub(crate) type Steps = (*const f64, c_int);

/// `C = alpha op(A) op(B) + beta C`, with `C` of `m` rows and `n` columns.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dgemm(
    (m, n, k): (c_int, c_int, c_int),
    alpha: f64,
    (a, b): (Argument, Argument),
    beta: f64,
    c: Argument,
) {
    call(Routine::Dgemm, &[m, n, k], || {
        // SAFETY: the caller's contract.
        let (a, b, c) = unsafe { (a.view(m, k), b.view(k, n), c.view(m, n)) };
        compute::gemm(alpha, a, b, beta, c);
    });
}

/// `B = alpha inv(op(A)) B` or `B = alpha B inv(op(A))`, with `B` of `m` rows and `n` columns.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dtrsm(
    is_left: bool,
    stored: Triangle,
    (m, n): (c_int, c_int),
    alpha: f64,
    a: Argument,
    b: Argument,
) {
    let (order, sides) = if is_left { (m, n) } else { (n, m) };
    call(Routine::Dtrsm, &[order, sides], || {
        let triangle = a.triangle(stored);
        // SAFETY: the caller's contract.
        let (a, b) = unsafe { (a.view(order, order), b.view(m, n)) };
        match is_left {
            true => compute::trsm(alpha, triangle, a, b),
            // X A = B is A' X' = B'.
            false => {
                compute::trsm(alpha, triangle.transposed(), a.transposed(), b.transposed());
            }
        }
    });
}

/// `x = inv(op(A)) x`.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dtrsv(stored: Triangle, n: c_int, a: Argument, x: Steps) {
    call(Routine::Dtrsv, &[n], || {
        let triangle = a.triangle(stored);
        // SAFETY: the caller's contract.
        let (a, x) = unsafe { (a.view(n, n), Vector::new(x.0, n, x.1)) };
        compute::trsv(triangle, a, x);
    });
}

/// `y = alpha op(A) x + beta y`, with `A` stored in `m` rows and `n` columns.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dgemv(
    (m, n): (c_int, c_int),
    alpha: f64,
    a: Argument,
    x: Steps,
    beta: f64,
    y: Steps,
) {
    call(Routine::Dgemv, &[m, n], || {
        let (rows, columns) = if a.is_transposed { (n, m) } else { (m, n) };
        // SAFETY: the caller's contract.
        let (a, x, y) = unsafe {
            (a.view(rows, columns), Vector::new(x.0, columns, x.1), Vector::new(y.0, rows, y.1))
        };
        compute::gemv(alpha, a, x, beta, y);
    });
}

/// `A = A + alpha x y'`, with `A` of `m` rows and `n` columns.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dger((m, n): (c_int, c_int), alpha: f64, x: Steps, y: Steps, a: Argument) {
    call(Routine::Dger, &[m, n], || {
        // SAFETY: the caller's contract.
        let (x, y, a) =
            unsafe { (Vector::new(x.0, m, x.1), Vector::new(y.0, n, y.1), a.view(m, n)) };
        compute::ger(alpha, x, y, a);
    });
}

/// A routine of two vectors of `n` elements.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn of_two(
    routine: Routine,
    n: c_int,
    x: Steps,
    y: Steps,
    compute: impl FnOnce(Vector, Vector),
) {
    call(routine, &[n], || {
        // SAFETY: the caller's contract.
        let (x, y) = unsafe { (Vector::new(x.0, n, x.1), Vector::new(y.0, n, y.1)) };
        compute(x, y);
    });
}

/// `x = alpha x`; nothing for steps that are not positive.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn dscal(n: c_int, alpha: f64, x: Steps) {
    let n = if x.1 > 0 { n } else { 0 };
    // SAFETY: the caller's contract.
    call(Routine::Dscal, &[n], || compute::scal(alpha, unsafe { Vector::new(x.0, n, x.1) }));
}

/// The place of the largest element, from zero; none if there are no elements. The first one if
/// nothing is computed.
///
/// # Safety
///
/// See the module.
pub(crate) unsafe fn idamax(n: c_int, x: Steps) -> Option<usize> {
    let n = if x.1 > 0 { n } else { 0 };
    // SAFETY: the caller's contract.
    let search = || compute::iamax(unsafe { Vector::new(x.0, n, x.1) });
    let found = call(Routine::Idamax, &[n], search).unwrap_or(0);
    (n > 0).then_some(found)
}
