//! The little of protobuf that a trace needs.

/// A message being written.
#[derive(Debug, Default)]
pub(super) struct Wire {
    pub(super) bytes: Vec<u8>,
}

impl Wire {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn key(&mut self, field: u32, kind: u32) {
        self.varint(u64::from(field << 3 | kind));
    }

    /// A field that is a number.
    pub(super) fn number(&mut self, field: u32, number: u64) {
        self.key(field, 0);
        self.varint(number);
    }

    /// A field of eight bytes.
    pub(super) fn fixed(&mut self, field: u32, number: u64) {
        self.key(field, 1);
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// A field that is a text.
    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.key(field, 2);
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A field that is a message: what `fill` writes, behind its length.
    pub(super) fn message(&mut self, field: u32, fill: impl FnOnce(&mut Self)) {
        self.key(field, 2);
        let start = self.bytes.len();
        // Most are shorter than 128 bytes; for others room is made afterwards.
        self.bytes.push(0);
        fill(self);
        let length = self.bytes.len() - start - 1;
        if length < 0x80 {
            self.bytes[start] = length as u8;
        } else {
            let mut head = Wire::default();
            head.varint(length as u64);
            self.bytes.splice(start..=start, head.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_long_messages_are_as_protobuf_has_them() {
        let mut wire = Wire::default();
        wire.number(1, 150);
        assert_eq!(wire.bytes, [0x08, 0x96, 0x01]);
        let mut wire = Wire::default();
        wire.message(3, |wire| wire.text(2, &"a".repeat(200)));
        assert_eq!(wire.bytes[..6], [0x1a, 0xcb, 0x01, 0x12, 0xc8, 0x01]);
        assert_eq!(wire.bytes.len(), 6 + 200);
    }
}
