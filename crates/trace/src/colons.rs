//! Lines of fields with colons between them, as Dimemas and Paraver have them.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::fields::shown;
use crate::mistake::{Mistake, Problem};
use crate::packed::Contents;

/// The lines of a file, one after the other.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    reader: BufReader<Contents>,
    text: Vec<u8>,
    number: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let reader = BufReader::with_capacity(1 << 16, Contents::open(path)?);
        Ok(Self { path: path.to_owned(), reader, text: Vec::new(), number: 0 })
    }

    /// Goes to the next line that is not blank; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, Problem> {
        loop {
            self.text.clear();
            self.number += 1;
            let read = self.reader.read_until(b'\n', &mut self.text);
            let read = read.map_err(|error| Problem::File { path: self.path.clone(), error })?;
            if read == 0 {
                return Ok(false);
            }
            if !self.text.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// The line at hand.
    pub(crate) fn line(&self) -> &[u8] {
        self.text.trim_ascii()
    }

    /// What is wrong with the line at hand.
    pub(crate) fn problem(&self, mistake: Mistake) -> Problem {
        Problem::Line { path: self.path.clone(), line: self.number, mistake }
    }
}

/// The fields of a line.
#[derive(Debug, Clone)]
pub(crate) struct Colons<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Colons<'a> {
    pub(crate) fn new(line: &'a [u8]) -> Self {
        Self { rest: Some(line) }
    }

    /// The next field, if there is one.
    #[inline]
    pub(crate) fn field(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        match rest.iter().position(|byte| *byte == b':') {
            Some(at) => {
                self.rest = Some(&rest[at + 1..]);
                Some(&rest[..at])
            }
            None => {
                self.rest = None;
                Some(rest)
            }
        }
    }

    /// How many fields are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.map_or(0, |rest| 1 + rest.iter().filter(|byte| **byte == b':').count())
    }

    /// The next field as a whole number.
    #[inline]
    pub(crate) fn whole(&mut self, what: &str) -> Result<i64, Mistake> {
        let field = self.field().ok_or_else(|| Mistake(format!("{what} is missing")))?;
        whole(field, what)
    }

    /// The next field as a whole number of up to 64 bits; none if it is negative.
    #[inline]
    pub(crate) fn unsigned(&mut self, what: &str) -> Result<Option<u64>, Mistake> {
        let field = self.field().ok_or_else(|| Mistake(format!("{what} is missing")))?;
        let (is_negative, number) = magnitude(field, what)?;
        Ok((!is_negative || number == 0).then_some(number))
    }

    /// The next field as a whole number that is not negative.
    #[inline]
    pub(crate) fn natural(&mut self, what: &str) -> Result<u64, Mistake> {
        let number = self.whole(what)?;
        u64::try_from(number).map_err(|_| Mistake(format!("{what} cannot be {number}")))
    }

    /// The next field as a number below a limit.
    pub(crate) fn below(&mut self, limit: u32, what: &str) -> Result<u32, Mistake> {
        let number = self.natural(what)?;
        let fits = u32::try_from(number).ok().filter(|number| *number < limit);
        fits.ok_or_else(|| Mistake(format!("{what} is to be below {limit}, not {number}")))
    }

    /// The next field as an amount: a number that is finite and not negative.
    pub(crate) fn amount(&mut self, what: &str) -> Result<f64, Mistake> {
        let field = self.field().ok_or_else(|| Mistake(format!("{what} is missing")))?;
        let text = std::str::from_utf8(field.trim_ascii()).ok();
        let number = text.and_then(|text| text.parse::<f64>().ok());
        number
            .filter(|number| number.is_finite() && *number >= 0.0)
            .ok_or_else(|| Mistake(format!("{what} is expected, not {}", shown(field))))
    }
}

/// A field as a whole number.
#[inline]
pub(crate) fn whole(field: &[u8], what: &str) -> Result<i64, Mistake> {
    let (is_negative, number) = magnitude(field, what)?;
    match i64::try_from(number) {
        Ok(number) => Ok(if is_negative { -number } else { number }),
        Err(_) => Err(expected(field, what)),
    }
}

/// Whether a whole number is negative, and the number without its sign.
#[inline]
fn magnitude(field: &[u8], what: &str) -> Result<(bool, u64), Mistake> {
    let digits = field.trim_ascii();
    let (is_negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        digits => (false, digits),
    };
    let mut number = 0_u64;
    for byte in digits {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        let grown = (digit < 10).then(|| number.checked_mul(10)?.checked_add(digit)).flatten();
        number = grown.ok_or_else(|| expected(field, what))?;
    }
    match digits.is_empty() {
        true => Err(expected(field, what)),
        false => Ok((is_negative, number)),
    }
}

#[cold]
fn expected(field: &[u8], what: &str) -> Mistake {
    Mistake(format!("{what} is expected, not {}", shown(field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers_or_mistakes() {
        let mut line = Colons::new(b"3:-12:x::1e3:7");
        assert_eq!(line.left(), 6);
        assert_eq!((line.whole("a").unwrap(), line.whole("b").unwrap()), (3, -12));
        assert_eq!(
            line.whole("the task").unwrap_err().to_string(),
            "the task is expected, not `x`"
        );
        assert!(line.natural("c").is_err());
        assert_eq!(line.amount("d").unwrap(), 1e3);
        assert_eq!(
            line.below(7, "the rank").unwrap_err().to_string(),
            "the rank is to be below 7, not 7"
        );
        assert_eq!(line.whole("the tag").unwrap_err().to_string(), "the tag is missing");
        assert!(whole(b"99999999999999999999", "n").is_err());
        assert!(whole(b"9223372036854775808", "n").is_err());
        let mut line = Colons::new(b"18446744073709551611:-5:18446744073709551616");
        assert_eq!(line.unsigned("a").unwrap(), Some(u64::MAX - 4));
        assert_eq!(line.unsigned("b").unwrap(), None);
        assert!(line.unsigned("c").is_err());
    }
}
