//! Numbers of any size in as few bytes as they need.

/// Adds a number, seven bits to a byte, the lowest first.
pub(super) fn write(number: u64, into: &mut Vec<u8>) {
    let mut rest = number;
    while rest >= 0x80 {
        into.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    into.push(rest as u8);
}

/// Takes a number off the front; none if there is no whole one, or none of 64 bits.
pub(super) fn read(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// An amount as a number: round ones have few bits set, all of them at one end.
pub(super) fn of_amount(amount: f64) -> u64 {
    amount.to_bits().swap_bytes()
}

/// The amount that [`of_amount`] made a number of.
pub(super) fn to_amount(number: u64) -> f64 {
    f64::from_bits(number.swap_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(number: u64) {
            let mut bytes = Vec::new();
            write(number, &mut bytes);
            let mut rest = &bytes[..];
            prop_assert_eq!(read(&mut rest), Some(number));
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn amounts_come_back(amount: f64) {
            prop_assert_eq!(to_amount(of_amount(amount)).to_bits(), amount.to_bits());
        }
    }

    #[test]
    fn half_a_number_is_none_and_neither_is_one_of_too_many_bits() {
        assert_eq!(read(&mut &[0x80_u8, 0x80][..]), None);
        assert_eq!(read(&mut &[0xff_u8; 11][..]), None);
        assert_eq!(read(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2][..]), None);
    }
}
