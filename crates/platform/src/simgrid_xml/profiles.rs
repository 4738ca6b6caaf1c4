//! Profiles: dated values, inline or in files, and what they are connected to.

use std::collections::BTreeMap;
use std::ops::Range;

use foretell_diagnostics::did_you_mean;
use roxmltree::Node;

use crate::spec::{ProfileKind, ProfileSpec, Spanned};

use super::{Reader, tag_span};

/// Profiles met so far.
#[derive(Default)]
pub(super) struct Profiles {
    traces: BTreeMap<String, Series>,
    connected: Vec<ProfileSpec>,
    /// Connections by name, to be looked up at the end.
    waiting: Vec<(Spanned<String>, ProfileKind, Spanned<String>)>,
}

/// Dated values without a target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    events: Vec<(f64, f64)>,
    repeat_after: Option<f64>,
}

impl Reader<'_> {
    pub(super) fn trace(&mut self, node: Node) {
        self.known_attributes(node, &["id", "file", "periodicity"]);
        self.childless(node);
        let name = self.id(node);
        let period = self.required(node, "periodicity").map_or(0.0, |text| {
            text.value.trim().parse::<f64>().unwrap_or_else(|_| {
                let message = format!("`{}` is no number of seconds", text.value);
                self.error(text.span, message);
                0.0
            })
        });
        let series = match self.optional(node, "file") {
            Some(file) => self.profile_file(&file),
            None => {
                let text = node.text().unwrap_or_default();
                self.series(text, period, tag_span(node))
            }
        };
        let Some(series) = series else { return };
        if self.profiles.traces.insert(name.value.clone(), series).is_some() {
            self.error(name.span, format!("trace `{}` is declared twice", name.value));
        }
    }

    pub(super) fn trace_connect(&mut self, node: Node) {
        self.known_attributes(node, &["kind", "trace", "element"]);
        let kinds = [
            ("HOST_AVAIL", ProfileKind::HostState),
            ("SPEED", ProfileKind::HostSpeed),
            ("LINK_AVAIL", ProfileKind::LinkState),
            ("BANDWIDTH", ProfileKind::LinkBandwidth),
            ("LATENCY", ProfileKind::LinkLatency),
        ];
        let kind = self.choice(node, "kind", ProfileKind::HostState, &kinds);
        let (trace, element) = (self.required(node, "trace"), self.required(node, "element"));
        if let (Some(trace), Some(element)) = (trace, element) {
            self.profiles.waiting.push((trace, kind, element));
        }
    }

    /// The `*_file` attributes of a host or link.
    pub(super) fn profile_files(
        &mut self,
        node: Node,
        element: &Spanned<String>,
        files: &[(&str, ProfileKind)],
    ) {
        for (attribute, kind) in files {
            let Some(file) = self.optional(node, attribute) else { continue };
            if let Some(series) = self.profile_file(&file) {
                let element = Spanned::new(element.value.clone(), file.span);
                self.connect(series, *kind, element);
            }
        }
    }

    /// All profiles, with names of traces looked up.
    pub(super) fn connected_profiles(&mut self) -> Vec<ProfileSpec> {
        for (trace, kind, element) in std::mem::take(&mut self.profiles.waiting) {
            match self.profiles.traces.get(&trace.value).cloned() {
                Some(series) => self.connect(series, kind, element),
                None => {
                    let names: Vec<&str> =
                        self.profiles.traces.keys().map(String::as_str).collect();
                    let help = did_you_mean(&trace.value, &names);
                    let message = format!("there is no trace `{}`", trace.value);
                    self.error_with_help(trace.span, message, help);
                }
            }
        }
        std::mem::take(&mut self.profiles.connected)
    }

    fn connect(&mut self, series: Series, kind: ProfileKind, element: Spanned<String>) {
        let Series { events, repeat_after } = series;
        self.profiles.connected.push(ProfileSpec { kind, element, events, repeat_after });
    }

    fn profile_file(&mut self, file: &Spanned<String>) -> Option<Series> {
        let Some(directory) = self.directory else {
            let message = format!("profile file `{}` cannot be looked for", file.value);
            let help = "read the platform from a file, or write the profile as a <trace>";
            self.error_with_help(file.span.clone(), message, help);
            return None;
        };
        match std::fs::read_to_string(directory.join(&file.value)) {
            Ok(text) => self.series(&text, 0.0, file.span.clone()),
            Err(error) => {
                let message = format!("cannot read profile file `{}`: {error}", file.value);
                self.error(file.span.clone(), message);
                None
            }
        }
    }

    fn series(&mut self, text: &str, period: f64, span: Range<usize>) -> Option<Series> {
        match parse(text, period) {
            Ok(series) => Some(series),
            Err(why) => {
                self.error(span, format!("bad profile: {why}"));
                None
            }
        }
    }
}

/// Lines of `date value`, with `PERIODICITY s` or `LOOPAFTER s` anywhere among them.
fn parse(text: &str, period: f64) -> Result<Series, String> {
    let mut period = (period > 0.0).then_some(period);
    let mut delay = None;
    let mut events: Vec<(f64, f64)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '%']) {
            continue;
        }
        let at = |why: &str| format!("line {}: {why}", index + 1);
        let fields: Vec<&str> = line.split_whitespace().collect();
        match fields[..] {
            ["PERIODICITY", seconds] => period = Some(number(seconds).map_err(|w| at(&w))?),
            ["LOOPAFTER", seconds] => delay = Some(number(seconds).map_err(|w| at(&w))?),
            ["STOCHASTIC", ..] | ["DET" | "NORM" | "UNIF" | "EXP", ..] => {
                return Err(at("stochastic profiles are not modelled"));
            }
            [date, value] => {
                let event = (number(date).map_err(|w| at(&w))?, number(value).map_err(|w| at(&w))?);
                if events.last().is_some_and(|last| last.0 > event.0) {
                    return Err(at("dates must not decrease"));
                }
                events.push(event);
            }
            _ => return Err(at(&format!("expected a date and a value, not `{line}`"))),
        }
    }
    finish(events, period, delay)
}

fn finish(
    events: Vec<(f64, f64)>,
    period: Option<f64>,
    delay: Option<f64>,
) -> Result<Series, String> {
    let Some(last) = events.last().map(|event| event.0) else {
        return Err("it has no dated value".to_owned());
    };
    let repeat_after = match (period, delay) {
        (Some(_), Some(_)) => return Err("PERIODICITY and LOOPAFTER exclude each other".to_owned()),
        (Some(period), None) if period < last => {
            return Err(format!("the period of {period} s ends before the last date, {last} s"));
        }
        (Some(period), None) => Some(period - last),
        (None, delay) => delay,
    };
    // Nothing would ever come after the first turn.
    if repeat_after.is_some_and(|delay| last + delay <= 0.0) {
        return Err("it repeats without time passing".to_owned());
    }
    Ok(Series { events, repeat_after })
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is no number of zero or more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, period: f64, events: &[(f64, f64)], repeat_after: Option<f64>) {
        let series = Series { events: events.to_vec(), repeat_after };
        assert_eq!(parse(text, period), Ok(series), "{text}");
    }

    #[test]
    fn values_are_dated_and_may_repeat() {
        check("0 1\n 5 0.5", -1.0, &[(0.0, 1.0), (5.0, 0.5)], None);
        check("# once\n1 1\nLOOPAFTER 4\n", 0.0, &[(1.0, 1.0)], Some(4.0));
        check("1 1\n3 2", 10.0, &[(1.0, 1.0), (3.0, 2.0)], Some(7.0));
        check("PERIODICITY 2\n1 1", 0.0, &[(1.0, 1.0)], Some(1.0));
    }

    #[test]
    fn mistakes_name_their_line() {
        let wrong = |text: &str, period: f64| parse(text, period).unwrap_err();
        assert_eq!(wrong("5 1\n1 1", 0.0), "line 2: dates must not decrease");
        assert_eq!(wrong("a 1", 0.0), "line 1: `a` is no number of zero or more");
        assert_eq!(wrong("1", 0.0), "line 1: expected a date and a value, not `1`");
        assert_eq!(wrong("", 0.0), "it has no dated value");
        assert_eq!(wrong("0 1\nLOOPAFTER 0", 0.0), "it repeats without time passing");
        assert_eq!(wrong("9 1", 5.0), "the period of 5 s ends before the last date, 9 s");
        assert_eq!(wrong("STOCHASTIC", 0.0), "line 1: stochastic profiles are not modelled");
    }
}
