//! Hints: lines that other readers take for comments.
//!
//! `#@ 3 region solve` says that rank 3 enters a part of the program, `#@ 3 younger 1` that its
//! next wait is not for the oldest request that fits. A comment that is not quite like this is one.

use crate::fields::{Fields, integer};

/// How a hint begins.
pub(crate) const HINT: &str = "#@";

/// Whose hint a line is, if it is one, and where in it the line of an action begins.
pub(crate) fn hint(line: &[u8]) -> Option<(u32, usize)> {
    let rest = line.strip_prefix(HINT.as_bytes())?.trim_ascii_end();
    let mut fields = Fields::new(rest);
    let rank = u32::try_from(integer(fields.next()?).ok()?).ok()?;
    let (word, value) = (fields.next()?, fields.next()?);
    let is_known = match word {
        b"region" | b"leave" => std::str::from_utf8(value).is_ok(),
        b"younger" => integer(value).is_ok_and(|by| i32::try_from(by).is_ok_and(|by| by >= 0)),
        _ => false,
    };
    (is_known && fields.next().is_none()).then_some((rank, HINT.len()))
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn hints_have_a_rank_a_word_and_a_name() {
        assert_eq!(hint(b"#@ 3 region solve\n"), Some((3, 2)));
        assert_eq!(hint(b"#@3 leave  solve"), Some((3, 2)));
        assert_eq!(hint(b"#@ 3 younger 1"), Some((3, 2)));
        assert_eq!(hint(b"#@ 3 younger 1\n"), Some((3, 2)));
        let comments = [
            "# 3 region solve",
            "#@ 3 younger one",
            "#@ 3 younger -1",
            "#@ region solve",
            "#@ 3 region",
            "#@",
            "#@ 3 send 1 2 3",
        ];
        for comment in
            comments.into_iter().chain(["#@ -1 leave a", "#@ 3 region a b", " #@ 3 leave a"])
        {
            assert_eq!(hint(comment.as_bytes()), None, "{comment}");
        }
    }
}
