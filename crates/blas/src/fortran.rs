//! The names of Fortran's BLAS: everything by reference, stored by columns, integers of four bytes.
//! The lengths of texts that compilers add at the end are not looked at.

use std::ffi::{c_char, c_double, c_int};

use crate::choice::Routine;
use crate::compute;
use crate::flags::{Flag, triangle};
use crate::routines::{self, Argument};

fn argument(start: *const c_double, leading: c_int, is_transposed: bool) -> Argument {
    Argument { start, leading, is_transposed }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn dgemm_(
    transa: *const c_char,
    transb: *const c_char,
    m: *const c_int,
    n: *const c_int,
    k: *const c_int,
    alpha: *const c_double,
    a: *const c_double,
    lda: *const c_int,
    b: *const c_double,
    ldb: *const c_int,
    beta: *const c_double,
    c: *mut c_double,
    ldc: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        let a = argument(a, *lda, Flag::at(transa).is_transposed());
        let b = argument(b, *ldb, Flag::at(transb).is_transposed());
        routines::dgemm((*m, *n, *k), *alpha, (a, b), *beta, argument(c, *ldc, false));
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn dtrsm_(
    side: *const c_char,
    uplo: *const c_char,
    transa: *const c_char,
    diag: *const c_char,
    m: *const c_int,
    n: *const c_int,
    alpha: *const c_double,
    a: *const c_double,
    lda: *const c_int,
    b: *mut c_double,
    ldb: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        let a = argument(a, *lda, Flag::at(transa).is_transposed());
        let stored = triangle(Flag::at(uplo), Flag::at(diag));
        let (is_left, b) = (Flag::at(side).is_left(), argument(b, *ldb, false));
        routines::dtrsm(is_left, stored, (*m, *n), *alpha, a, b);
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn dgemv_(
    trans: *const c_char,
    m: *const c_int,
    n: *const c_int,
    alpha: *const c_double,
    a: *const c_double,
    lda: *const c_int,
    x: *const c_double,
    incx: *const c_int,
    beta: *const c_double,
    y: *mut c_double,
    incy: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        let a = argument(a, *lda, Flag::at(trans).is_transposed());
        routines::dgemv((*m, *n), *alpha, a, (x, *incx), *beta, (y, *incy));
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn dger_(
    m: *const c_int,
    n: *const c_int,
    alpha: *const c_double,
    x: *const c_double,
    incx: *const c_int,
    y: *const c_double,
    incy: *const c_int,
    a: *mut c_double,
    lda: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        routines::dger((*m, *n), *alpha, (x, *incx), (y, *incy), argument(a, *lda, false));
    }
}

#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub(crate) unsafe extern "C" fn dtrsv_(
    uplo: *const c_char,
    trans: *const c_char,
    diag: *const c_char,
    n: *const c_int,
    a: *const c_double,
    lda: *const c_int,
    x: *mut c_double,
    incx: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        let a = argument(a, *lda, Flag::at(trans).is_transposed());
        routines::dtrsv(triangle(Flag::at(uplo), Flag::at(diag)), *n, a, (x, *incx));
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn daxpy_(
    n: *const c_int,
    alpha: *const c_double,
    x: *const c_double,
    incx: *const c_int,
    y: *mut c_double,
    incy: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe {
        let compute = |x, y| compute::axpy(*alpha, x, y);
        routines::of_two(Routine::Daxpy, *n, (x, *incx), (y, *incy), compute);
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dcopy_(
    n: *const c_int,
    x: *const c_double,
    incx: *const c_int,
    y: *mut c_double,
    incy: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::of_two(Routine::Dcopy, *n, (x, *incx), (y, *incy), compute::copy) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dswap_(
    n: *const c_int,
    x: *mut c_double,
    incx: *const c_int,
    y: *mut c_double,
    incy: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::of_two(Routine::Dswap, *n, (x, *incx), (y, *incy), compute::swap) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dscal_(
    n: *const c_int,
    alpha: *const c_double,
    x: *mut c_double,
    incx: *const c_int,
) {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::dscal(*n, *alpha, (x, *incx)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn idamax_(
    n: *const c_int,
    x: *const c_double,
    incx: *const c_int,
) -> c_int {
    // SAFETY: the caller keeps the contract of the BLAS.
    unsafe { routines::idamax(*n, (x, *incx)) }.map_or(0, |at| at as c_int + 1)
}
