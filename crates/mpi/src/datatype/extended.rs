//! Between the 80-bit numbers of the x87 and IEEE binary128.
//!
//! Both have 15 bits of exponent with the same bias; the x87 writes the leading bit of its 64-bit
//! significand, binary128 leaves it out and has 112 bits behind it.

/// Bits of a binary128 fraction below those that an 80-bit number has.
const EXTRA: u32 = 112 - 63;
const LEADING: u64 = 1 << 63;
const QUIET: u64 = 1 << 62;
const EXPONENTS: u16 = 0x7fff;

/// The binary128 with the value of an x87 number in 10 or more bytes. Encodings that the
/// processor refuses become NaN.
pub(super) fn to_quad(native: &[u8]) -> u128 {
    let bits = native[..10].iter().rev().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    let (significand, top) = (bits as u64, (bits >> 64) as u16);
    let (negative, exponent) = (top & !EXPONENTS, top & EXPONENTS);
    let has_leading = significand & LEADING != 0;
    let (exponent, fraction) = match exponent {
        // A leading bit makes a subnormal number normal.
        0 => (u16::from(has_leading), significand & !LEADING),
        _ if !has_leading => (EXPONENTS, QUIET),
        _ => (exponent, significand & !LEADING),
    };
    u128::from(negative | exponent) << 112 | u128::from(fraction) << EXTRA
}

/// The x87 number closest to a binary128, in its 16 bytes; ties go to the even one.
pub(super) fn from_quad(quad: u128) -> [u8; 16] {
    let top = (quad >> 112) as u16;
    let (negative, exponent) = (top & !EXPONENTS, top & EXPONENTS);
    let fraction = quad & ((1 << 112) - 1);
    let kept = (fraction >> EXTRA) as u64;
    let (exponent, significand) = if exponent == EXPONENTS {
        let is_nan = fraction != 0;
        (EXPONENTS, LEADING | kept | if is_nan { QUIET } else { 0 })
    } else {
        rounded(exponent, kept, fraction & ((1 << EXTRA) - 1))
    };
    let bits = u128::from(negative | exponent) << 64 | u128::from(significand);
    bits.to_le_bytes()
}

/// Rounds a finite number by the bits that are dropped; a carry goes into the exponent.
fn rounded(exponent: u16, kept: u64, dropped: u128) -> (u16, u64) {
    let half = 1 << (EXTRA - 1);
    let goes_up = dropped > half || (dropped == half && kept & 1 == 1);
    let fraction = kept + u64::from(goes_up);
    // The carry out of 63 bits of fraction; infinity has an empty fraction, too.
    let exponent = exponent + (fraction >> 63) as u16;
    let leading = if exponent > 0 { LEADING } else { 0 };
    (exponent, leading | fraction & !LEADING)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An x87 number by its upper 16 and lower 64 bits.
    fn extended(top: u16, significand: u64) -> [u8; 16] {
        (u128::from(top) << 64 | u128::from(significand)).to_le_bytes()
    }

    fn check(top: u16, significand: u64, quad: u128) {
        assert_eq!(to_quad(&extended(top, significand)), quad, "{top:x} {significand:x}");
        assert_eq!(from_quad(quad), extended(top, significand), "{quad:x}");
    }

    #[test]
    fn known_numbers_have_their_encodings() {
        check(0, 0, 0);
        check(0x8000, 0, 1 << 127);
        check(0x3fff, LEADING, 0x3fff << 112);
        check(0xc000, 3 << 62, 0xc000_8000 << 96);
        check(0x7fff, LEADING, 0x7fff << 112);
        check(0x7fff, 3 << 62, 0x7fff_8000 << 96);
        check(0, 1, 1 << EXTRA);
        check(1, LEADING, 1 << 112);
    }

    #[test]
    fn strange_encodings_become_ordinary_ones() {
        assert_eq!(to_quad(&extended(0, LEADING | 5)), 1 << 112 | 5 << EXTRA);
        assert_eq!(to_quad(&extended(0x3fff, 1)), 0x7fff_8000 << 96);
        assert_eq!(to_quad(&extended(0x7fff, 0)), 0x7fff_8000 << 96);
    }

    #[test]
    fn rounding_goes_to_the_nearest_and_carries() {
        let one = 0x3fff_u128 << 112;
        let half = 1_u128 << (EXTRA - 1);
        assert_eq!(from_quad(one + half), extended(0x3fff, LEADING));
        assert_eq!(from_quad(one + half + 1), extended(0x3fff, LEADING | 1));
        assert_eq!(from_quad(one + 3 * half), extended(0x3fff, LEADING | 2));
        assert_eq!(from_quad((0x4000 << 112) - 1), extended(0x4000, LEADING));
        assert_eq!(from_quad((0x7fff << 112) - 1), extended(0x7fff, LEADING));
        assert_eq!(from_quad((1 << 112) - 1), extended(1, LEADING));
    }

    proptest! {
        #[test]
        fn what_has_80_bits_survives(negative: bool, exponent in 0..0x7fff_u16, low: u64) {
            let leading = if exponent > 0 { LEADING } else { 0 };
            let top = exponent | u16::from(negative) << 15;
            let native = extended(top, low & !LEADING | leading);
            prop_assert_eq!(from_quad(to_quad(&native)), native);
        }

        #[test]
        fn doubles_keep_their_value(bits: u64) {
            prop_assume!(f64::from_bits(bits).is_normal());
            // A double widened by hand: exponent biased anew, fraction moved up.
            let exponent = (bits >> 52 & 0x7ff) as u16 + (16383 - 1023);
            let top = exponent | ((bits >> 63) as u16) << 15;
            let native = extended(top, LEADING | (bits & ((1 << 52) - 1)) << 11);
            let quad = u128::from(top) << 112 | u128::from(bits & ((1 << 52) - 1)) << 60;
            prop_assert_eq!(to_quad(&native), quad);
        }
    }
}
