//! Type signatures: the sequence of basic types that a message consists of.
//!
//! A signature is kept as a polynomial hash modulo the prime 2^61 - 1, which can be appended and
//! repeated without looking at the elements: comparing two messages costs nothing to speak of.
//! Different signatures are taken for equal with a probability of about 2^-60 per comparison.

use super::basic::Basic;

const PRIME: u64 = (1 << 61) - 1;
/// An arbitrary number below the prime.
const BASE: u64 = 0x0b5c_9d1e_73a4_f26b;

/// The sequence of basic types of some data, in condensed form. MPI 4.1 sections 3.3.1 and 5.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signature {
    hash: u64,
    elements: u64,
    packed: u64,
}

impl Signature {
    /// Of one element; the two of a pair.
    pub(super) fn of(basic: Basic) -> Signature {
        let one = |part: Basic| Signature {
            hash: part as u64 + 1,
            elements: 1,
            packed: u64::from(part == Basic::Packed),
        };
        basic.parts().fold(Signature::default(), |all, (part, _)| all.then(one(part)))
    }

    /// This sequence and then the other.
    pub(super) fn then(self, next: Signature) -> Signature {
        Signature {
            hash: add(times(self.hash, power(next.elements)), next.hash),
            elements: self.elements.saturating_add(next.elements),
            packed: self.packed.saturating_add(next.packed),
        }
    }

    /// This sequence `count` times, in a logarithmic number of steps.
    pub(super) fn repeated(self, mut count: u64) -> Signature {
        let (mut all, mut square) = (Signature::default(), self);
        while count > 0 {
            if count & 1 == 1 {
                all = all.then(square);
            }
            count >>= 1;
            if count > 0 {
                square = square.then(square);
            }
        }
        all
    }

    /// How many basic elements there are.
    pub fn elements(self) -> u64 {
        self.elements
    }

    /// Whether data of one signature may be received as the other: the same basic types in the
    /// same order, or packed data on either side.
    pub fn matches(self, other: Signature) -> bool {
        let is_packed = |one: Signature| one.elements > 0 && one.packed == one.elements;
        is_packed(self) || is_packed(other) || self == other
    }
}

fn add(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

/// The base to the power of `exponent`.
fn power(mut exponent: u64) -> u64 {
    let (mut result, mut square) = (1, BASE);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters_and_grouping_does_not() {
        let [int, double] = [Basic::Int, Basic::Double].map(Signature::of);
        assert_ne!(int.then(double), double.then(int));
        assert_eq!(int.then(double.then(int)), int.then(double).then(int));
        assert_eq!(
            int.then(double).repeated(3),
            int.then(double.then(int).repeated(2)).then(double)
        );
        assert_eq!(Signature::of(Basic::DoubleInt), double.then(int));
        assert_ne!(int.repeated(1 << 40), int.repeated((1 << 40) + 1));
    }

    #[test]
    fn packed_data_matches_anything() {
        let [int, packed] = [Basic::Int, Basic::Packed].map(Signature::of);
        assert!(packed.repeated(4).matches(int) && int.matches(packed));
        assert!(!int.matches(Signature::of(Basic::Float)));
        assert!(int.matches(int) && !int.matches(int.repeated(2)));
    }
}
