//! One value of the file, read as what it should be.

use std::ops::Range;
use std::str::FromStr;

use foretell_diagnostics::{Diagnostic, did_you_mean};
use foretell_units::{Bytes, BytesPerSecond, FlopPerSecond, ParseError, Seconds, Watt};
use toml::Spanned as TomlSpanned;
use toml::de::DeValue;

use super::section::{Mistakes, Section, shortened};
use crate::spec::Spanned;

/// A value with the name to call it by in messages.
#[derive(Debug, Clone)]
pub(super) struct Value<'a> {
    /// The key in backquotes, or what else the user knows it by.
    pub(super) title: String,
    pub(super) key_span: Range<usize>,
    pub(super) value: &'a TomlSpanned<DeValue<'a>>,
    pub(super) mistakes: &'a Mistakes,
}

impl<'a> Value<'a> {
    /// Another value, under the same title.
    pub(super) fn with(&self, value: &'a TomlSpanned<DeValue<'a>>) -> Self {
        Self { value, ..self.clone() }
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.value.span()
    }

    pub(super) fn error(&self, message: impl Into<String>) {
        self.mistakes.error(self.span(), message);
    }

    /// Reports that something else was expected here.
    fn expected<T>(&self, what: &str) -> Option<T> {
        let found = match self.value.get_ref() {
            DeValue::String(text) => format!("\"{}\"", shortened(text)),
            DeValue::Integer(number) => format!("`{}`", shortened(&number.to_string())),
            DeValue::Float(number) => format!("`{}`", shortened(number.as_str())),
            DeValue::Boolean(flag) => format!("`{flag}`"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.error(format!("{} must be {what}, not {found}", self.title));
        None
    }

    pub(super) fn section(self, title: String) -> Option<Section<'a>> {
        match self.value.get_ref() {
            DeValue::Table(table) => Some(Section::new(title, table, header(&self), self.mistakes)),
            _ => self.expected(&format!("a table {title}")),
        }
    }

    pub(super) fn text(&self) -> Option<Spanned<String>> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(Spanned::new(text.clone().into_owned(), self.span())),
            _ => self.expected("a text in quotes"),
        }
    }

    /// A name: a text that is not empty.
    pub(super) fn name(&self) -> Option<Spanned<String>> {
        let text = self.text()?;
        if text.value.trim().is_empty() {
            self.error(format!("{} is empty", self.title));
            return None;
        }
        Some(text)
    }

    pub(super) fn flag(&self) -> Option<bool> {
        match self.value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.expected("true or false"),
        }
    }

    /// A whole number within bounds.
    pub(super) fn whole(&self, bounds: Range<u64>) -> Option<u64> {
        let DeValue::Integer(number) = self.value.get_ref() else {
            return self.expected("a whole number");
        };
        let value = u64::from_str_radix(number.as_str().trim_start_matches('+'), number.radix());
        match value {
            Ok(value) if bounds.contains(&value) => Some(value),
            Ok(value) if value < bounds.start => {
                self.expected(&format!("at least {}", bounds.start))
            }
            Err(_) if number.as_str().starts_with('-') => {
                self.expected(&format!("at least {}", bounds.start))
            }
            _ => self.expected(&format!("at most {}", bounds.end - 1)),
        }
    }

    /// A small whole number, at least one.
    pub(super) fn count(&self, most: u32) -> Option<u32> {
        self.whole(1..u64::from(most) + 1).map(|value| value as u32)
    }

    /// A finite number without unit.
    pub(super) fn number(&self) -> Option<f64> {
        let number = match self.value.get_ref() {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(_) => return self.integer_as_float(),
            _ => None,
        };
        match number.filter(|number: &f64| number.is_finite()) {
            Some(number) => Some(number),
            None => self.expected("a number"),
        }
    }

    pub(super) fn number_not_negative(&self) -> Option<f64> {
        let number = self.number()?;
        if number < 0.0 { self.expected("zero or more") } else { Some(number) }
    }

    fn integer_as_float(&self) -> Option<f64> {
        let DeValue::Integer(number) = self.value.get_ref() else { return None };
        match i128::from_str_radix(number.as_str().trim_start_matches('+'), number.radix()) {
            Ok(value) => Some(value as f64),
            Err(_) => self.expected("a number"),
        }
    }

    pub(super) fn seconds(&self) -> Option<f64> {
        self.quantity("a duration like \"15us\"", |quantity: Seconds| quantity.get())
    }

    pub(super) fn bandwidth(&self) -> Option<f64> {
        let what = "a bandwidth like \"10Gbps\"";
        self.quantity(what, |quantity: BytesPerSecond| quantity.get())
            .filter(|value| self.above_zero(*value, what))
    }

    pub(super) fn speed(&self) -> Option<f64> {
        let what = "a speed like \"10Gf\"";
        self.quantity(what, |quantity: FlopPerSecond| quantity.get())
            .filter(|value| self.above_zero(*value, what))
    }

    pub(super) fn watts(&self) -> Option<f64> {
        self.quantity("a power like \"95W\"", |quantity: Watt| quantity.get())
    }

    pub(super) fn bytes(&self) -> Option<f64> {
        self.quantity("a size like \"64KiB\"", |quantity: Bytes| quantity.get())
    }

    /// A whole number of bytes.
    pub(super) fn size(&self) -> Option<u64> {
        let bytes = self.bytes()?;
        // Beyond 2^53 a float is no longer a count.
        if bytes.fract() != 0.0 || bytes > 9e15 {
            return self.expected("a whole number of bytes");
        }
        Some(bytes as u64)
    }

    fn above_zero(&self, value: f64, what: &str) -> bool {
        if value <= 0.0 {
            self.expected::<()>(&format!("{what}, above zero"));
        }
        value > 0.0
    }

    fn quantity<T>(&self, what: &str, get: impl Fn(T) -> f64) -> Option<f64>
    where
        T: FromStr<Err = ParseError>,
    {
        match self.value.get_ref() {
            DeValue::String(text) => match text.parse::<T>() {
                Ok(quantity) => Some(get(quantity)),
                Err(mistake) => {
                    let message = format!("{}: {}", self.title, mistake.reason());
                    let help = format!("expected {}", mistake.expected());
                    self.mistakes.push(Diagnostic::error(self.span(), message).with_help(help));
                    None
                }
            },
            DeValue::Integer(_) | DeValue::Float(_) => {
                let number = self.number()?;
                if number < 0.0 { self.expected(what) } else { Some(number) }
            }
            _ => self.expected(what),
        }
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let text = self.text()?;
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(*meaning);
        }
        let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("{} cannot be `{}`", self.title, shortened(&text.value));
        self.mistakes.push(
            Diagnostic::error(self.span(), message).with_help(did_you_mean(&text.value, &names)),
        );
        None
    }

    /// The values of a list.
    pub(super) fn list(&self) -> Option<Vec<Value<'a>>> {
        match self.value.get_ref() {
            DeValue::Array(items) => Some(items.iter().map(|item| self.with(item)).collect()),
            _ => self.expected("a list in [brackets]"),
        }
    }

    /// The values of a list of a given length.
    pub(super) fn tuple<const N: usize>(&self, what: &str) -> Option<[Value<'a>; N]> {
        let values = match self.value.get_ref() {
            DeValue::Array(items) if items.len() == N => self.list()?.try_into().ok(),
            _ => None,
        };
        if values.is_none() {
            self.error(format!("{} takes {what}", self.title));
        }
        values
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Array(_))
    }

    pub(super) fn is_flag(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Boolean(_))
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::String(_))
    }
}

/// Where to point for something a table lacks: the key, if the table has no header of its own.
fn header(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    if span.is_empty() { value.key_span.clone() } else { span }
}
