//! Prints quantities with a readable prefix, so that reading them back gives the same bits.

use std::fmt;

use crate::parse::{PREFIXES, SMALL_PREFIXES};

/// Which prefixes a printed quantity may carry.
#[derive(Clone, Copy)]
pub(crate) enum Prefixes {
    /// Below one only: nobody says kiloseconds.
    Small,
    /// Above one only: there is no millibyte.
    Large,
    /// Above one, and powers of 1024 where the value is a whole number of them.
    LargeOrBinary,
    /// Both.
    Any,
}

/// Writes `value` in `unit`, with the prefix that leaves one to three digits before the point.
pub(crate) fn print(
    f: &mut fmt::Formatter<'_>,
    value: f64,
    unit: &str,
    prefixes: Prefixes,
) -> fmt::Result {
    if value == 0.0 || !value.is_finite() {
        return write!(f, "{value} {unit}");
    }
    if matches!(prefixes, Prefixes::LargeOrBinary)
        && let Some((count, letter)) = binary(value)
    {
        return write!(f, "{count} {letter}i{unit}");
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let (digits, exponent) = shortest(value.abs());
    let shift = exponent.div_euclid(3) * 3;
    let (letter, shift) = prefix(shift, prefixes);
    write!(f, "{sign}{} ", placed(&digits, exponent - shift))?;
    if let Some(letter) = letter {
        write!(f, "{letter}")?;
    }
    write!(f, "{unit}")
}

/// A whole number of Ki, Mi, …, for values that are not rounder in powers of 1000.
fn binary(value: f64) -> Option<(f64, char)> {
    if value % 1024.0 != 0.0 || value % 1000.0 == 0.0 {
        return None;
    }
    let rank = (1..=6).rev().find(|rank| value % 1024_f64.powi(*rank) == 0.0)?;
    let count = value / 1024_f64.powi(rank);
    (count.abs() < 10_000.0).then(|| (count, ['K', 'M', 'G', 'T', 'P', 'E'][rank as usize - 1]))
}

/// The shortest digits that name this float, and the exponent of the first one.
fn shortest(value: f64) -> (String, i32) {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` prints an exponent");
    let exponent = exponent.parse().expect("the exponent of a float is a small integer");
    (mantissa.replace('.', ""), exponent)
}

/// The prefix nearest to a power of ten, and the power it stands for.
fn prefix(shift: i32, prefixes: Prefixes) -> (Option<char>, i32) {
    let small = matches!(prefixes, Prefixes::Small | Prefixes::Any);
    let large = !matches!(prefixes, Prefixes::Small);
    let lowest = if small { -12 } else { 0 };
    let highest = if large { 18 } else { 0 };
    let shift = shift.clamp(lowest, highest);
    let letter = PREFIXES.iter().chain(&SMALL_PREFIXES).find(|(_, power)| *power == shift);
    (letter.map(|(letter, _)| *letter), shift)
}

/// Digits with the decimal point after the one of weight `10^exponent`.
fn placed(digits: &str, exponent: i32) -> String {
    // Far from the prefixes an exponent reads better than a row of zeros.
    if !(-3..15).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}e{exponent}");
    }
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent.unsigned_abs() as usize + 1;
    if digits.len() <= whole {
        return format!("{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &digits[..whole], &digits[whole..])
}
