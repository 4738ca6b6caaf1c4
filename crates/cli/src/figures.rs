//! Numbers for people: a few digits, a unit, groups of three.

use foretell_units::{Bytes, Seconds};

/// Digits of figures that only give an idea.
const FEW: usize = 4;
/// Digits of figures that one compares.
const MANY: usize = 7;

/// A duration with four digits, such as `1.235 ms`.
pub(crate) fn time(seconds: f64) -> String {
    Seconds::new(rounded(seconds, FEW)).to_string()
}

/// A duration with seven digits: a result.
pub(crate) fn result(seconds: f64) -> String {
    Seconds::new(rounded(seconds, MANY)).to_string()
}

/// An amount of data.
pub(crate) fn data(bytes: f64) -> String {
    Bytes::new(rounded(bytes, FEW)).to_string()
}

/// A large number in words, such as `1.24 million`.
pub(crate) fn many(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.2} million", n / 1e6),
        n => count(n.round() as u64),
    }
}

/// A share of a whole, such as `98.1 %`.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    let share = if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
    format!("{share:.1} %")
}

/// A count with its digits in groups of three.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 rank", "2 ranks".
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", count(number))
}

/// Four digits of a figure that only gives an idea.
pub(crate) fn few(value: f64) -> f64 {
    rounded(value, FEW)
}

fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_few_digits_and_a_unit() {
        assert_eq!(time(0.001_234_567_89), "1.235 ms");
        assert_eq!(result(0.001_234_567_89), "1.234568 ms");
        assert_eq!(data(123_456_789.0), "123.5 MB");
        assert_eq!(time(0.0), "0 s");
    }

    #[test]
    fn counts_have_groups_of_three() {
        assert_eq!(count(7), "7");
        assert_eq!(count(4096), "4,096");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "rank"), "1 rank");
        assert_eq!(counted(0, "rank"), "0 ranks");
    }

    #[test]
    fn shares_of_nothing_are_nothing() {
        assert_eq!(percent(1.0, 3.0), "33.3 %");
        assert_eq!(percent(0.0, 0.0), "0.0 %");
    }
}
