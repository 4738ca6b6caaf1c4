//! Text and numbers, put together quickly.

/// Picoseconds in a second, and nanoseconds.
pub(super) const PICOSECONDS: u64 = 1_000_000_000_000;
pub(super) const NANOSECONDS: u64 = 1_000_000_000;

/// Picoseconds of a date.
#[inline]
pub(super) fn picoseconds(date: f64) -> u64 {
    units::<PICOSECONDS>(date)
}

/// Nanoseconds of a date.
#[inline]
pub(super) fn nanoseconds(date: f64) -> u64 {
    units::<NANOSECONDS>(date)
}

/// A date in units of which so many make a second.
#[inline]
fn units<const PER_SECOND: u64>(date: f64) -> u64 {
    // Dates are not negative: this rounds, and faster than rounding does.
    (date * PER_SECOND as f64 + 0.5) as i64 as u64
}

/// Dates in units of which so many make a second. That of now is asked for again and again.
#[derive(Debug, Default)]
pub(super) struct Clock<const PER_SECOND: u64> {
    now: f64,
    units: u64,
}

impl<const PER_SECOND: u64> Clock<PER_SECOND> {
    /// What it shows at a date, which is now.
    #[inline]
    pub(super) fn reach(&mut self, date: f64) -> u64 {
        if self.now != date {
            *self = Self { now: date, units: units::<PER_SECOND>(date) };
        }
        self.units
    }

    /// What it showed at an earlier date, which may be now.
    #[inline]
    pub(super) fn at(&self, date: f64) -> u64 {
        if self.now == date { self.units } else { units::<PER_SECOND>(date) }
    }
}

/// A short text, in place. Copying all of it takes less than asking how much of it there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    bytes: [u8; 32],
    length: usize,
}

impl Word {
    /// A text of no more than 32 bytes.
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; 32];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, length: text.len() }
    }
}

/// No short record is longer; a power of two.
const LONGEST: usize = 256;

/// What a record needs while it is written: its last word may reach over its end.
pub(super) const ROOM: usize = LONGEST + size_of::<[u8; 32]>();

/// A record of text in a room that is large enough: nothing has to be asked on the way.
#[derive(Debug)]
pub(super) struct Record<'a> {
    room: &'a mut [u8; ROOM],
    length: usize,
}

/// What was written lately, by what it says: most dates and sizes come again soon. Where they do
/// not, as where no two ranks keep step, looking for them is given up for a while.
#[derive(Debug)]
pub(super) struct Recent<K> {
    places: Box<[(K, Word); PLACES]>,
    /// How often it was looked for something, and how often in vain, since this was judged last.
    searches: u32,
    misses: u32,
    /// For how many searches it is given up.
    rest: u32,
}

/// How much is remembered: more would leave the nearest cache.
const PLACES: usize = 128;
/// After how many misses it is judged whether at least as much was found, and how many searches are
/// spared if it was not.
const JUDGED: u32 = 64;
const SPARED: u32 = 4096;

impl<K: Copy> Recent<K> {
    /// Knows one thing and its text. All places have it, so that none is empty.
    pub(super) fn new(known: K, text: &str) -> Self {
        let places = Box::new([(known, Word::new(text)); PLACES]);
        Self { places, searches: 0, misses: 0, rest: 0 }
    }
}

impl Record<'_> {
    /// Writes a record where there is room for it; tells how long it is.
    #[inline]
    pub(super) fn write(room: &mut [u8; ROOM], fill: impl FnOnce(&mut Record<'_>)) -> usize {
        let mut record = Record { room, length: 0 };
        fill(&mut record);
        record.length
    }

    /// Writes what says something, from memory if that was written lately. Equal things have equal
    /// hints. A text that is longer than a word is not remembered.
    #[inline(always)]
    pub(super) fn recent<K: Copy + PartialEq>(
        &mut self,
        recent: &mut Recent<K>,
        (what, hint): (K, u64),
        write: impl FnOnce(&mut Self),
    ) {
        if recent.rest > 0 {
            recent.rest -= 1;
            return write(self);
        }
        let place = &mut recent.places[spread(hint) % PLACES];
        recent.searches += 1;
        if place.0 == what {
            self.word(&place.1);
            return;
        }
        recent.misses += 1;
        if recent.misses == JUDGED {
            recent.rest = if recent.searches < 2 * JUDGED { SPARED } else { 0 };
            (recent.searches, recent.misses) = (0, 0);
        }
        self.remember(place, what, write);
    }

    /// Writes what says something, and remembers it.
    #[inline(never)]
    fn remember<K>(&mut self, place: &mut (K, Word), what: K, write: impl FnOnce(&mut Self)) {
        let start = self.at();
        write(self);
        let length = self.length - start;
        if let Some(bytes) = self.room[start..].first_chunk()
            && length <= bytes.len()
        {
            *place = (what, Word { bytes: *bytes, length });
        }
    }

    /// A date, which is likely to come again.
    #[inline]
    pub(super) fn date(&mut self, dates: &mut Recent<u64>, date: u64) {
        self.recent(dates, (date, date), |record| record.number(date));
    }

    /// Where it goes on. What is said in this way needs no look at whether there is room.
    #[inline(always)]
    fn at(&self) -> usize {
        debug_assert!(self.length < LONGEST, "a record is too long");
        self.length % LONGEST
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.room[self.at()] = byte;
        self.length += 1;
    }

    #[inline]
    pub(super) fn word(&mut self, word: &Word) {
        self.store(&word.bytes, word.length);
    }

    /// A number in decimal digits.
    #[inline]
    pub(super) fn number(&mut self, number: u64) {
        if number < LARGE {
            let (digits, count) = short(number);
            self.store(&digits, count);
        } else {
            self.large(number);
        }
    }

    fn large(&mut self, number: u64) {
        self.number(number / LARGE);
        self.store(&eight_digits(number % LARGE).to_le_bytes(), 8);
    }

    /// Stores all of some bytes, of which only the first count: that needs no loop.
    #[inline]
    fn store<const N: usize>(&mut self, bytes: &[u8; N], count: usize) {
        let at = self.at();
        self.room[at..at + N].copy_from_slice(bytes);
        self.length += count;
    }
}

/// One of the places, for numbers that may differ in any digit.
#[inline]
fn spread(hint: u64) -> usize {
    (hint.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACES.ilog2())) as usize
}

/// Numbers from here on have more than eight digits.
const LARGE: u64 = 100_000_000;

/// Adds a number in decimal digits, eight at once: what is stored is not read again.
#[inline]
pub(super) fn push_number(text: &mut Vec<u8>, number: u64) {
    if number >= LARGE {
        push_number_above(text, number);
        return;
    }
    let (digits, count) = short(number);
    let length = text.len() + count;
    text.extend_from_slice(&digits);
    text.truncate(length);
}

/// The digits of a number below 10^8, and how many there are.
#[inline]
fn short(number: u64) -> ([u8; 8], usize) {
    let digits = eight_digits(number);
    // Zeros in front are bytes of '0'; the last digit is told even if it is one.
    let zeros = ((digits - 0x3030_3030_3030_3030) | 1 << 63).trailing_zeros() as usize / 8;
    ((digits >> (8 * zeros)).to_le_bytes(), 8 - zeros)
}

fn push_number_above(text: &mut Vec<u8>, number: u64) {
    push_number(text, number / LARGE);
    text.extend_from_slice(&eight_digits(number % LARGE).to_le_bytes());
}

/// The digits of a number below 10^8 in the bytes of another, the first in the lowest byte: halves
/// of four, then pairs, then single ones are cut off in all parts of the word at once.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    // 10486 / 2^20 is 1 / 100 for all numbers below 10^4, and 103 / 2^10 is 1 / 10 below 100.
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | (pairs - 10 * tens) << 8) + 0x3030_3030_3030_3030
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
        let some =
            [0, 7, 10, 42, 99, 100, 12_345, 99_999_999, 100_000_000, 1_000_000_007, u64::MAX];
        let mut dates = Recent::new(0, "0");
        let steps = (0..3_000_000_u64).step_by(37).map(|step| step * 33);
        for number in some.into_iter().chain(steps) {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
            let mut room = [0; ROOM];
            let thrice = |record: &mut Record<'_>| {
                record.number(number);
                record.date(&mut dates, number);
                record.date(&mut dates, number);
            };
            let length = Record::write(&mut room, thrice);
            assert_eq!(room[..length], *number.to_string().repeat(3).as_bytes());
        }
    }

    #[test]
    fn a_clock_shows_any_date_whatever_it_was_asked_before() {
        let mut clock = Clock::<NANOSECONDS>::default();
        for date in [0.0, 1.5e-9, 1.5e-9, 3.0, 0.25e-6, 3.0, 1e9] {
            assert_eq!(clock.at(date), nanoseconds(date));
            assert_eq!(clock.reach(date), nanoseconds(date));
            assert_eq!((clock.at(date), clock.at(7.0)), (nanoseconds(date), 7_000_000_000));
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
