//! Writes a machine in foretell's own format.
//!
//! What is written reads back to the same machine: the same hosts under the same names and
//! numbers, the same routes, the same settings. Only what differs from the defaults is written.

mod cluster;
mod settings;
mod zone;

use std::fmt::Write;

use crate::machine::Platform;

/// Writes a platform as a TOML platform file.
pub fn write_toml(platform: &Platform) -> String {
    let mut page = Page::default();
    let spec = platform.spec();
    zone::root(&mut page, &spec.root);
    settings::settings(&mut page, platform);
    settings::overrides(&mut page, platform);
    settings::profiles(&mut page, &spec.profiles);
    settings::options(&mut page, platform);
    page.text
}

/// The file so far.
#[derive(Debug, Default)]
struct Page {
    text: String,
}

impl Page {
    /// Starts a table, with an empty line before it.
    fn table(&mut self, header: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line(header);
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A key and a value that is already TOML.
    fn key(&mut self, key: &str, value: impl AsRef<str>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{key} = {}", value.as_ref());
    }

    fn text_key(&mut self, key: &str, value: &str) {
        self.key(key, text(value));
    }

    fn properties(&mut self, properties: &[(String, String)]) {
        if properties.is_empty() {
            return;
        }
        let pairs: Vec<_> = properties
            .iter()
            .map(|(key, value)| format!("{} = {}", text(key), text(value)))
            .collect();
        self.key("properties", format!("{{ {} }}", pairs.join(", ")));
    }
}

/// A text in quotes.
fn text(value: &str) -> String {
    toml::Value::String(value.to_owned()).to_string()
}

/// A list of texts.
fn texts<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let values: Vec<_> = values.into_iter().map(text).collect();
    format!("[{}]", values.join(", "))
}

/// A list of numbers.
fn numbers(values: &[u32]) -> String {
    let values: Vec<_> = values.iter().map(u32::to_string).collect();
    format!("[{}]", values.join(", "))
}

/// Quantities in the notation of files: no space, `Bps` rather than `B/s`.
mod quantity {
    use foretell_units::{Bytes, BytesPerSecond, FlopPerSecond, Seconds};

    pub(super) fn seconds(value: f64) -> String {
        quoted(&Seconds::new(value).to_string())
    }

    pub(super) fn bandwidth(value: f64) -> String {
        quoted(&BytesPerSecond::new(value).to_string().replace("B/s", "Bps"))
    }

    pub(super) fn speed(value: f64) -> String {
        quoted(&FlopPerSecond::new(value).to_string().replace("flop/s", "f"))
    }

    pub(super) fn bytes(value: f64) -> String {
        quoted(&Bytes::new(value).to_string())
    }

    fn quoted(text: &str) -> String {
        format!("\"{}\"", text.replace(' ', ""))
    }
}

/// A plain number that reads back as the same float.
fn number(value: f64) -> String {
    toml::Value::Float(value).to_string()
}

#[cfg(test)]
mod tests;
