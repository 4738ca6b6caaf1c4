//! `[[profile]]`: dated changes of nodes and links.

use super::members::required_name;
use super::section::Section;
use super::value::Value;
use crate::spec::{ProfileKind, ProfileSpec};

/// Most events of one profile.
const MOST_EVENTS: usize = 1_000_000;

/// Reads every profile of the file.
pub(super) fn profiles(file: &Section<'_>) -> Vec<ProfileSpec> {
    let mut profiles = Vec::new();
    for section in file.sections("profile") {
        profiles.extend(profile(&section));
        section.finish();
    }
    profiles
}

fn profile(section: &Section<'_>) -> Option<ProfileSpec> {
    let repeat_after = section.value("repeat_after").and_then(|value| value.seconds());
    let of_node = section.has("node");
    if of_node == section.has("link") {
        section.value("node");
        section.value("link");
        allow_all(section);
        let message = "[[profile]] needs either `node` or `link`";
        section.mistakes.error(section.span.clone(), message);
        return None;
    }
    let (element, kinds): (_, &[_]) = if of_node {
        section.refuse(&["bandwidth", "latency"], "for a node");
        let kinds = &[("speed", ProfileKind::HostSpeed), ("state", ProfileKind::HostState)];
        (required_name(section, "node"), kinds)
    } else {
        section.refuse(&["speed"], "for a link");
        let kinds = &[
            ("bandwidth", ProfileKind::LinkBandwidth),
            ("latency", ProfileKind::LinkLatency),
            ("state", ProfileKind::LinkState),
        ];
        (required_name(section, "link"), kinds)
    };
    let series: Vec<_> = kinds
        .iter()
        .filter_map(|(key, kind)| section.value(key).map(|value| (value, *kind)))
        .collect();
    let [(value, kind)] = series.as_slice() else {
        let names: Vec<_> = kinds.iter().map(|(key, _)| format!("`{key}`")).collect();
        let message = format!("[[profile]] needs exactly one of {}", names.join(", "));
        section.mistakes.error(section.span.clone(), message);
        return None;
    };
    let events = events(value, *kind)?;
    Some(ProfileSpec { kind: *kind, element: element?, events, repeat_after })
}

fn allow_all(section: &Section<'_>) {
    for key in ["speed", "state", "bandwidth", "latency"] {
        section.value(key);
    }
}

fn events(value: &Value<'_>, kind: ProfileKind) -> Option<Vec<(f64, f64)>> {
    let list = value.list()?;
    if list.is_empty() || list.len() > MOST_EVENTS {
        value.error(format!("{} needs 1 to {MOST_EVENTS} events", value.title));
        return None;
    }
    let mut events: Vec<(f64, f64)> = Vec::with_capacity(list.len());
    for row in list {
        let [date, amount] = row.tuple("events like [\"10s\", 0.5]: date, value")?;
        let event = (date.seconds()?, amount_of(&amount, kind)?);
        if events.last().is_some_and(|last| last.0 > event.0) {
            date.error("the dates of a profile must not decrease");
            return None;
        }
        events.push(event);
    }
    Some(events)
}

fn amount_of(value: &Value<'_>, kind: ProfileKind) -> Option<f64> {
    match kind {
        ProfileKind::HostSpeed => value.number_not_negative(),
        ProfileKind::LinkBandwidth => value.bandwidth(),
        ProfileKind::LinkLatency => value.seconds(),
        ProfileKind::HostState | ProfileKind::LinkState => {
            value.choice(&[("on", 1.0), ("off", 0.0)])
        }
    }
}
