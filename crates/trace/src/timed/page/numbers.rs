//! Numbers in as few bytes as they need, and bytes as text.

/// Numbers one behind the other, seven bits to a byte, the lowest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Packed(Vec<u8>);

impl Packed {
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that may be negative: those take turns with the others.
    pub(super) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Bytes as text, three to four letters.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            match at <= group.len() {
                true => text.push(LETTERS[(all >> (18 - 6 * at) & 63) as usize].into()),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_as_everybody_tells_them() {
        let check = |bytes: &str, text: &str| assert_eq!(base64(bytes.as_bytes()), text);
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foobar", "Zm9vYmFy");
    }

    #[test]
    fn small_numbers_take_one_byte_whatever_their_sign() {
        let mut packed = Packed::default();
        packed.number(300);
        packed.signed(-3);
        packed.signed(2);
        assert_eq!(packed.bytes(), [0xac, 2, 5, 4]);
    }
}
