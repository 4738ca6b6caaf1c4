//! Numbers of 128 bits: Fortran's `real(16)`, IEEE binary128.

use std::arch::asm;
use std::arch::x86_64::__m128i;

use super::number::{Arithmetic, Ordered, Plain};

/// A number of 128 bits, as its bits.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Quad(pub(super) u128);

// SAFETY: an integer has no pattern of bits that is not one.
unsafe impl Plain for Quad {}

// The compiler's own routines, which compiled programs use as well. Rust has no type that travels
// as their arguments do, in vector registers: they are called by hand, and their signatures here
// say nothing.
unsafe extern "C" {
    fn __addtf3();
    fn __subtf3();
    fn __multf3();
    fn __lttf2();
}

/// Calls a routine of two numbers that gives a third.
macro_rules! combine {
    ($left:expr, $right:expr, $routine:ident) => {{
        let mut result = $left.register();
        // SAFETY: the routine takes its arguments in these registers, gives its result in the
        // first, and keeps to the C convention otherwise.
        unsafe {
            asm!(
                "call {routine}@PLT",
                routine = sym $routine,
                inout("xmm0") result,
                in("xmm1") $right.register(),
                clobber_abi("C"),
            );
        }
        Quad::from_register(result)
    }};
}

impl Quad {
    fn register(self) -> __m128i {
        // SAFETY: both are 16 bytes of which every pattern is a value.
        unsafe { std::mem::transmute::<u128, __m128i>(self.0) }
    }

    fn from_register(register: __m128i) -> Quad {
        // SAFETY: as in `register`.
        Quad(unsafe { std::mem::transmute::<__m128i, u128>(register) })
    }

    /// The difference.
    pub(super) fn minus(self, other: Self) -> Self {
        combine!(self, other, __subtf3)
    }
}

impl Arithmetic for Quad {
    fn plus(self, other: Self) -> Self {
        combine!(self, other, __addtf3)
    }

    fn times(self, other: Self) -> Self {
        combine!(self, other, __multf3)
    }
}

impl Ordered for Quad {
    fn is_below(self, other: Self) -> bool {
        let order: i32;
        // SAFETY: as in `combine`; this one gives a number below zero if the first is less.
        unsafe {
            asm!(
                "call {routine}@PLT",
                routine = sym __lttf2,
                in("xmm0") self.register(),
                in("xmm1") other.register(),
                lateout("eax") order,
                clobber_abi("C"),
            );
        }
        order < 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number `(1 + fraction * 2^-112) * 2^exponent`.
    fn number(fraction: u128, exponent: i32) -> Quad {
        Quad(fraction | ((exponent + 16383) as u128) << 112)
    }

    #[test]
    fn all_bits_of_the_fraction_count() {
        let sum = number(0, 0).plus(number(0, -112));
        assert_eq!(sum.0, number(1, 0).0);
        assert_eq!(sum.minus(number(0, 0)).0, number(0, -112).0);
        assert_eq!(sum.times(number(0, 3)).0, number(1, 3).0);
        assert!(number(0, 0).is_below(sum) && !sum.is_below(sum));
    }
}
