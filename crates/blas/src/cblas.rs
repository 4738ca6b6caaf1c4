//! The names of CBLAS. What is stored by rows is the transpose of what is stored by columns.

use std::ffi::{c_double, c_int};

use crate::choice::Routine;
use crate::compute;
use crate::flags::{Flag, triangle};
use crate::routines::{self, Argument};

fn argument(start: *const c_double, leading: c_int, is_transposed: bool) -> Argument {
    Argument { start, leading, is_transposed }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn cblas_dgemm(
    order: c_int,
    transa: c_int,
    transb: c_int,
    m: c_int,
    n: c_int,
    k: c_int,
    alpha: c_double,
    a: *const c_double,
    lda: c_int,
    b: *const c_double,
    ldb: c_int,
    beta: c_double,
    c: *mut c_double,
    ldc: c_int,
) {
    let a = argument(a, lda, Flag::Number(transa).is_transposed());
    let b = argument(b, ldb, Flag::Number(transb).is_transposed());
    let c = argument(c, ldc, false);
    // SAFETY: the caller keeps the contract of the BLAS. C' = B' A'.
    unsafe {
        match Flag::Number(order).is_by_rows() {
            true => routines::dgemm((n, m, k), alpha, (b, a), beta, c),
            false => routines::dgemm((m, n, k), alpha, (a, b), beta, c),
        }
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn cblas_dtrsm(
    order: c_int,
    side: c_int,
    uplo: c_int,
    transa: c_int,
    diag: c_int,
    m: c_int,
    n: c_int,
    alpha: c_double,
    a: *const c_double,
    lda: c_int,
    b: *mut c_double,
    ldb: c_int,
) {
    let a = argument(a, lda, Flag::Number(transa).is_transposed());
    let b = argument(b, ldb, false);
    let is_left = Flag::Number(side).is_left();
    let stored = triangle(Flag::Number(uplo), Flag::Number(diag));
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        match Flag::Number(order).is_by_rows() {
            true => routines::dtrsm(!is_left, stored.transposed(), (n, m), alpha, a, b),
            false => routines::dtrsm(is_left, stored, (m, n), alpha, a, b),
        }
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn cblas_dgemv(
    order: c_int,
    trans: c_int,
    m: c_int,
    n: c_int,
    alpha: c_double,
    a: *const c_double,
    lda: c_int,
    x: *const c_double,
    incx: c_int,
    beta: c_double,
    y: *mut c_double,
    incy: c_int,
) {
    let is_transposed = Flag::Number(trans).is_transposed();
    let by_rows = Flag::Number(order).is_by_rows();
    let sizes = if by_rows { (n, m) } else { (m, n) };
    let a = argument(a, lda, is_transposed != by_rows);
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::dgemv(sizes, alpha, a, (x, incx), beta, (y, incy)) }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn cblas_dger(
    order: c_int,
    m: c_int,
    n: c_int,
    alpha: c_double,
    x: *const c_double,
    incx: c_int,
    y: *const c_double,
    incy: c_int,
    a: *mut c_double,
    lda: c_int,
) {
    let (x, y, a) = ((x, incx), (y, incy), argument(a, lda, false));
    // SAFETY: the caller keeps the contract of the BLAS. A' grows by y x'.
    unsafe {
        match Flag::Number(order).is_by_rows() {
            true => routines::dger((n, m), alpha, y, x, a),
            false => routines::dger((m, n), alpha, x, y, a),
        }
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn cblas_dtrsv(
    order: c_int,
    uplo: c_int,
    trans: c_int,
    diag: c_int,
    n: c_int,
    a: *const c_double,
    lda: c_int,
    x: *mut c_double,
    incx: c_int,
) {
    let is_transposed = Flag::Number(trans).is_transposed();
    let stored = triangle(Flag::Number(uplo), Flag::Number(diag));
    let by_rows = Flag::Number(order).is_by_rows();
    let stored = if by_rows { stored.transposed() } else { stored };
    let a = argument(a, lda, is_transposed != by_rows);
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::dtrsv(stored, n, a, (x, incx)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cblas_daxpy(
    n: c_int,
    alpha: c_double,
    x: *const c_double,
    incx: c_int,
    y: *mut c_double,
    incy: c_int,
) {
    let compute = |x, y| compute::axpy(alpha, x, y);
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::of_two(Routine::Daxpy, n, (x, incx), (y, incy), compute) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cblas_dcopy(
    n: c_int,
    x: *const c_double,
    incx: c_int,
    y: *mut c_double,
    incy: c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::of_two(Routine::Dcopy, n, (x, incx), (y, incy), compute::copy) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cblas_dswap(
    n: c_int,
    x: *mut c_double,
    incx: c_int,
    y: *mut c_double,
    incy: c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::of_two(Routine::Dswap, n, (x, incx), (y, incy), compute::swap) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cblas_dscal(
    n: c_int,
    alpha: c_double,
    x: *mut c_double,
    incx: c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::dscal(n, alpha, (x, incx)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cblas_idamax(n: c_int, x: *const c_double, incx: c_int) -> usize {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::idamax(n, (x, incx)) }.unwrap_or(0)
}
