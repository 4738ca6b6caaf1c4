//! Polynomials in up to three dimensions.

use super::known::MOST_DIMENSIONS;

/// The powers of each dimension in one term.
pub type Monomial = [u8; MOST_DIMENSIONS];

/// A polynomial in the dimensions of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polynomial {
    /// Coefficients of the products in which a dimension occurs at most once: bit `i` of the
    /// index tells whether dimension `i` does. Nearly all models have no other terms.
    products: [f64; 8],
    /// All other terms.
    powers: Vec<(f64, Monomial)>,
}

impl Polynomial {
    /// A polynomial that is zero.
    pub const ZERO: Polynomial = Polynomial { products: [0.0; 8], powers: Vec::new() };

    /// The sum of these terms.
    pub fn new(terms: impl IntoIterator<Item = (f64, Monomial)>) -> Self {
        let mut polynomial = Self::default();
        terms.into_iter().for_each(|(coefficient, powers)| polynomial.add(coefficient, powers));
        polynomial
    }

    /// Adds a term.
    pub fn add(&mut self, coefficient: f64, powers: Monomial) {
        if powers.iter().all(|power| *power <= 1) {
            let index = powers.iter().rev().fold(0, |index, power| 2 * index + usize::from(*power));
            self.products[index] += coefficient;
        } else {
            self.powers.push((coefficient, powers));
        }
    }

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.products == [0.0; 8] && self.powers.iter().all(|(coefficient, _)| *coefficient == 0.0)
    }

    /// Its value; called tens of millions of times in a run.
    #[inline]
    pub fn at(&self, [m, n, k]: [f64; MOST_DIMENSIONS]) -> f64 {
        let [one, pm, pn, pmn, pk, pmk, pnk, pmnk] = self.products;
        let with_m = pm + n * (pmn + k * pmnk) + k * pmk;
        let mut value = one + m * with_m + n * (pn + k * pnk) + k * pk;
        for (coefficient, powers) in &self.powers {
            let raised = |dimension: f64, power: u8| dimension.powi(i32::from(power));
            value +=
                coefficient * raised(m, powers[0]) * raised(n, powers[1]) * raised(k, powers[2]);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_of_dimensions_counts_once() {
        for index in 0..8_u8 {
            let powers = [index & 1, index >> 1 & 1, index >> 2];
            let polynomial = Polynomial::new([(10.0, powers)]);
            let expected = [2.0, 3.0, 5.0]
                .iter()
                .zip(powers)
                .map(|(dimension, power): (&f64, u8)| dimension.powi(power.into()))
                .product::<f64>();
            assert_eq!(polynomial.at([2.0, 3.0, 5.0]), 10.0 * expected);
        }
    }

    #[test]
    fn higher_powers_are_added() {
        let polynomial = Polynomial::new([(2.0, [2, 1, 0]), (1.0, [0, 0, 0]), (0.5, [0, 0, 3])]);
        assert_eq!(polynomial.at([3.0, 5.0, 2.0]), 2.0 * 45.0 + 1.0 + 4.0);
        assert!(!polynomial.is_zero());
        assert!(Polynomial::ZERO.is_zero());
    }
}
