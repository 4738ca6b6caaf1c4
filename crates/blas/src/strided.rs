//! Matrices and vectors in the caller's memory: a start, and steps from element to element.

use std::ffi::c_int;

/// A matrix in memory, stored by columns or by rows, or seen transposed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix {
    start: *mut f64,
    rows: usize,
    columns: usize,
    /// From an element to the one below it, and to the one right of it.
    down: usize,
    right: usize,
}

/// A vector in memory; a negative step begins at the end, as the BLAS has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector {
    start: *mut f64,
    length: usize,
    step: isize,
}

impl Matrix {
    /// A matrix stored by columns that are `leading` elements apart.
    ///
    /// # Safety
    ///
    /// All elements are there, and may be written to if the matrix is.
    pub(crate) unsafe fn new(
        start: *const f64,
        rows: c_int,
        columns: c_int,
        leading: c_int,
    ) -> Self {
        let size = |value: c_int| value.max(0) as usize;
        let (rows, columns, right) = (size(rows), size(columns), size(leading));
        Self { start: start.cast_mut(), rows, columns, down: 1, right }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The same elements, rows as columns.
    pub(crate) fn transposed(self) -> Self {
        let Self { start, rows, columns, down, right } = self;
        Self { start, rows: columns, columns: rows, down: right, right: down }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        // SAFETY: the place is inside the matrix, whose elements are all there.
        unsafe { *self.place(row, column) }
    }

    pub(crate) fn set(&self, row: usize, column: usize, value: f64) {
        // SAFETY: the place is inside the matrix, and nobody else looks at it meanwhile.
        unsafe { *self.place(row, column) = value }
    }

    /// Multiplies all elements; by zero even those that are no numbers.
    pub(crate) fn scale(&self, factor: f64) {
        if factor == 1.0 {
            return;
        }
        for column in 0..self.columns {
            for row in 0..self.rows {
                let scaled = if factor == 0.0 { 0.0 } else { factor * self.get(row, column) };
                self.set(row, column, scaled);
            }
        }
    }

    fn place(&self, row: usize, column: usize) -> *mut f64 {
        assert!(row < self.rows && column < self.columns, "an element outside of its matrix");
        self.start.wrapping_add(row * self.down + column * self.right)
    }
}

impl Vector {
    /// A vector of `length` elements, `step` apart.
    ///
    /// # Safety
    ///
    /// All elements are there, and may be written to if the vector is.
    pub(crate) unsafe fn new(start: *const f64, length: c_int, step: c_int) -> Self {
        let (length, step) = (length.max(0) as usize, step as isize);
        let first = if step < 0 { (1 - length as isize) * step } else { 0 };
        let start = if length == 0 { start } else { start.wrapping_offset(first) };
        Self { start: start.cast_mut(), length, step }
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn get(&self, at: usize) -> f64 {
        // SAFETY: the place is inside the vector, whose elements are all there.
        unsafe { *self.place(at) }
    }

    pub(crate) fn set(&self, at: usize, value: f64) {
        // SAFETY: the place is inside the vector, and nobody else looks at it meanwhile.
        unsafe { *self.place(at) = value }
    }

    fn place(&self, at: usize) -> *mut f64 {
        assert!(at < self.length, "an element outside of its vector");
        self.start.wrapping_offset(at as isize * self.step)
    }
}
