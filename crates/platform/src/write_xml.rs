//! Writes a machine as a SimGrid platform file, version 4.1 of its format.
//!
//! SimGrid cannot express all that foretell can; what is lost is told in a list of warnings.

mod cluster;
mod settings;
mod zone;

use std::fmt::Write;

use crate::machine::Platform;
use crate::spec::{Topology, ZoneContent};

/// A SimGrid platform file, and what it could not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimgridXml {
    /// The file.
    pub text: String,
    /// What the file does not say about the machine, one sentence each.
    pub lost: Vec<String>,
}

/// Writes a platform as a SimGrid XML file.
pub fn write_xml(platform: &Platform) -> SimgridXml {
    let mut page = Page { loopback: platform.network().loopback, ..Page::default() };
    page.line("<?xml version='1.0'?>");
    page.line("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">");
    page.open("platform", &[("version", "4.1".to_owned())]);
    settings::settings(&mut page, platform);
    let root = &platform.spec().root;
    // Some versions of SimGrid want a zone around a cluster that is not a plain star.
    let wrapped = match &root.content {
        ZoneContent::Cluster(cluster) => cluster.topology != Topology::Star,
        ZoneContent::General(_) => false,
    };
    if wrapped {
        let name = format!("{}-world", root.name.value);
        page.open("zone", &[("id", name), ("routing", "Full".to_owned())]);
    }
    zone::zone(&mut page, root);
    if wrapped {
        page.close("zone");
    }
    settings::profiles(&mut page, &platform.spec().profiles);
    page.close("platform");
    settings::lost(&mut page, platform);
    SimgridXml { text: page.text, lost: page.lost }
}

/// Most sentences about what is lost.
const MOST_LOST: usize = 100;

/// The file so far.
#[derive(Debug)]
struct Page {
    text: String,
    depth: usize,
    lost: Vec<String>,
    /// The platform's loopback, which SimGrid wants spelled out per cluster.
    loopback: crate::machine::Link,
}

impl Default for Page {
    fn default() -> Self {
        let loopback = crate::settings::NetworkSettings::default().loopback;
        Self { text: String::new(), depth: 0, lost: Vec::new(), loopback }
    }
}

type Attributes<'a> = [(&'a str, String)];

impl Page {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    fn open(&mut self, tag: &str, attributes: &Attributes<'_>) {
        let start = start(tag, attributes);
        self.line(&format!("<{start}>"));
        self.depth += 1;
    }

    fn close(&mut self, tag: &str) {
        self.depth -= 1;
        self.line(&format!("</{tag}>"));
    }

    fn empty(&mut self, tag: &str, attributes: &Attributes<'_>) {
        let start = start(tag, attributes);
        self.line(&format!("<{start}/>"));
    }

    /// An element that has nothing but properties inside.
    fn element(&mut self, tag: &str, attributes: &Attributes<'_>, properties: &[(String, String)]) {
        if properties.is_empty() {
            return self.empty(tag, attributes);
        }
        self.open(tag, attributes);
        self.properties(properties);
        self.close(tag);
    }

    fn properties(&mut self, properties: &[(String, String)]) {
        for (key, value) in properties {
            self.empty("prop", &[("id", key.clone()), ("value", value.clone())]);
        }
    }

    fn lose(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        // Nobody reads more than this.
        if self.lost.len() < MOST_LOST && !self.lost.contains(&sentence) {
            self.lost.push(sentence);
        }
    }
}

fn start(tag: &str, attributes: &Attributes<'_>) -> String {
    attributes.iter().fold(tag.to_owned(), |mut text, (key, value)| {
        let _ = write!(text, " {key}=\"{}\"", escaped(value));
        text
    })
}

fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' => text.push_str("&#10;"),
            '\t' => text.push_str("&#9;"),
            '\r' => text.push_str("&#13;"),
            letter => text.push(letter),
        }
    }
    text
}

/// Seconds with SimGrid's unit.
fn seconds(value: f64) -> String {
    format!("{value:e}s")
}

/// Bytes per second with SimGrid's unit.
fn bandwidth(value: f64) -> String {
    format!("{value:e}Bps")
}

/// Speeds of all pstates with SimGrid's unit.
fn speeds(values: &[f64]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("{value:e}f")).collect();
    values.join(",")
}

#[cfg(test)]
mod tests;
