//! A user's file, and places in it.

use std::fmt;

/// A file as the user knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name, usually the path as given.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

impl Source {
    /// A named text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// A place as editors show it: both counted from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from one.
    pub line: usize,
    /// Column, from one, in characters.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The line and column of a byte offset. Offsets past the end mean the end; an offset inside a
/// character means that character.
pub fn line_column(text: &str, offset: usize) -> Position {
    let offset = floor(text, offset);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// The nearest character boundary at or before an offset.
pub(crate) fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, offset: usize, expected: &str) {
        assert_eq!(line_column(text, offset).to_string(), expected);
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        check("", 0, "1:1");
        check("ab\ncd", 0, "1:1");
        check("ab\ncd", 2, "1:3");
        check("ab\ncd", 3, "2:1");
        check("ab\ncd", 99, "2:3");
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        check("é=1", 2, "1:2");
        check("é=1", 1, "1:1");
    }
}
