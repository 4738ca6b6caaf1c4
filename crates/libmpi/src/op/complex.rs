//! Complex numbers: a real and an imaginary part.

use super::extended::Extended;
use super::half::Half;
use super::number::{Arithmetic, Plain};
use super::quad::Quad;

/// A complex number of two parts of one precision.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Complex<R> {
    re: R,
    im: R,
}

// SAFETY: two parts of which every pattern of bits is a value, without holes between them.
unsafe impl<R: Plain> Plain for Complex<R> {}

/// A part of a complex number.
pub(super) trait Part: Arithmetic {
    /// The difference.
    fn minus(self, other: Self) -> Self;
}

impl<R: Part> Arithmetic for Complex<R> {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Complex { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Complex {
            re: self.re.times(other.re).minus(self.im.times(other.im)),
            im: self.re.times(other.im).plus(self.im.times(other.re)),
        }
    }
}

impl Part for f32 {
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
}

impl Part for f64 {
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
}

impl Part for Extended {
    #[inline]
    fn minus(self, other: Self) -> Self {
        Extended::minus(self, other)
    }
}

impl Part for Half {
    fn minus(self, other: Self) -> Self {
        Half::minus(self, other)
    }
}

impl Part for Quad {
    fn minus(self, other: Self) -> Self {
        Quad::minus(self, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_square_of_i_is_minus_one() {
        let i = Complex { re: 0.0, im: 1.0 };
        let square = i.times(i);
        assert_eq!((square.re, square.im), (-1.0, 0.0));
    }
}
