//! Ranges of numbers as rule files write them: `4..16`, `..2048`, `512..`, `8..=64`, `7`.

use std::fmt;

/// Numbers from `first` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) first: u64,
    /// None if there is no bound.
    pub(crate) end: Option<u64>,
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers::ALL
    }
}

impl Numbers {
    pub(crate) const ALL: Numbers = Numbers { first: 0, end: None };

    pub(crate) fn has(self, number: u64) -> bool {
        number >= self.first && self.end.is_none_or(|end| number < end)
    }

    /// Reads a range. Numbers may have a suffix: `k`, `M` and `G` are powers of 1024.
    pub(crate) fn read(text: &str) -> Result<Numbers, String> {
        let text = text.trim();
        let Some((first, end)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Numbers { first: only, end: only.checked_add(1) });
        };
        let first = if first.trim().is_empty() { 0 } else { number(first)? };
        let end = match end.trim().strip_prefix('=') {
            Some(last) => number(last)?.checked_add(1),
            None if end.trim().is_empty() => None,
            None => Some(number(end)?),
        };
        match end.is_some_and(|end| end <= first) {
            true => Err(format!("`{text}` holds no number")),
            false => Ok(Numbers { first, end }),
        }
    }
}

/// A number with or without a suffix.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (digits, factor) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1 << 10),
        Some('M') => (&text[..text.len() - 1], 1 << 20),
        Some('G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    number.ok_or_else(|| format!("`{text}` is no number; write 4..16, ..2048 or 64k.."))
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.end) {
            (first, Some(end)) if end == first + 1 => write!(f, "{first}"),
            (0, Some(end)) => write!(f, "..{end}"),
            (first, Some(end)) => write!(f, "{first}..{end}"),
            (first, None) => write!(f, "{first}.."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, inside: &[u64], outside: &[u64]) {
        let numbers = Numbers::read(text).unwrap();
        assert!(inside.iter().all(|number| numbers.has(*number)), "{text}");
        assert!(!outside.iter().any(|number| numbers.has(*number)), "{text}");
    }

    #[test]
    fn ranges_are_those_of_rust() {
        check("4..16", &[4, 15], &[3, 16]);
        check("..2k", &[0, 2047], &[2048]);
        check("512..", &[512, u64::MAX], &[511]);
        check("8..=64", &[8, 64], &[65]);
        check("7", &[7], &[6, 8]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Numbers::read("4..4").is_err());
        assert!(Numbers::read("few").is_err());
        assert!(Numbers::read("..x").is_err());
    }

    #[test]
    fn what_is_printed_reads_back() {
        for text in ["4..16", "..2048", "512..", "7"] {
            assert_eq!(Numbers::read(text).unwrap().to_string(), text);
        }
    }
}
