//! Text and numbers, put together quickly.

/// Picoseconds of a date.
#[inline]
pub(super) fn picoseconds(date: f64) -> u64 {
    // Dates are not negative: this rounds, and faster than rounding does.
    (date * 1e12 + 0.5) as u64
}

/// Nanoseconds of a date.
#[inline]
pub(super) fn nanoseconds(date: f64) -> u64 {
    (date * 1e9 + 0.5) as u64
}

const PAIRS: &[u8; 200] = b"\
0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// A short text, in place. Copying all of it takes less than asking how much of it there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    bytes: [u8; 32],
    length: usize,
}

impl Word {
    /// The most bytes that it has room for.
    pub(super) const MOST: usize = 32;

    /// A text of no more than [`Word::MOST`] bytes.
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; Self::MOST];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() }
    }

    /// Adds it to a text.
    #[inline]
    pub(super) fn push_to(&self, text: &mut Vec<u8>) {
        let length = text.len() + self.length;
        text.extend_from_slice(&self.bytes);
        text.truncate(length);
    }
}

/// One line being put together, in place.
#[derive(Debug)]
pub(super) struct Line {
    bytes: [u8; 320],
    length: usize,
}

impl Line {
    /// A line that begins with a byte. No line may get longer than eight words or numbers.
    pub(super) const fn new() -> Self {
        Self { bytes: [0; 320], length: 0 }
    }

    /// Begins anew.
    #[inline]
    pub(super) fn begin(&mut self, byte: u8) -> &mut Self {
        self.bytes[0] = byte;
        self.length = 1;
        self
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes[self.length] = byte;
        self.length += 1;
        self
    }

    #[inline]
    pub(super) fn word(&mut self, word: &Word) -> &mut Self {
        self.bytes[self.length..self.length + Word::MOST].copy_from_slice(&word.bytes);
        self.length += word.length;
        self
    }

    #[inline]
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        let count = number.checked_ilog10().map_or(1, |digits| digits as usize + 1);
        let place = &mut self.bytes[self.length..self.length + count];
        digits(place, number);
        self.length += count;
        self
    }

    /// Adds the line to a text.
    #[inline]
    pub(super) fn push_to(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(&self.bytes[..self.length]);
    }
}

/// Fills a place with the digits of a number, from the last on.
#[inline]
fn digits(place: &mut [u8], mut number: u64) {
    let mut at = place.len();
    while number >= 100 {
        let pair = (number % 100) as usize * 2;
        number /= 100;
        at -= 2;
        place[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if number >= 10 {
        let pair = number as usize * 2;
        place[at - 2..at].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        place[at - 1] = b'0' + number as u8;
    }
}

/// Adds a number in decimal digits.
#[inline]
pub(super) fn push_number(text: &mut Vec<u8>, number: u64) {
    let mut place = [0; 20];
    let count = number.checked_ilog10().map_or(1, |digits| digits as usize + 1);
    digits(&mut place[..count], number);
    text.extend_from_slice(&place[..count]);
}

/// Adds a number that may be negative.
pub(super) fn push_signed(text: &mut Vec<u8>, number: i64) {
    if number < 0 {
        text.push(b'-');
    }
    push_number(text, number.unsigned_abs());
}

/// Adds a date in seconds, exact to a picosecond.
pub(super) fn push_seconds(text: &mut Vec<u8>, date: f64) {
    let all = picoseconds(date);
    push_number(text, all / 1_000_000_000_000);
    let mut rest = all % 1_000_000_000_000;
    if rest == 0 {
        return;
    }
    let mut digits = 12;
    while rest.is_multiple_of(10) {
        rest /= 10;
        digits -= 1;
    }
    text.push(b'.');
    let start = text.len();
    push_number(text, rest);
    let missing = digits - (text.len() - start);
    text.splice(start..start, std::iter::repeat_n(b'0', missing));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_everybody_writes_them() {
        for number in [0, 7, 10, 42, 99, 100, 12_345, 1_000_000, u64::MAX] {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }

    #[test]
    fn seconds_have_no_more_digits_than_they_need() {
        let check = |date, expected: &str| {
            let mut text = Vec::new();
            push_seconds(&mut text, date);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        };
        check(0.0, "0");
        check(2.5, "2.5");
        check(1e-12, "0.000000000001");
        check(12.000_030_4, "12.0000304");
    }
}
