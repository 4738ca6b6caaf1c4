//! Reads `15us`, `1.25GBps`, `64 KiB`.

use std::fmt;

/// Powers of 1000 by their letter.
pub(crate) const PREFIXES: [(char, i32); 6] =
    [('k', 3), ('M', 6), ('G', 9), ('T', 12), ('P', 15), ('E', 18)];

/// Prefixes that make a base unit smaller.
pub(crate) const SMALL_PREFIXES: [(char, i32); 4] = [('m', -3), ('u', -6), ('n', -9), ('p', -12)];

/// How the units of one kind of quantity are written.
pub(crate) struct Notation {
    /// What the quantity is, as a noun with its article: "a duration".
    pub(crate) noun: &'static str,
    /// What a reader should have written.
    pub(crate) expected: &'static str,
    /// The base unit and its other spellings, with what to divide by (8 for bits).
    pub(crate) bases: &'static [(&'static str, f64)],
    /// Which prefixes may stand before a base.
    pub(crate) scale: Scale,
}

/// The prefixes that make sense for a quantity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// `ps ns us ms s m h d w`: prefixes only make a second smaller.
    Time,
    /// `k M G T P E` and `Ki Mi Gi Ti Pi Ei`.
    DecimalAndBinary,
    /// `k M G T P E`.
    Decimal,
    /// `p n u m` and `k M G T P E`.
    Physical,
}

/// A text that is not the quantity it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The text as given.
    pub text: String,
    /// What is wrong with it.
    pub problem: Problem,
    noun: &'static str,
    expected: &'static str,
}

/// What can be wrong with the text of a quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing is there.
    Empty,
    /// It does not begin with a number.
    NoNumber,
    /// The number is below zero.
    Negative,
    /// The number does not fit a double-precision float.
    TooLarge,
    /// The letters after the number are no unit of this quantity.
    UnknownUnit(String),
    /// There is a prefix but no unit, as in `64k`.
    OnlyPrefix(String),
    /// An upper-case `K`, which some read as 1000 and others as 1024.
    AmbiguousKilo,
}

impl ParseError {
    /// What is wrong, without what should have been written.
    pub fn reason(&self) -> String {
        let Self { text, noun, .. } = self;
        match &self.problem {
            Problem::Empty => format!("{noun} is missing"),
            Problem::NoNumber => format!("`{text}` is not {noun}"),
            Problem::Negative => format!("`{text}` is negative"),
            Problem::TooLarge => format!("`{text}` is too large for {noun}"),
            Problem::UnknownUnit(unit) => format!("`{unit}` is not a unit of {noun}"),
            Problem::OnlyPrefix(prefix) => {
                format!("`{text}` has a prefix `{prefix}` but no unit")
            }
            Problem::AmbiguousKilo => format!("`K` is ambiguous in `{text}`"),
        }
    }

    /// What should have been written, with an example.
    pub fn expected(&self) -> &'static str {
        match self.problem {
            Problem::AmbiguousKilo => "`k` for 1000 or `Ki` for 1024",
            _ => self.expected,
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.reason(), self.expected())
    }
}

impl std::error::Error for ParseError {}

/// Whether a text names its unit, rather than leaving a bare number to be guessed at.
pub fn has_unit(text: &str) -> bool {
    let text = text.trim();
    !text[number_length(text)..].trim().is_empty()
}

/// Reads a quantity into its base unit.
pub(crate) fn parse(text: &str, notation: &Notation) -> Result<f64, ParseError> {
    value(text.trim(), notation).map_err(|problem| ParseError {
        text: text.trim().to_owned(),
        problem,
        noun: notation.noun,
        expected: notation.expected,
    })
}

fn value(text: &str, notation: &Notation) -> Result<f64, Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    let (number, unit) = text.split_at(number_length(text));
    let plain: f64 = number.parse().map_err(|_| Problem::NoNumber)?;
    if plain < 0.0 {
        return Err(Problem::Negative);
    }
    let factor = match unit.trim() {
        "" => Factor::ONE,
        unit => factor(unit, notation)?,
    };
    let value = factor.apply(number).ok_or(Problem::NoNumber)?;
    if value.is_finite() { Ok(value) } else { Err(Problem::TooLarge) }
}

/// What a unit multiplies its number by. The decimal part is kept apart so that it can be joined
/// to the digits before rounding: `15us` is then the same float as `1.5e-5`.
#[derive(Clone, Copy)]
struct Factor {
    exponent: i32,
    times: f64,
    over: f64,
}

impl Factor {
    const ONE: Self = Self { exponent: 0, times: 1.0, over: 1.0 };

    fn apply(self, number: &str) -> Option<f64> {
        let (digits, exponent) = match number.find(['e', 'E']) {
            Some(at) => (&number[..at], number[at + 1..].parse::<i32>().ok()?),
            None => (number, 0),
        };
        let exponent = exponent.checked_add(self.exponent)?;
        let value: f64 = format!("{digits}e{exponent}").parse().ok()?;
        Some(value * self.times / self.over)
    }
}

fn factor(unit: &str, notation: &Notation) -> Result<Factor, Problem> {
    if notation.scale == Scale::Time {
        return time_factor(unit).ok_or_else(|| Problem::UnknownUnit(unit.to_owned()));
    }
    for &(base, over) in notation.bases {
        let Some(prefix) = unit.strip_suffix(base) else { continue };
        if let Some(factor) = prefix_factor(prefix, notation.scale) {
            return Ok(Factor { over, ..factor });
        }
        if prefix == "K" {
            return Err(Problem::AmbiguousKilo);
        }
    }
    if unit == "K" || prefix_factor(unit, notation.scale).is_some() {
        return Err(Problem::OnlyPrefix(unit.to_owned()));
    }
    Err(Problem::UnknownUnit(unit.to_owned()))
}

fn prefix_factor(prefix: &str, scale: Scale) -> Option<Factor> {
    let mut letters = prefix.chars();
    let Some(letter) = letters.next() else { return Some(Factor::ONE) };
    match letters.as_str() {
        "" => {
            let small = SMALL_PREFIXES.iter().filter(|_| scale == Scale::Physical);
            let (_, exponent) = PREFIXES.iter().chain(small).find(|(name, _)| *name == letter)?;
            Some(Factor { exponent: *exponent, ..Factor::ONE })
        }
        "i" if scale == Scale::DecimalAndBinary => {
            let rank = "KMGTPE".find(letter)? + 1;
            Some(Factor { times: 1024_f64.powi(rank as i32), ..Factor::ONE })
        }
        _ => None,
    }
}

fn time_factor(unit: &str) -> Option<Factor> {
    let times = |times| Some(Factor { times, ..Factor::ONE });
    match unit {
        "s" => times(1.0),
        "m" | "min" => times(60.0),
        "h" => times(3600.0),
        "d" => times(86_400.0),
        "w" => times(604_800.0),
        "µs" | "μs" => Some(Factor { exponent: -6, ..Factor::ONE }),
        _ => {
            let letter = unit.strip_suffix('s')?;
            let (_, exponent) =
                SMALL_PREFIXES.iter().find(|(name, _)| letter == name.encode_utf8(&mut [0; 4]))?;
            Some(Factor { exponent: *exponent, ..Factor::ONE })
        }
    }
}

/// Length of the number at the start of `text`: sign, digits, point, exponent.
///
/// An `e` counts only when digits follow, so that `5EB` stays five exabytes.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));

    let mut end = sign(0);
    end += digits(end);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let from = end + 1 + sign(end + 1);
        if digits(from.min(bytes.len())) > 0 {
            end = from + digits(from);
        }
    }
    end
}
