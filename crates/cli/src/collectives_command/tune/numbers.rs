//! Numbers as the options of a study name them: `4..1024`, `16,24,32`, `32k..2M,3M`.

use std::str::FromStr;

/// Numbers in ascending order, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) Vec<u64>);

impl FromStr for Numbers {
    type Err = String;

    /// A range stands for the powers of two in it, its ends included.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Vec::new();
        for part in text.split(',') {
            match part.split_once("..") {
                None => all.push(number(part)?),
                Some((first, last)) => {
                    let last = last.strip_prefix('=').unwrap_or(last);
                    all.extend(powers(part, number(first)?, number(last)?)?);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(Self(all))
    }
}

fn powers(text: &str, first: u64, last: u64) -> Result<Vec<u64>, String> {
    let all: Vec<u64> =
        (0..u64::BITS).map(|bit| 1 << bit).filter(|power| (first..=last).contains(power)).collect();
    match all.is_empty() {
        true if first > last => Err(format!("`{text}` is empty; write the lesser number first")),
        true => Err(format!("there is no power of two in `{text}`; write numbers, as 5,6,7")),
        false => Ok(all),
    }
}

fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let factor = match text.chars().last() {
        Some('k' | 'K') => 1 << 10,
        Some('M') => 1 << 20,
        Some('G') => 1 << 30,
        _ => 1,
    };
    let digits = if factor > 1 { &text[..text.len() - 1] } else { text };
    match digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)) {
        Some(number) if number > 0 => Ok(number),
        Some(_) => Err("numbers begin at 1".into()),
        None => Err(format!("`{text}` is no number; write 4..1024, 32k..2M, 64 or 8,12,16")),
    }
}

/// A number as short as it can be written: `32k`, `2M`, `100`.
pub(crate) fn short(number: u64) -> String {
    for (suffix, factor) in [("G", 1 << 30), ("M", 1 << 20), ("k", 1 << 10)] {
        if number >= factor && number.is_multiple_of(factor) {
            return format!("{}{suffix}", number / factor);
        }
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[u64]) {
        assert_eq!(text.parse::<Numbers>().unwrap().0, expected, "{text}");
    }

    #[test]
    fn ranges_are_powers_of_two_and_lists_are_what_they_list() {
        check("4..32", &[4, 8, 16, 32]);
        check("3..=20", &[4, 8, 16]);
        check("7", &[7]);
        check("12,4..8,12, 1k", &[4, 8, 12, 1024]);
        check("512k..2M", &[1 << 19, 1 << 20, 1 << 21]);
    }

    #[test]
    fn nonsense_is_told_apart() {
        let told = |text: &str| text.parse::<Numbers>().unwrap_err();
        assert!(told("8..4").contains("is empty"));
        assert!(told("5..7").contains("no power of two"));
        assert!(told("few").contains("is no number"));
        assert!(told("4,,8").contains("is no number"));
        assert!(told("99999999999999999999").contains("is no number"));
        assert!(told("0..4").contains("begin at 1"));
    }

    #[test]
    fn short_numbers_read_back() {
        for number in [1, 1000, 1024, 1536, 32 << 10, 3 << 20, 1 << 30] {
            check(&short(number), &[number]);
        }
    }
}
