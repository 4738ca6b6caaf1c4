//! `long double`: the 80-bit numbers of the x87 unit, in 16 bytes of memory.
//!
//! Rust has no such type. The unit itself computes, so that results are the very ones that
//! compiled code gets.

use std::arch::asm;

use super::number::{Arithmetic, Ordered, Plain};

/// A `long double`. The last six bytes mean nothing.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Extended([u8; 16]);

// SAFETY: bytes have no pattern of bits that is not a value, and the unit takes them all.
unsafe impl Plain for Extended {}

/// Loads both operands, runs an instruction on them and stores what it leaves.
macro_rules! combine {
    ($left:expr, $right:expr, $instruction:literal) => {{
        let mut result = Extended([0; 16]);
        // SAFETY: reads ten bytes of each operand and writes ten of the result, which have
        // sixteen; the unit's stack is as empty afterwards as it was before.
        unsafe {
            asm!(
                "fld tbyte ptr [{left}]",
                "fld tbyte ptr [{right}]",
                $instruction,
                "fstp tbyte ptr [{result}]",
                left = in(reg) &raw const $left,
                right = in(reg) &raw const $right,
                result = in(reg) &raw mut result,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        result
    }};
}

impl Arithmetic for Extended {
    #[inline]
    fn plus(self, other: Self) -> Self {
        combine!(self, other, "faddp st(1), st")
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        combine!(self, other, "fmulp st(1), st")
    }
}

impl Extended {
    /// The difference.
    #[inline]
    pub(super) fn minus(self, other: Self) -> Self {
        combine!(self, other, "fsubp st(1), st")
    }
}

impl Ordered for Extended {
    #[inline]
    fn is_below(self, other: Self) -> bool {
        let is_above: u8;
        // SAFETY: reads ten bytes of each operand, which have sixteen; both are taken off the
        // unit's stack again.
        unsafe {
            asm!(
                "fld tbyte ptr [{left}]",
                "fld tbyte ptr [{right}]",
                "fucomip st, st(1)",
                "fstp st(0)",
                "seta {is_above}",
                left = in(reg) &raw const self,
                right = in(reg) &raw const other,
                is_above = out(reg_byte) is_above,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack, readonly),
            );
        }
        is_above != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number `mantissa * 2^(exponent - 63)`.
    fn number(mantissa: u64, exponent: i16) -> Extended {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
        bytes[8..10].copy_from_slice(&(exponent + 16383).to_le_bytes());
        Extended(bytes)
    }

    const ONE: u64 = 1 << 63;

    #[test]
    fn all_64_bits_of_the_mantissa_count() {
        // 1 + 2^-63 needs every one of them.
        let sum = number(ONE, 0).plus(number(ONE, -63));
        assert_eq!(sum.0, number(ONE + 1, 0).0);
        assert_eq!(sum.minus(number(ONE, 0)).0, number(ONE, -63).0);
        assert_eq!(sum.times(number(ONE, 5)).0, number(ONE + 1, 5).0);
    }

    #[test]
    fn numbers_are_ordered_to_the_last_bit() {
        let (less, more) = (number(ONE, 0), number(ONE + 1, 0));
        assert!(less.is_below(more) && !more.is_below(less) && !less.is_below(less));
        assert_eq!((less.most(more).0, less.least(more).0), (more.0, less.0));
    }
}
