//! JSON with the lines that things are on, and members in the order they are written.

use super::{Mistake, mistake};

/// A value, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Json {
    pub(super) line: usize,
    pub(super) value: Value,
}

/// What there is in JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Object(Vec<Member>),
    Array(Vec<Json>),
    Text(String),
    /// A whole number, not below 0.
    Number(u64),
    /// Something else, as it is written: `true`, `null`, `-1.5`.
    Other(String),
}

/// A member of an object, and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) line: usize,
    pub(super) key: String,
    pub(super) value: Json,
}

/// Files are not nested more deeply than this.
const DEEPEST: usize = 64;

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<Json, Mistake> {
    let mut reader = Reader { rest: text, line: 1 };
    let value = reader.value(0)?;
    match reader.peek() {
        None => Ok(value),
        Some(found) => Err(mistake(reader.line, format!("`{found}` behind the end of the file"))),
    }
}

/// What is not read yet.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        let trimmed = self.rest.trim_start();
        let skipped = &self.rest[..self.rest.len() - trimmed.len()];
        self.line += skipped.matches('\n').count();
        self.rest = trimmed;
        trimmed.chars().next()
    }

    /// Goes past a character that has been looked at.
    fn skip(&mut self, character: char) {
        self.rest = &self.rest[character.len_utf8()..];
    }

    fn expect(&mut self, wanted: char) -> Result<(), Mistake> {
        match self.peek() {
            Some(found) if found == wanted => {
                self.skip(wanted);
                Ok(())
            }
            found => Err(self.unexpected(&format!("`{wanted}`"), found)),
        }
    }

    fn unexpected(&self, wanted: &str, found: Option<char>) -> Mistake {
        let found =
            found.map_or_else(|| "the end of the file".into(), |found| format!("`{found}`"));
        mistake(self.line, format!("expected {wanted}, found {found}"))
    }

    fn value(&mut self, depth: usize) -> Result<Json, Mistake> {
        if depth > DEEPEST {
            return Err(mistake(self.line, format!("nested more than {DEEPEST} times")));
        }
        let first = self.peek();
        let line = self.line;
        let value = match first {
            Some('{') => self.object(depth)?,
            Some('[') => self.array(depth)?,
            Some('"') => Value::Text(self.text()?),
            Some(c) if c.is_ascii_alphanumeric() || c == '-' => self.word(),
            found => return Err(self.unexpected("a value", found)),
        };
        Ok(Json { line, value })
    }

    fn object(&mut self, depth: usize) -> Result<Value, Mistake> {
        self.expect('{')?;
        let mut members = Vec::new();
        if self.peek() == Some('}') {
            self.skip('}');
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek() != Some('"') {
                let found = self.peek();
                return Err(self.unexpected("a key in quotes", found));
            }
            let line = self.line;
            let key = self.text()?;
            self.expect(':')?;
            let value = self.value(depth + 1)?;
            members.push(Member { line, key, value });
            match self.peek() {
                Some(',') => self.skip(','),
                _ => break,
            }
        }
        self.expect('}')?;
        Ok(Value::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Mistake> {
        self.expect('[')?;
        let mut items = Vec::new();
        if self.peek() == Some(']') {
            self.skip(']');
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            match self.peek() {
                Some(',') => self.skip(','),
                _ => break,
            }
        }
        self.expect(']')?;
        Ok(Value::Array(items))
    }

    /// A text in quotes. Of escapes only the character behind the backslash is kept: keys and
    /// names need none.
    fn text(&mut self) -> Result<String, Mistake> {
        self.expect('"')?;
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\n' => break,
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                other => text.push(other),
            }
        }
        Err(mistake(self.line, "a text without an end; close it with `\"`"))
    }

    fn word(&mut self) -> Value {
        let is_in = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let end = self.rest.find(|c: char| !is_in(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.parse().map_or_else(|_| Value::Other(word.to_owned()), Value::Number)
    }
}
