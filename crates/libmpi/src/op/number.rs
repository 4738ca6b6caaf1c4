//! Loops over packed numbers, and what can be done with two of them.

/// Numbers that may lie anywhere in memory and of which every pattern of bits is one.
///
/// # Safety
///
/// Every pattern of bits is a value.
pub(super) unsafe trait Plain: Copy {}

/// Replaces each right number by `f(left, right)`. One loop for each number and operation: the
/// compiler turns it into vector instructions.
#[inline(always)]
pub(super) fn each<T: Plain>(left: &[u8], right: &mut [u8], f: impl Fn(T, T) -> T) {
    let count = left.len().min(right.len()) / size_of::<T>();
    let (from, to) = (left.as_ptr().cast::<T>(), right.as_mut_ptr().cast::<T>());
    for at in 0..count {
        // SAFETY: `at` is below the number of values that both slices hold; all patterns of bits
        // are values (`Plain`), and nothing is said about alignment.
        unsafe {
            let value = f(from.add(at).read_unaligned(), to.add(at).read_unaligned());
            to.add(at).write_unaligned(value);
        }
    }
}

/// What has a sum and a product.
pub(super) trait Arithmetic: Plain {
    /// The sum; integers wrap around.
    fn plus(self, other: Self) -> Self;
    /// The product; integers wrap around.
    fn times(self, other: Self) -> Self;
}

/// What comes before or after others.
pub(super) trait Ordered: Plain {
    /// Whether it is less.
    fn is_below(self, other: Self) -> bool;

    /// The lesser of two.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self.is_below(other) { self } else { other }
    }

    /// The greater of two.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if other.is_below(self) { self } else { other }
    }
}

/// What is made of bits, and true unless all are zero.
pub(super) trait Bits: Plain {
    /// `MPI_BAND`.
    fn and(self, other: Self) -> Self;
    /// `MPI_BOR`.
    fn or(self, other: Self) -> Self;
    /// `MPI_BXOR`.
    fn xor(self, other: Self) -> Self;
    /// `MPI_LAND`.
    fn both(self, other: Self) -> Self;
    /// `MPI_LOR`.
    fn either(self, other: Self) -> Self;
    /// `MPI_LXOR`.
    fn one(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        // SAFETY: integers have no pattern of bits that is not one.
        unsafe impl Plain for $type {}

        impl Arithmetic for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }

        impl Ordered for $type {
            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self < other
            }
        }

        impl Bits for $type {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn both(self, other: Self) -> Self {
                (self != 0 && other != 0) as $type
            }

            #[inline(always)]
            fn either(self, other: Self) -> Self {
                (self != 0 || other != 0) as $type
            }

            #[inline(always)]
            fn one(self, other: Self) -> Self {
                ((self != 0) != (other != 0)) as $type
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 }

macro_rules! reals {
    ($($type:ty)*) => {$(
        // SAFETY: every pattern of bits is a number or none (NaN), which is a value too.
        unsafe impl Plain for $type {}

        impl Arithmetic for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
        }

        impl Ordered for $type {
            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self < other
            }
        }
    )*};
}

reals! { f32 f64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_need_no_alignment() {
        let mut left = [0; 9];
        left[1..].copy_from_slice(&[1_i32, 2].map(i32::to_ne_bytes).concat());
        let mut right = [10_i32, 20].map(i32::to_ne_bytes).concat();
        each::<i32>(&left[1..], &mut right, i32::plus);
        assert_eq!(right, [11_i32, 22].map(i32::to_ne_bytes).concat());
    }

    #[test]
    fn anything_but_zero_is_true() {
        assert_eq!((4_i32.both(2), 4_i32.either(0), 4_i32.one(2)), (1, 1, 0));
    }

    #[test]
    fn integers_wrap_around() {
        assert_eq!((i8::MAX.plus(1), i8::MAX.times(2)), (i8::MIN, -2));
    }
}
