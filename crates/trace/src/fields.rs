//! The fields of a line, and the numbers in them.

use crate::mistake::Mistake;

/// Counts beyond this are not exact as the floating-point numbers that traces may hold.
const LARGEST: f64 = 9e15;

/// Whole numbers with no more digits than this are exact as floating-point numbers, too.
const MOST_DIGITS: usize = 15;

/// Elements of one message: beyond any machine, and low enough that no sum of bytes overflows.
const MOST: u64 = 1 << 40;

/// The fields of a line, separated by any number of blanks and tabs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn new(line: &'a [u8]) -> Self {
        Self(line)
    }

    /// What has not been read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// Takes the next field, which is to be a whole number; one with a fraction is cut.
    ///
    /// Nearly all fields are a few digits: those are read in one pass.
    #[inline]
    pub(crate) fn integer(&mut self) -> Option<Result<i64, Mistake>> {
        while let [b' ' | b'\t' | b'\r', rest @ ..] = self.0 {
            self.0 = rest;
        }
        let (is_negative, digits) = match self.0 {
            [] => return None,
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let (mut value, mut rest) = (0_i64, digits);
        while let [byte @ b'0'..=b'9', behind @ ..] = rest {
            // More digits than count are refused below.
            value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0'));
            rest = behind;
        }
        let length = digits.len() - rest.len();
        if length.wrapping_sub(1) < MOST_DIGITS && rest.first().is_none_or(is_blank) {
            self.0 = rest;
            return Some(Ok(if is_negative { -value } else { value }));
        }
        self.next().map(integer)
    }

    /// Takes the next `count` fields, all of which must be numbers, as a list.
    pub(crate) fn list(&mut self, count: u32) -> Result<List<'a>, Mistake> {
        let all = self.0;
        for nth in 0..count {
            let what = || Mistake(format!("expected {count} counts here, there are {nth}"));
            size(self.next().ok_or_else(what)?)?;
        }
        Ok(List { text: &all[..all.len() - self.0.len()], count })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|byte| !is_blank(byte))?;
        let from = &self.0[start..];
        let (field, rest) = from.split_at(from.iter().position(is_blank).unwrap_or(from.len()));
        self.0 = rest;
        Some(field)
    }
}

#[inline]
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// A list of counts as it stands in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List<'a> {
    text: &'a [u8],
    count: u32,
}

impl<'a> List<'a> {
    /// A list of `count` numbers, each behind a blank. What is none counts as 0.
    pub fn written(text: &'a [u8], count: u32) -> Self {
        Self { text, count }
    }

    /// The numbers, of which the reader has made sure that they are numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + use<'a> {
        Fields(self.text).map(|field| size(field).unwrap_or_default())
    }

    /// The sum of them.
    pub fn sum(&self) -> u64 {
        self.iter().fold(0, u64::saturating_add)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Ranks as they stand in a line: runs of `first:count:stride`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Members<'a> {
    text: &'a [u8],
}

impl<'a> Members<'a> {
    /// Reads all that is left of a line.
    ///
    /// # Errors
    ///
    /// If something is no run of ranks, or if there are none or too many.
    pub fn parse(text: &'a [u8], ranks: u32) -> Result<Self, Mistake> {
        let members = Self::parse_any(text, ranks)?;
        match members.is_empty() {
            true => Err(Mistake("expected the ranks of the communicator here".into())),
            false => Ok(members),
        }
    }

    /// The same where there may be none.
    ///
    /// # Errors
    ///
    /// If something is no run of ranks, or if there are too many.
    pub fn parse_any(text: &'a [u8], ranks: u32) -> Result<Self, Mistake> {
        let mut count = 0;
        for field in Fields(text) {
            let run = Run::parse(field).filter(|run| run.last() < u64::from(ranks));
            let Some(run) = run else {
                let (field, ranks) = (shown(field), ranks.max(1));
                return Err(Mistake(format!(
                    "expected first:count:stride of {ranks} ranks, not {field}"
                )));
            };
            count += u64::from(run.count);
        }
        match count {
            count if count > u64::from(ranks) => {
                Err(Mistake(format!("expected at most {ranks} ranks, there are {count}")))
            }
            _ => Ok(Self { text: text.trim_ascii() }),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Ranks as they are to stand in a line, for [`Members::parse`].
    pub fn written(ranks: &[u32]) -> String {
        let (mut text, mut rest) = (String::new(), ranks);
        while let [first, ..] = rest {
            let stride = rest.get(1).and_then(|next| next.checked_sub(*first)).unwrap_or(1);
            let is_next = |at: &usize| {
                u64::from(rest[*at]) == u64::from(*first) + *at as u64 * u64::from(stride)
            };
            let count = (0..rest.len()).take_while(is_next).count();
            text.push_str(&format!(" {first}:{count}:{stride}"));
            rest = &rest[count..];
        }
        text
    }

    /// The ranks, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + use<'a> {
        let runs = Fields(self.text).filter_map(Run::parse);
        runs.flat_map(|run| (0..run.count).map(move |nth| run.first + nth * run.stride))
    }

    /// As they stand in the line.
    pub(crate) fn text(&self) -> &'a str {
        std::str::from_utf8(self.text).unwrap_or_default()
    }
}

/// Ranks at equal distances.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: u32,
    count: u32,
    stride: u32,
}

impl Run {
    fn parse(field: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(field).ok()?;
        let mut parts = text.split(':').map(|part| part.parse::<u32>().ok());
        let (first, count, stride) = (parts.next()??, parts.next()??, parts.next()??);
        (parts.next().is_none() && count > 0).then_some(Self { first, count, stride })
    }

    fn last(&self) -> u64 {
        u64::from(self.first) + (u64::from(self.count) - 1) * u64::from(self.stride)
    }
}

/// A field as the user typed it, for messages.
pub(crate) fn shown(field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field);
    let mut rest = text.chars();
    let short: String = rest.by_ref().take(40).map(harmless).collect();
    if rest.next().is_some() { format!("`{short}…`") } else { format!("`{short}`") }
}

/// What would move the cursor of a terminal, or more, is told by a sign of its own.
fn harmless(letter: char) -> char {
    if letter.is_control() { '\u{fffd}' } else { letter }
}

/// A whole number; one with a fraction is cut.
#[inline]
pub(crate) fn integer(field: &[u8]) -> Result<i64, Mistake> {
    let (is_negative, digits) = match field {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if (1..=MOST_DIGITS).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) {
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        return Ok(if is_negative { -value } else { value });
    }
    match floating(field) {
        Some(number) if number.abs() <= LARGEST => Ok(number.trunc() as i64),
        _ => Err(Mistake(format!("expected a number, not {}", shown(field)))),
    }
}

/// A count of elements.
pub(crate) fn size(field: &[u8]) -> Result<u64, Mistake> {
    checked_size(integer(field)?)
}

/// A number as a count of elements.
#[inline]
pub(crate) fn checked_size(number: i64) -> Result<u64, Mistake> {
    match u64::try_from(number) {
        Ok(count) if count <= MOST => Ok(count),
        _ => Err(Mistake(format!("expected a count from 0 to 2^40, not {number}"))),
    }
}

/// An amount of work: flops or seconds.
pub(crate) fn amount(field: &[u8]) -> Result<f64, Mistake> {
    match floating(field) {
        Some(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err(Mistake(format!("expected an amount of 0 or more, not {}", shown(field)))),
    }
}

fn floating(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_any_kind_and_number_separate_fields() {
        let fields: Vec<_> = Fields::new(b"  a \t bc\r").collect();
        assert_eq!(fields, [&b"a"[..], b"bc"]);
    }

    #[test]
    fn whole_numbers_are_read_alike_by_themselves_and_in_a_line() {
        let fields = ["7", "-12", "0012", "2.9", "1e6", "x", "-", "1_0", "123456789012345"];
        for text in fields.into_iter().chain(["1234567890123456", "-1234567890123456", "3x"]) {
            let line = format!(" {text}\t9");
            let mut fields = Fields::new(line.as_bytes());
            assert_eq!(fields.integer(), Some(integer(text.as_bytes())), "{text}");
            assert_eq!(fields.integer(), Some(Ok(9)), "{text}");
            assert_eq!(fields.integer(), None);
        }
    }

    #[test]
    fn numbers_may_be_written_as_floats() {
        let all = ["12", "-3", "1e6", "2.9", "0012"].map(|text| integer(text.as_bytes()).unwrap());
        assert_eq!(all, [12, -3, 1_000_000, 2, 12]);
        for text in ["", "-", "x", "1e99", "nan", "inf", "1_0"] {
            assert!(integer(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_has_as_many_counts_as_there_are_ranks() {
        let mut fields = Fields::new(b"1 2  3 9");
        let list = fields.list(3).unwrap();
        assert_eq!((list.iter().collect::<Vec<_>>(), list.sum()), (vec![1, 2, 3], 6));
        assert_eq!(fields.next(), Some(&b"9"[..]));
        let mistake = Fields::new(b"1 2").list(3).unwrap_err();
        assert_eq!(mistake.to_string(), "expected 3 counts here, there are 2");
        assert!(Fields::new(b"1 -2").list(2).is_err());
    }
}
