//! Things in a platform file that are allowed but probably not meant.
//!
//! Three looks are taken: at the quantities as they are written (a unit ten times off, a bare
//! number), at the message tables, and at the machine as a whole (nodes nobody reaches). Every
//! finding is a warning with its place.

mod machine;
mod quantities;
mod tables;
mod toml_text;
mod xml_text;

use std::ops::Range;

use foretell_diagnostics::{Diagnostic, Source};

use crate::machine::Platform;

/// Everything worth a second look in a platform and the file it was read from, in file order.
///
/// The warnings that the reader gave are among them. The text is taken as SimGrid XML if the name
/// of the source ends in `.xml`, otherwise as TOML.
pub fn lint(source: &Source, platform: &Platform) -> Vec<Diagnostic> {
    let mut findings = Findings::new(platform.network().timing_precision);
    if source.name.to_ascii_lowercase().ends_with(".xml") {
        xml_text::look(&source.text, platform, &mut findings);
    } else {
        toml_text::look(&source.text, &mut findings);
    }
    tables::look(platform, &mut findings);
    machine::look(platform, &mut findings);
    let mut list = platform.warnings().to_vec();
    list.append(&mut findings.list);
    list.sort_by_key(|finding| (finding.span.start, finding.span.end));
    list
}

/// What was found, and where things stand in the file.
struct Findings {
    list: Vec<Diagnostic>,
    /// Places of settings by dotted key, such as `messages.eager_limit`.
    places: Vec<(String, Range<usize>)>,
    timing_precision: f64,
}

impl Findings {
    fn new(timing_precision: f64) -> Self {
        Self { list: Vec::new(), places: Vec::new(), timing_precision }
    }

    fn add(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.list.push(Diagnostic::warning(span, message).with_help(help));
    }

    /// Where a setting stands; the start of the file if it is nowhere.
    fn place(&self, key: &str) -> Range<usize> {
        self.places.iter().find(|(name, _)| name == key).map_or(0..0, |(_, span)| span.clone())
    }
}

#[cfg(test)]
mod tests;
