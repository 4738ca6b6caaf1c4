//! Records and the numbers in them.

/// Stands for a number that is not defined.
pub(super) const UNDEFINED: u64 = u64::MAX;

/// No record of an event is longer, its date included; a power of two.
const LONGEST: usize = 128;

/// What a record needs while it is written: its last number may reach over its end.
pub(super) const ROOM: usize = LONGEST + size_of::<u128>();

/// One record of an event, in a room that is large enough: nothing has to be asked on the way.
#[derive(Debug)]
pub(super) struct Record<'a> {
    room: &'a mut [u8; ROOM],
    length: usize,
}

impl Record<'_> {
    /// Writes a record where a page has room for it; tells how long it is.
    #[inline]
    pub(super) fn write(room: &mut [u8; ROOM], fill: impl FnOnce(&mut Record<'_>)) -> usize {
        let mut record = Record { room, length: 0 };
        fill(&mut record);
        record.length
    }

    /// Stores all of some bytes, of which only the first count. Where they go is said in a way that
    /// needs no look at whether there is room.
    #[inline(always)]
    fn store<const N: usize>(&mut self, bytes: [u8; N], count: usize) {
        debug_assert!(self.length < LONGEST, "a record is too long");
        let at = self.length % LONGEST;
        self.room[at..at + N].copy_from_slice(&bytes);
        self.length += count;
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.store([byte], 1);
    }

    /// A number of eight bytes.
    #[inline]
    pub(super) fn full(&mut self, number: u64) {
        self.store(number.to_le_bytes(), 8);
    }

    /// A number with as many bytes as it needs, behind their count.
    #[inline]
    pub(super) fn number(&mut self, number: u64) {
        let count = 8 - number.leading_zeros() as usize / 8;
        // All bytes are stored and some taken back: that needs no loop.
        let bytes = (u128::from(number) << 8 | count as u128).to_le_bytes();
        self.store(bytes, 1 + count);
    }

    /// A record that is short and known beforehand.
    #[inline]
    pub(super) fn short(&mut self, short: Short) {
        self.store(short.bytes, short.length.into());
    }

    /// A number that is not defined.
    pub(super) fn undefined(&mut self) {
        self.byte(0xff);
    }

    /// A whole record: its kind, its length, and what `fill` writes.
    #[inline]
    pub(super) fn with_length(&mut self, kind: u8, fill: impl FnOnce(&mut Self)) {
        self.byte(kind);
        let at = self.length % LONGEST;
        self.byte(0);
        fill(self);
        self.room[at] = (self.length - at - 1) as u8;
    }
}

/// A record with one field, of no more than eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Short {
    bytes: [u8; 8],
    length: u8,
}

impl Short {
    /// One of a kind, with a number of no more than six bytes.
    pub(super) fn new(kind: u8, field: u32) -> Self {
        let mut room = [0; ROOM];
        let length = Record::write(&mut room, |record| {
            record.byte(kind);
            record.number(field.into());
        });
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&room[..8]);
        Self { bytes, length: length as u8 }
    }
}

/// Records of definitions, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) bytes: Vec<u8>,
    pub(super) count: u64,
    body: Vec<u8>,
}

impl Records {
    /// Adds a record.
    pub(super) fn add(&mut self, kind: u8, fill: impl FnOnce(&mut Body<'_>)) {
        self.body.clear();
        fill(&mut Body(&mut self.body));
        self.bytes.push(kind);
        match u8::try_from(self.body.len()) {
            Ok(length) if length < 0xff => self.bytes.push(length),
            _ => {
                self.bytes.push(0xff);
                self.bytes.extend_from_slice(&(self.body.len() as u64).to_le_bytes());
            }
        }
        self.bytes.extend_from_slice(&self.body);
        self.count += 1;
    }
}

/// What a record of a definition says.
pub(super) struct Body<'a>(&'a mut Vec<u8>);

impl Body<'_> {
    /// A number, compressed; the largest is the undefined one.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        if number == UNDEFINED {
            self.0.push(0xff);
            return self;
        }
        let count = 8 - number.leading_zeros() as usize / 8;
        self.0.push(count as u8);
        self.0.extend_from_slice(&number.to_le_bytes()[..count]);
        self
    }

    /// Several numbers.
    pub(super) fn numbers(&mut self, numbers: &[u64]) -> &mut Self {
        numbers.iter().for_each(|number| _ = self.number(*number));
        self
    }

    pub(super) fn byte(&mut self, byte: u8) -> &mut Self {
        self.0.push(byte);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend(text.bytes().filter(|byte| *byte != 0));
        self.0.push(0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        let mut room = [0; ROOM];
        let length = Record::write(&mut room, |record| {
            record.with_length(14, |record| {
                record.number(0);
                record.number(0x1ff);
                record.undefined();
            });
        });
        assert_eq!(room[..length], [14, 5, 0, 2, 0xff, 1, 0xff]);
    }

    #[test]
    fn a_short_record_is_what_it_would_be_otherwise() {
        for field in [0, 1, 255, 256, u32::MAX] {
            let (mut one, mut other) = ([0; ROOM], [0; ROOM]);
            let long = Record::write(&mut one, |record| {
                record.byte(12);
                record.number(field.into());
            });
            let short = Record::write(&mut other, |record| record.short(Short::new(12, field)));
            assert_eq!(one[..long], other[..short]);
        }
    }

    #[test]
    fn long_definitions_tell_their_length_in_eight_bytes() {
        let mut records = Records::default();
        records.add(10, |body| _ = body.number(3).text(&"a".repeat(300)));
        assert_eq!(&records.bytes[..4], [10, 0xff, 47, 1]);
        assert_eq!((records.bytes.len(), records.count), (10 + 303, 1));
    }
}
