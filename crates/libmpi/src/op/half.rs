//! Numbers of 16 bits: IEEE binary16, `MPI_REAL2`.
//!
//! They are computed with as single precision and rounded back. That rounds twice and still gives
//! the nearest number: 24 bits are at least twice 11 and two more. Figueroa 1995.

use super::number::{Arithmetic, Ordered, Plain};

/// A number of 16 bits, as its bits.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Half(pub(super) u16);

// SAFETY: an integer has no pattern of bits that is not one.
unsafe impl Plain for Half {}

impl Half {
    /// The same number with more bits.
    fn widen(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let rest = u32::from(self.0 & 0x7fff);
        let magnitude = match rest >> 10 {
            // Zero, and numbers too small for an exponent: multiples of 2^-24.
            0 => (rest as f32 / 16_777_216.0).to_bits(),
            // Infinite, or no number.
            31 => 0x7f80_0000 | rest << 13,
            _ => (rest << 13) + (112 << 23),
        };
        f32::from_bits(sign | magnitude)
    }

    /// The nearest one, the even one of two.
    fn nearest(value: f32) -> Half {
        let bits = value.to_bits();
        let sign = (bits >> 16) as u16 & 0x8000;
        let magnitude = bits & 0x7fff_ffff;
        let rest = match magnitude {
            0x7f80_0001.. => 0x7e00,
            // From halfway behind the largest number on.
            0x477f_f000.. => 0x7c00,
            // Numbers with an exponent of their own; a carry goes into the exponent, rightly.
            0x3880_0000.. => {
                let odd = magnitude >> 13 & 1;
                (magnitude - (112 << 23) + 0x0fff + odd) >> 13
            }
            // Multiples of 2^-24: adding 1/2 lets single precision round to them.
            _ => (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits(),
        };
        Half(sign | rest as u16)
    }

    /// The difference.
    pub(super) fn minus(self, other: Self) -> Self {
        Half::nearest(self.widen() - other.widen())
    }
}

impl Arithmetic for Half {
    fn plus(self, other: Self) -> Self {
        Half::nearest(self.widen() + other.widen())
    }

    fn times(self, other: Self) -> Self {
        Half::nearest(self.widen() * other.widen())
    }
}

impl Ordered for Half {
    fn is_below(self, other: Self) -> bool {
        self.widen() < other.widen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let half = Half(bits);
            if half.widen().is_nan() {
                assert!(Half::nearest(half.widen()).widen().is_nan());
            } else {
                assert_eq!(Half::nearest(half.widen()).0, bits);
            }
        }
    }

    #[test]
    fn ties_go_to_the_even_one() {
        let check = |value: f32, bits: u16| assert_eq!(Half::nearest(value).0, bits, "{value}");
        check(1.0, 0x3c00);
        check(1.0 + 1.0 / 2048.0, 0x3c00);
        check(1.0 + 3.0 / 2048.0, 0x3c02);
        check(65_519.0, 0x7bff);
        check(65_520.0, 0x7c00);
        check(1.5 / 16_777_216.0, 0x0002);
        check(0.5 / 16_777_216.0, 0x0000);
        check(-2.0, 0xc000);
    }
}
