//! One table of the file, read key by key; what is never asked for is unknown.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use foretell_diagnostics::{Diagnostic, did_you_mean};
use toml::de::{DeTable, DeValue};

use super::value::Value;

/// The mistakes found so far, shared by all sections of a file.
#[derive(Debug, Default)]
pub(super) struct Mistakes(RefCell<Vec<Diagnostic>>);

/// A file with more mistakes than this is not a platform file.
const MOST_MISTAKES: usize = 200;

impl Mistakes {
    pub(super) fn push(&self, mistake: Diagnostic) {
        let mut list = self.0.borrow_mut();
        if list.len() < MOST_MISTAKES {
            list.push(mistake);
        }
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// All of them, in file order.
    pub(super) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut list = self.0.into_inner();
        list.sort_by_key(|mistake| mistake.span.start);
        list
    }
}

/// A table and the keys that were asked of it.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// As the user writes it: `[network]`, `[[zone]]`, or "the file".
    pub(super) title: String,
    /// The place of the table's header.
    pub(super) span: Range<usize>,
    pub(super) mistakes: &'a Mistakes,
    table: &'a DeTable<'a>,
    known: RefCell<Vec<&'static str>>,
    /// Nesting, to tell a reader of zones when to stop.
    pub(super) depth: Cell<usize>,
}

impl<'a> Section<'a> {
    pub(super) fn new(
        title: String,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        mistakes: &'a Mistakes,
    ) -> Self {
        Self { title, span, mistakes, table, known: RefCell::default(), depth: Cell::new(0) }
    }

    /// The value of a key, if it is there.
    pub(super) fn value(&self, key: &'static str) -> Option<Value<'a>> {
        self.known.borrow_mut().push(key);
        let (name, value) = self.table.get_key_value(key)?;
        let title = format!("`{key}`");
        Some(Value { title, key_span: name.span(), value, mistakes: self.mistakes })
    }

    /// Whether a key is there, without counting as having asked for it.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Reports the keys that are not there.
    pub(super) fn require(&self, keys: &[&'static str]) {
        for key in keys.iter().filter(|key| !self.has(key)) {
            self.mistakes.error(self.span.clone(), format!("{} lacks `{key}`", self.title));
        }
    }

    /// Reports keys that make no sense here, and why.
    pub(super) fn refuse(&self, keys: &[&'static str], why: &str) {
        for key in keys {
            if let Some(value) = self.value(key) {
                self.mistakes.error(value.key_span, format!("`{key}` has no meaning {why}"));
            }
        }
    }

    /// A table within this one.
    pub(super) fn section(&self, key: &'static str) -> Option<Section<'a>> {
        let title = match self.title.strip_prefix('[') {
            Some(outer) if !outer.starts_with('[') => {
                format!("[{}.{key}]", outer.trim_end_matches(']'))
            }
            _ => format!("[{key}]"),
        };
        self.value(key)?.section(title)
    }

    /// The tables of an array of tables.
    pub(super) fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let title = format!("[[{key}]]");
        match value.value.get_ref() {
            DeValue::Array(items) => {
                items.iter().filter_map(|item| value.with(item).section(title.clone())).collect()
            }
            _ => {
                let mistake = Diagnostic::error(value.key_span, format!("`{key}` is a list"))
                    .with_help(format!("write `[[{key}]]` with two brackets"));
                self.mistakes.push(mistake);
                Vec::new()
            }
        }
    }

    /// Every key and value, for tables whose keys are the user's own.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> + '_ {
        self.table.iter().map(|(key, value)| {
            let title = format!("`{}`", key.get_ref());
            let value = Value { title, key_span: key.span(), value, mistakes: self.mistakes };
            (key.get_ref().as_ref(), value)
        })
    }

    /// Reports every key that nobody asked for.
    pub(super) fn finish(self) {
        let mut known = self.known.into_inner();
        known.sort_unstable();
        known.dedup();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let message = format!("unknown key `{}` in {}", shortened(name), self.title);
            self.mistakes
                .push(Diagnostic::error(key.span(), message).with_help(did_you_mean(name, &known)));
        }
    }
}

/// A word short enough for a message.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}
