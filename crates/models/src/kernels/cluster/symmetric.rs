//! Small symmetric matrices: covariances of a handful of coefficients.

/// Sweeps of Jacobi's method; a matrix of ten rows needs about eight.
const SWEEPS: usize = 60;

/// A symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    order: usize,
    elements: Vec<f64>,
}

impl Symmetric {
    /// A matrix of zeros.
    pub fn zero(order: usize) -> Self {
        Self { order, elements: vec![0.0; order * order] }
    }

    /// The matrix with these rows, if they are square, symmetric and finite.
    pub fn from_rows(rows: &[Vec<f64>]) -> Option<Self> {
        let order = rows.len();
        let elements: Vec<f64> = rows.iter().flatten().copied().collect();
        let matrix = Self { order, elements };
        let is_square = rows.iter().all(|row| row.len() == order);
        let is_sound = is_square
            && matrix.elements.iter().all(|element| element.is_finite())
            && (0..order).all(|i| (0..i).all(|j| matrix.at(i, j) == matrix.at(j, i)));
        is_sound.then_some(matrix)
    }

    /// Rows and columns.
    pub fn order(&self) -> usize {
        self.order
    }

    /// One element.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.elements[row * self.order + column]
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.elements.chunks(self.order.max(1))
    }

    /// Adds `factor` times the product of a vector with itself.
    pub fn add_square(&mut self, factor: f64, vector: &[f64]) {
        for (row, a) in self.elements.chunks_mut(self.order).zip(vector) {
            row.iter_mut().zip(vector).for_each(|(element, b)| *element += factor * a * b);
        }
    }

    /// Adds `factor` times another matrix.
    pub fn add(&mut self, factor: f64, other: &Symmetric) {
        let both = self.elements.iter_mut().zip(&other.elements);
        both.for_each(|(element, more)| *element += factor * more);
    }

    /// The closest matrix that is a covariance: directions of negative variance get none. What is
    /// close is measured in units of `scales`, since coefficients differ by orders of magnitude.
    pub fn as_covariance(&self, scales: &[f64]) -> Symmetric {
        let mut found = Symmetric::zero(self.order);
        for column in self.root_scaled(scales) {
            found.add_square(1.0, &column);
        }
        found
    }

    /// The columns of a matrix `R` with `R R' = self`, for a covariance.
    pub fn root(&self) -> Vec<Vec<f64>> {
        let scales: Vec<f64> = (0..self.order).map(|i| self.at(i, i).max(0.0).sqrt()).collect();
        self.root_scaled(&scales)
    }

    fn root_scaled(&self, scales: &[f64]) -> Vec<Vec<f64>> {
        // A coefficient that does not vary may have any scale.
        let scales: Vec<f64> = scales.iter().map(|s| if *s > 0.0 { *s } else { 1.0 }).collect();
        let mut scaled = self.clone();
        for (place, element) in scaled.elements.iter_mut().enumerate() {
            *element /= scales[place / self.order] * scales[place % self.order];
        }
        let (values, vectors) = scaled.eigen();
        let stretched = |value: f64, vector: Vec<f64>| {
            let length = value.max(0.0).sqrt();
            vector.iter().zip(&scales).map(|(part, scale)| length * part * scale).collect()
        };
        values.into_iter().zip(vectors).map(|(value, vector)| stretched(value, vector)).collect()
    }

    /// Eigenvalues and eigenvectors, by Jacobi's rotations.
    fn eigen(mut self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let order = self.order;
        let unit = |i: usize| (0..order).map(|j| f64::from(u8::from(i == j))).collect();
        let mut vectors: Vec<Vec<f64>> = (0..order).map(unit).collect();
        for _ in 0..SWEEPS {
            for p in 0..order {
                for q in p + 1..order {
                    self.rotate(p, q, &mut vectors);
                }
            }
        }
        ((0..order).map(|i| self.at(i, i)).collect(), vectors)
    }

    /// Turns rows and columns `p` and `q` so that their common element vanishes.
    fn rotate(&mut self, p: usize, q: usize, vectors: &mut [Vec<f64>]) {
        let common = self.at(p, q);
        if common == 0.0 {
            return;
        }
        let theta = (self.at(q, q) - self.at(p, p)) / (2.0 * common);
        let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
        let cosine = 1.0 / tangent.hypot(1.0);
        let sine = tangent * cosine;
        let order = self.order;
        for k in 0..order {
            let (a, b) = (self.at(k, p), self.at(k, q));
            self.elements[k * order + p] = cosine * a - sine * b;
            self.elements[k * order + q] = sine * a + cosine * b;
        }
        for k in 0..order {
            let (a, b) = (self.at(p, k), self.at(q, k));
            self.elements[p * order + k] = cosine * a - sine * b;
            self.elements[q * order + k] = sine * a + cosine * b;
        }
        let (before, after) = vectors.split_at_mut(q);
        for (a, b) in before[p].iter_mut().zip(&mut after[0]) {
            (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Symmetric {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        Symmetric::from_rows(&rows).unwrap()
    }

    fn check_same(a: &Symmetric, b: &Symmetric) {
        for (a, b) in a.elements.iter().zip(&b.elements) {
            assert!((a - b).abs() <= 1e-12 * (a.abs() + b.abs()).max(1e-300), "{a:e} {b:e}");
        }
    }

    #[test]
    fn a_root_gives_the_matrix_again_whatever_the_units() {
        let plain = matrix(&[&[4.0, 2.0, 0.6], &[2.0, 3.0, 0.4], &[0.6, 0.4, 1.0]]);
        let units = [1e-11, 1e-6, 1e-13];
        let mut tiny = plain.clone();
        for (place, element) in tiny.elements.iter_mut().enumerate() {
            *element *= units[place / 3] * units[place % 3];
        }
        for covariance in [plain, tiny] {
            let mut again = Symmetric::zero(3);
            covariance.root().iter().for_each(|column| again.add_square(1.0, column));
            check_same(&again, &covariance);
        }
    }

    #[test]
    fn directions_of_negative_variance_get_none() {
        // Eigenvalues 3 and -1, along (1, 1) and (1, -1).
        let mixed = matrix(&[&[1.0, 2.0], &[2.0, 1.0]]);
        check_same(&mixed.as_covariance(&[1.0, 1.0]), &matrix(&[&[1.5, 1.5], &[1.5, 1.5]]));
        let sound = matrix(&[&[2.0, 1.0], &[1.0, 2.0]]);
        check_same(&sound.as_covariance(&[1.0, 1.0]), &sound);
    }

    #[test]
    fn rows_must_be_square_symmetric_and_finite() {
        assert!(Symmetric::from_rows(&[vec![1.0, 2.0], vec![2.0]]).is_none());
        assert!(Symmetric::from_rows(&[vec![1.0, 2.0], vec![3.0, 1.0]]).is_none());
        assert!(Symmetric::from_rows(&[vec![f64::NAN]]).is_none());
    }
}
