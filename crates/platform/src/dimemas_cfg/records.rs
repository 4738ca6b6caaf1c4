//! The records of a configuration.

use std::ops::Range;

use foretell_diagnostics::Diagnostic;

/// A name and its values.
#[derive(Debug)]
pub(super) struct Record<'a> {
    pub(super) name: &'a str,
    /// Where it stands.
    pub(super) span: Range<usize>,
    pub(super) values: Vec<Value<'a>>,
}

/// A value of a record.
#[derive(Debug)]
pub(super) struct Value<'a> {
    pub(super) span: Range<usize>,
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    Text(&'a str),
    Number(f64),
    /// `[3] {0, 0, 1}`.
    List(Vec<f64>),
}

impl<'a> Value<'a> {
    pub(super) fn text(&self) -> Option<&'a str> {
        if let Kind::Text(text) = self.kind { Some(text) } else { None }
    }

    pub(super) fn number(&self) -> Option<f64> {
        if let Kind::Number(number) = self.kind { Some(number) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[f64]> {
        if let Kind::List(list) = &self.kind { Some(list) } else { None }
    }
}

/// All records of a text, or what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Vec<Record<'_>>, Vec<Diagnostic>> {
    let mut scanner = Scanner { text, at: 0 };
    let mut records = Vec::new();
    // The first line says what the file is.
    if text.starts_with('#') {
        scanner.at = text.find('\n').unwrap_or(text.len());
    }
    loop {
        match scanner.record() {
            Ok(Some(record)) => records.push(record),
            Ok(None) => return Ok(records),
            Err(mistake) => return Err(vec![mistake]),
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let end = match trimmed {
                _ if trimmed.starts_with("/*") => trimmed.find("*/").map(|end| end + 2),
                _ if trimmed.starts_with("//") || trimmed.starts_with('#') => trimmed.find('\n'),
                _ => return,
            };
            self.at += end.unwrap_or(trimmed.len());
        }
    }

    fn wrong(&self, words: &str) -> Diagnostic {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Diagnostic::error(self.at..self.at + length, words)
    }

    fn take(&mut self, what: char) -> Result<(), Diagnostic> {
        self.skip();
        match self.rest().starts_with(what) {
            true => {
                self.at += what.len_utf8();
                Ok(())
            }
            false => Err(self.wrong(&format!("`{what}` is expected here"))),
        }
    }

    fn record(&mut self) -> Result<Option<Record<'a>>, Diagnostic> {
        self.skip();
        while self.rest().starts_with(';') {
            self.at += 1;
            self.skip();
        }
        if self.rest().is_empty() {
            return Ok(None);
        }
        let start = self.at;
        let name = self.quoted()?;
        self.take('{')?;
        let mut values = Vec::new();
        loop {
            self.skip();
            if self.rest().starts_with('}') {
                self.at += 1;
                break;
            }
            values.push(self.value()?);
            self.skip();
            if self.rest().starts_with(',') {
                self.at += 1;
            } else if !self.rest().starts_with('}') {
                return Err(self.wrong("`,` or `}` is expected here"));
            }
        }
        Ok(Some(Record { name, span: start..self.at, values }))
    }

    fn quoted(&mut self) -> Result<&'a str, Diagnostic> {
        self.take('"')?;
        let rest = self.rest();
        let Some(end) = rest.find('"') else {
            return Err(self.wrong("the quote that ends this is missing"));
        };
        self.at += end + 1;
        Ok(&rest[..end])
    }

    fn value(&mut self) -> Result<Value<'a>, Diagnostic> {
        let start = self.at;
        let kind = match self.rest().chars().next() {
            Some('"') => Kind::Text(self.quoted()?),
            Some('[') => self.list()?,
            _ => Kind::Number(self.number()?),
        };
        Ok(Value { span: start..self.at, kind })
    }

    fn number(&mut self) -> Result<f64, Diagnostic> {
        self.skip();
        let rest = self.rest();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        let Ok(number) = rest[..end].parse() else {
            return Err(self.wrong("a number is expected here"));
        };
        self.at += end;
        Ok(number)
    }

    /// A count in brackets, and a list in braces if one follows; else it is a number.
    fn list(&mut self) -> Result<Kind<'a>, Diagnostic> {
        self.take('[')?;
        self.skip();
        let count = if self.rest().starts_with(']') { 0.0 } else { self.number()? };
        self.take(']')?;
        self.skip();
        if !self.rest().starts_with('{') {
            return Ok(Kind::Number(count));
        }
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip();
            match self.rest().chars().next() {
                Some('}') => {
                    self.at += 1;
                    return Ok(Kind::List(list));
                }
                Some(',') => self.at += 1,
                _ => list.push(self.number()?),
            }
        }
    }
}
