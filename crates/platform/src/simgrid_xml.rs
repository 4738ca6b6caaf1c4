//! Platform files of SimGrid, version 4 of their format.
//!
//! Everything SimGrid 3.32 reads is read, with the meaning it has there: default policies, names
//! of generated links, order of routes. What cannot be modelled (wireless links, stochastic
//! profiles, `<include>`) is reported, never dropped.

mod attributes;
mod clusters;
mod profiles;
mod routes;
mod zones;

use std::ops::Range;
use std::path::Path;

use foretell_diagnostics::{Diagnostic, did_you_mean};
use roxmltree::{Document, Node, ParsingOptions};

use crate::build::MAX_DEPTH;
use crate::machine::Platform;
use crate::options::OptionOutcome;
use crate::settings::NetworkSettings;
use crate::spec::{GeneralSpec, PlatformSpec, ZoneSpec};

/// More elements than a hand- or machine-written platform has.
const MAX_NODES: u32 = 20_000_000;

/// Reads a platform file, or all that is wrong with it in file order.
///
/// Profile files it names are looked for in `directory`; without one they are mistakes.
pub fn read(text: &str, directory: Option<&Path>) -> Result<Platform, Vec<Diagnostic>> {
    // Files name a DTD; it is never fetched.
    let options =
        ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => return Err(vec![syntax_mistake(text, &error)]),
    };
    let mut reader = Reader { directory, ..Reader::default() };
    let spec = reader.platform(document.root_element());
    Platform::build_after(spec, reader.diagnostics)
}

/// What was found so far.
#[derive(Default)]
struct Reader<'a> {
    directory: Option<&'a Path>,
    diagnostics: Vec<Diagnostic>,
    profiles: profiles::Profiles,
    options: Vec<(String, String)>,
    option_spans: Vec<Range<usize>>,
    depth: u32,
}

impl Reader<'_> {
    fn platform(&mut self, node: Node) -> PlatformSpec {
        if node.tag_name().name() != "platform" {
            let message = format!("expected <platform>, found <{}>", node.tag_name().name());
            self.error(tag_span(node), message);
        }
        self.known_attributes(node, &["version"]);
        self.version(node);
        let mut root: Option<ZoneSpec> = None;
        for child in elements(node) {
            let zone = match child.tag_name().name() {
                "zone" | "AS" => self.zone(child),
                "cluster" => self.cluster(child),
                _ => {
                    self.top_level(child);
                    continue;
                }
            };
            if root.is_some() {
                let message = "a platform has one outermost zone; this is a second one";
                let help = "put both into one <zone id=\"world\" routing=\"Full\">";
                self.error_with_help(tag_span(child), message, help);
            }
            root = root.or(zone);
        }
        if root.is_none() && self.diagnostics.is_empty() {
            self.error(tag_span(node), "the platform is empty: it has no zone and no cluster");
        }
        let root = root.unwrap_or_else(|| ZoneSpec::general("world", GeneralSpec::default()));
        let mut spec = PlatformSpec::new(root);
        spec.network = self.settings();
        spec.options = std::mem::take(&mut self.options);
        spec.option_spans = std::mem::take(&mut self.option_spans);
        spec.profiles = self.connected_profiles();
        spec
    }

    fn top_level(&mut self, node: Node) {
        match node.tag_name().name() {
            "config" => self.config(node),
            "trace" => self.trace(node),
            "trace_connect" => self.trace_connect(node),
            "actor" | "process" => self.warn(
                tag_span(node),
                "actors are not part of a machine; this one is ignored",
                "say on the command line what runs where",
            ),
            "random" => {
                self.warn(tag_span(node), "<random> has no effect, here as in SimGrid", "remove it")
            }
            "peer" | "cabinet" | "host" | "link" | "router" | "route" | "backbone" => self
                .error_with_help(
                    tag_span(node),
                    format!("<{}> must be inside a zone", node.tag_name().name()),
                    "put it into a <zone id=\"world\" routing=\"Full\">",
                ),
            _ => self.stranger(node, &["config", "zone", "cluster", "trace", "trace_connect"]),
        }
    }

    /// An element that has no business where it stands.
    fn stranger(&mut self, node: Node, allowed: &[&str]) {
        let (name, span) = (node.tag_name().name(), tag_span(node));
        match name {
            "include" => self.error_with_help(
                span,
                "<include> is not supported",
                "SimGrid dropped it in 3.18; paste the contents of the file here",
            ),
            "storage" | "storage_type" | "mount" => self.error_with_help(
                span,
                format!("<{name}> is not supported"),
                "SimGrid dropped it in 3.27; use <disk> inside a <host>",
            ),
            "model_prop" => {
                self.warn(span, "<model_prop> has no effect, here as in SimGrid", "remove it");
            }
            _ => {
                let parent = node.parent_element().map_or("platform", |p| p.tag_name().name());
                let message = format!("<{name}> is not allowed in <{parent}>");
                self.error_with_help(span, message, did_you_mean(name, allowed));
            }
        }
    }

    fn version(&mut self, node: Node) {
        let Some(version) = self.optional(node, "version") else {
            self.warn(
                tag_span(node),
                "the version of the format is missing",
                "write <platform version=\"4.1\">",
            );
            return;
        };
        match version.value.parse::<f64>() {
            Ok(number) if number > 4.1 + 1e-9 => self.warn(
                version.span,
                format!("version {number} is newer than 4.1, the last known one"),
                "some of it may be read wrongly",
            ),
            Ok(number) if number >= 4.0 => {}
            Ok(number) => self.error_with_help(
                version.span,
                format!("version {number} of the format is too old"),
                "update the file with SimGrid's simgrid_update_xml",
            ),
            Err(_) => {
                let message = format!("`{}` is no version number", version.value);
                self.error_with_help(version.span, message, "write version=\"4.1\"");
            }
        }
    }

    fn config(&mut self, node: Node) {
        self.known_attributes(node, &["id"]);
        for child in elements(node) {
            if child.tag_name().name() != "prop" {
                self.stranger(child, &["prop"]);
                continue;
            }
            if let Some((key, value)) = self.prop(child) {
                self.options.push((key.value, value.value));
                self.option_spans.push(value.span);
            }
        }
    }

    /// The settings the file asks for. The model first: it brings defaults for the others.
    fn settings(&mut self) -> NetworkSettings {
        let mut settings = NetworkSettings::default();
        let is_model = |key: &str| key == "network/model";
        let mut order: Vec<usize> = (0..self.options.len()).collect();
        order.sort_by_key(|index| !is_model(&self.options[*index].0));
        for index in order {
            let (key, value) = &self.options[index];
            if let OptionOutcome::Bad(why) = settings.apply_option(key, value) {
                let message = format!("option `{key}`: {why}");
                self.error(self.option_spans[index].clone(), message);
            }
        }
        settings
    }

    fn error(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn error_with_help(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(span, message).with_help(help));
    }

    fn warn(&mut self, span: Range<usize>, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::warning(span, message).with_help(help));
    }

    /// Whether one more level of zones is allowed.
    fn may_nest(&mut self, node: Node) -> bool {
        if self.depth <= MAX_DEPTH {
            return true;
        }
        let message = format!("zones are nested more than {MAX_DEPTH} deep");
        self.error(tag_span(node), message);
        false
    }
}

/// The elements directly inside a node.
fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The `<name` of an element.
fn tag_span(node: Node) -> Range<usize> {
    let range = node.range();
    let end = range.start + 1 + node.tag_name().name().len();
    range.start..end.min(range.end)
}

fn syntax_mistake(text: &str, error: &roxmltree::Error) -> Diagnostic {
    let position = error.pos();
    let start = offset(text, position.row, position.col);
    let full = error.to_string();
    // The place is drawn with the message; the parser's own suffix would repeat it.
    let message = full.split(" at ").next().unwrap_or(&full);
    Diagnostic::error(start..start, format!("this is not well-formed XML: {message}"))
}

/// The byte at a row and column, both counted from one, columns in characters.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let rows = (row as usize).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(rows).map(str::len).sum();
    let characters = text[start..].chars().take((column as usize).saturating_sub(1));
    start + characters.map(char::len_utf8).sum::<usize>()
}
