//! The routines themselves, written plainly. Layouts and transpositions are the steps of their
//! arguments, so each is here once.

use crate::strided::{Matrix, Vector};

/// What is known of a triangular matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Triangle {
    pub(crate) is_upper: bool,
    /// The diagonal is all ones, whatever is stored there.
    pub(crate) has_ones: bool,
}

impl Triangle {
    /// The same, transposed.
    pub(crate) fn transposed(self) -> Self {
        Self { is_upper: !self.is_upper, ..self }
    }
}

/// `C = alpha A B + beta C`.
pub(crate) fn gemm(alpha: f64, a: Matrix, b: Matrix, beta: f64, c: Matrix) {
    c.scale(beta);
    for column in 0..c.columns() {
        for inner in 0..a.columns() {
            let factor = alpha * b.get(inner, column);
            if factor != 0.0 {
                for row in 0..c.rows() {
                    c.set(row, column, c.get(row, column) + factor * a.get(row, inner));
                }
            }
        }
    }
}

/// `B = alpha inv(A) B`.
pub(crate) fn trsm(alpha: f64, triangle: Triangle, a: Matrix, b: Matrix) {
    b.scale(alpha);
    for column in 0..b.columns() {
        solve(triangle, a, |row| b.get(row, column), |row, value| b.set(row, column, value));
    }
}

/// `x = inv(A) x`.
pub(crate) fn trsv(triangle: Triangle, a: Matrix, x: Vector) {
    solve(triangle, a, |row| x.get(row), |row, value| x.set(row, value));
}

/// Solves for one right-hand side, from the corner of the triangle on.
fn solve(triangle: Triangle, a: Matrix, get: impl Fn(usize) -> f64, set: impl Fn(usize, f64)) {
    let order = a.rows();
    for step in 0..order {
        let row = if triangle.is_upper { order - 1 - step } else { step };
        let known = if triangle.is_upper { row + 1..order } else { 0..row };
        let rest: f64 = known.map(|column| a.get(row, column) * get(column)).sum();
        let value = get(row) - rest;
        set(row, if triangle.has_ones { value } else { value / a.get(row, row) });
    }
}

/// `y = alpha A x + beta y`.
pub(crate) fn gemv(alpha: f64, a: Matrix, x: Vector, beta: f64, y: Vector) {
    for row in 0..a.rows() {
        let product: f64 = (0..a.columns()).map(|at| a.get(row, at) * x.get(at)).sum();
        let before = if beta == 0.0 { 0.0 } else { beta * y.get(row) };
        y.set(row, alpha * product + before);
    }
}

/// `A = A + alpha x y'`.
pub(crate) fn ger(alpha: f64, x: Vector, y: Vector, a: Matrix) {
    for column in 0..a.columns() {
        let factor = alpha * y.get(column);
        for row in 0..a.rows() {
            a.set(row, column, a.get(row, column) + factor * x.get(row));
        }
    }
}

/// `y = alpha x + y`.
pub(crate) fn axpy(alpha: f64, x: Vector, y: Vector) {
    (0..x.length()).for_each(|at| y.set(at, alpha * x.get(at) + y.get(at)));
}

/// `x = alpha x`.
pub(crate) fn scal(alpha: f64, x: Vector) {
    (0..x.length()).for_each(|at| x.set(at, alpha * x.get(at)));
}

/// `y = x`.
pub(crate) fn copy(x: Vector, y: Vector) {
    (0..x.length()).for_each(|at| y.set(at, x.get(at)));
}

/// Exchanges `x` and `y`.
pub(crate) fn swap(x: Vector, y: Vector) {
    for at in 0..x.length() {
        let kept = x.get(at);
        x.set(at, y.get(at));
        y.set(at, kept);
    }
}

/// The place of the first element with the largest absolute value, from zero; zero if none is.
pub(crate) fn iamax(x: Vector) -> usize {
    let mut best = 0;
    for at in 1..x.length() {
        if x.get(at).abs() > x.get(best).abs() {
            best = at;
        }
    }
    best
}
