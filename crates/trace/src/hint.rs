//! Hints: lines that other readers take for comments.
//!
//! `#@ 3 region solve` says that rank 3 enters a part of the program. A comment that is not quite
//! like this is one.

use crate::fields::{Fields, integer};

/// How a hint begins.
pub(crate) const HINT: &str = "#@";

/// Whose hint a line is, if it is one, and where in it the line of an action begins.
pub(crate) fn hint(line: &[u8]) -> Option<(u32, usize)> {
    let rest = line.strip_prefix(HINT.as_bytes())?;
    let mut fields = Fields::new(rest);
    let rank = u32::try_from(integer(fields.next()?).ok()?).ok()?;
    let is_known = matches!(fields.next()?, b"region" | b"leave");
    let is_whole = std::str::from_utf8(fields.next()?).is_ok() && fields.next().is_none();
    (is_known && is_whole).then_some((rank, HINT.len()))
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn hints_have_a_rank_a_word_and_a_name() {
        assert_eq!(hint(b"#@ 3 region solve\n"), Some((3, 2)));
        assert_eq!(hint(b"#@3 leave  solve"), Some((3, 2)));
        let comments =
            ["# 3 region solve", "#@ region solve", "#@ 3 region", "#@", "#@ 3 send 1 2 3"];
        for comment in
            comments.into_iter().chain(["#@ -1 leave a", "#@ 3 region a b", " #@ 3 leave a"])
        {
            assert_eq!(hint(comment.as_bytes()), None, "{comment}");
        }
    }
}
