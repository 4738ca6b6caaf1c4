//! Attributes: what must be there, what it must look like, and where it stands.

use std::ops::Range;

use foretell_diagnostics::did_you_mean;
use foretell_units::{BytesPerSecond, FlopPerSecond, Seconds};
use roxmltree::{Attribute, Node};

use crate::spec::{NodeSpec, Properties, Spanned};

use super::{Reader, elements, tag_span};

impl Reader<'_> {
    /// Reports attributes that nobody asked for.
    pub(super) fn known_attributes(&mut self, node: Node, known: &[&str]) {
        for attribute in node.attributes().filter(|a| !known.contains(&a.name())) {
            let name = node.tag_name().name();
            let message = format!("<{name}> has no attribute `{}`", attribute.name());
            let help = did_you_mean(attribute.name(), known);
            self.error_with_help(attribute.range_qname(), message, help);
        }
    }

    /// The value of an attribute; an empty one counts as absent, as in SimGrid's DTD.
    pub(super) fn optional(&mut self, node: Node, name: &str) -> Option<Spanned<String>> {
        let attribute = node.attributes().find(|a| a.name() == name)?;
        let value = attribute.value().to_owned();
        (!value.is_empty()).then(|| Spanned::new(value, value_span(&attribute)))
    }

    /// The value of an attribute that must be there, though it may be empty.
    pub(super) fn required(&mut self, node: Node, name: &str) -> Option<Spanned<String>> {
        match node.attributes().find(|a| a.name() == name) {
            Some(attribute) => {
                Some(Spanned::new(attribute.value().to_owned(), value_span(&attribute)))
            }
            None => {
                let message = format!("<{}> lacks `{name}`", node.tag_name().name());
                self.error(tag_span(node), message);
                None
            }
        }
    }

    /// The name of an element; one is made up after reporting that it lacks.
    pub(super) fn id(&mut self, node: Node) -> Spanned<String> {
        match self.required(node, "id") {
            Some(id) if id.value.is_empty() => {
                self.error(id.span.clone(), "the name is empty");
                Spanned::new(format!("unnamed at byte {}", id.span.start), id.span)
            }
            Some(id) => id,
            None => {
                let span = tag_span(node);
                Spanned::new(format!("unnamed at byte {}", span.start), span)
            }
        }
    }

    /// Bytes per second, positive. A mistake is reported and read as 1.
    pub(super) fn bandwidth(&mut self, text: &Spanned<String>) -> f64 {
        match text.value.trim().parse::<BytesPerSecond>() {
            Ok(value) if value.get() > 0.0 => value.get(),
            Ok(_) => self.mistaken(text, "a bandwidth must be positive", 1.0),
            Err(error) => self.mistaken(text, error, 1.0),
        }
    }

    /// Seconds, zero or more. A mistake is reported and read as 0.
    pub(super) fn time(&mut self, text: &Spanned<String>) -> f64 {
        match text.value.trim().parse::<Seconds>() {
            Ok(value) if value.get() >= 0.0 => value.get(),
            Ok(_) => self.mistaken(text, "a duration must be zero or more", 0.0),
            Err(error) => self.mistaken(text, error, 0.0),
        }
    }

    /// Flop/s, one value per pstate, separated by commas.
    pub(super) fn speeds(&mut self, text: &Spanned<String>) -> Vec<f64> {
        let mut start = text.span.start;
        let mut speeds = Vec::new();
        for part in text.value.split(',') {
            // Escapes make a value longer in the file than in memory: then the whole is marked.
            let plain = text.span.len() == text.value.len();
            let span = if plain { start..start + part.len() } else { text.span.clone() };
            start += part.len() + 1;
            let part = Spanned::new(part.to_owned(), span);
            speeds.push(match part.value.trim().parse::<FlopPerSecond>() {
                Ok(value) if value.get() > 0.0 => value.get(),
                Ok(_) => self.mistaken(&part, "a speed must be positive", 1.0),
                Err(error) => self.mistaken(&part, error, 1.0),
            });
        }
        speeds
    }

    /// A bandwidth that must be there.
    pub(super) fn required_bandwidth(&mut self, node: Node, name: &str) -> f64 {
        self.required(node, name).map_or(1.0, |text| self.bandwidth(&text))
    }

    /// A duration that must be there.
    pub(super) fn required_time(&mut self, node: Node, name: &str) -> f64 {
        self.required(node, name).map_or(0.0, |text| self.time(&text))
    }

    /// A bandwidth that may be absent or zero, which both mean none.
    pub(super) fn optional_bandwidth(&mut self, node: Node, name: &str) -> Option<Spanned<f64>> {
        let text = self.optional(node, name)?;
        let zero = text.value.trim().parse::<BytesPerSecond>().is_ok_and(|v| v.get() == 0.0);
        (!zero).then(|| Spanned::new(self.bandwidth(&text), text.span))
    }

    /// What a host or cluster computes with.
    pub(super) fn node_spec(&mut self, node: Node, properties: Properties) -> NodeSpec {
        let speeds = self.required(node, "speed").map(|text| self.speeds(&text));
        let speeds = speeds.unwrap_or_else(|| vec![1.0]);
        let cores = self.cores(node);
        let pstate = self.pstate(node, speeds.len());
        NodeSpec { speeds, pstate, cores, disk: None, properties }
    }

    fn cores(&mut self, node: Node) -> u32 {
        let Some(text) = self.optional(node, "core") else { return 1 };
        match text.value.trim().parse::<u32>() {
            Ok(cores) if cores > 0 => cores,
            _ => {
                let message = format!("`{}` is no number of cores", text.value);
                self.error_with_help(text.span, message, "expected a whole number from 1 on");
                1
            }
        }
    }

    fn pstate(&mut self, node: Node, count: usize) -> usize {
        let Some(text) = self.optional(node, "pstate") else { return 0 };
        // The DTD's own default is "0.0".
        match text.value.trim().parse::<f64>() {
            Ok(pstate) if pstate >= 0.0 && pstate < count as f64 => pstate as usize,
            _ => {
                let message = format!("`{}` is no pstate of this host", text.value);
                let help = format!("it has {count} speeds, so pstates 0 to {}", count - 1);
                self.error_with_help(text.span, message, help);
                0
            }
        }
    }

    /// Three numbers separated by blanks.
    pub(super) fn coordinates(&mut self, node: Node) -> Option<[f64; 3]> {
        let text = self.optional(node, "coordinates")?;
        let numbers: Result<Vec<f64>, _> = text.value.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[x, y, height]) if [x, y, height].iter().all(|n: &f64| n.is_finite()) => {
                Some([x, y, height])
            }
            _ => {
                let message = format!("`{}` are no coordinates", text.value);
                let help = "expected three numbers in milliseconds: \"x y height\"";
                self.error_with_help(text.span, message, help);
                Some([0.0; 3])
            }
        }
    }

    /// One of a list of words; a mistake is reported and read as the first.
    pub(super) fn choice<T: Copy>(
        &mut self,
        node: Node,
        name: &str,
        default: T,
        choices: &[(&str, T)],
    ) -> T {
        let Some(text) = self.optional(node, name) else { return default };
        if let Some((_, value)) = choices.iter().find(|(word, _)| *word == text.value) {
            return *value;
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let message = format!("`{}` is no value of `{name}`", text.value);
        self.error_with_help(text.span, message, did_you_mean(&text.value, &words));
        default
    }

    /// The properties directly inside an element; other children are left to `other`.
    pub(super) fn properties(
        &mut self,
        node: Node,
        mut other: impl FnMut(&mut Self, Node, &mut Properties),
    ) -> Properties {
        let mut properties = Properties::new();
        for child in elements(node) {
            if child.tag_name().name() == "prop" {
                if let Some((key, value)) = self.prop(child) {
                    properties.push((key.value, value.value));
                }
            } else {
                other(self, child, &mut properties);
            }
        }
        properties
    }

    pub(super) fn prop(&mut self, node: Node) -> Option<(Spanned<String>, Spanned<String>)> {
        self.known_attributes(node, &["id", "value"]);
        let (key, value) = (self.required(node, "id"), self.required(node, "value"));
        Some((key?, value?))
    }

    fn mistaken<T>(&mut self, text: &Spanned<String>, why: impl ToString, instead: T) -> T {
        self.error(text.span.clone(), why.to_string());
        instead
    }
}

/// The bytes between the quotes.
fn value_span(attribute: &Attribute) -> Range<usize> {
    let span = attribute.range_value();
    span.start.min(span.end)..span.end
}
