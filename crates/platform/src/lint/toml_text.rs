//! Finds the quantities of a TOML platform file.

use toml::de::{DeTable, DeValue};

use super::Findings;
use super::quantities::{self, Kind, Written};

/// Looks at every quantity and notes where settings stand.
pub(super) fn look(text: &str, findings: &mut Findings) {
    // A file with mistakes has been reported on by its reader.
    if let Ok(document) = DeTable::parse(text) {
        table(text, "", document.get_ref(), findings);
    }
}

fn table(text: &str, path: &str, table_: &DeTable<'_>, findings: &mut Findings) {
    let local = path.ends_with("loopback");
    for (key, value) in table_ {
        let key: &str = key.get_ref();
        let full = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        findings.places.push((full.clone(), value.span()));
        match value.get_ref() {
            DeValue::Table(inner) => table(text, &full, inner, findings),
            DeValue::Array(items) => {
                for item in items {
                    match item.get_ref() {
                        DeValue::Table(inner) => table(text, &full, inner, findings),
                        // The speeds of pstates.
                        _ if key == "speed" && !path.ends_with("profile") => {
                            quantity(text, Kind::Speed, key, item.span(), findings);
                        }
                        _ => {}
                    }
                }
            }
            _ => {
                let kind = match key {
                    "latency" => Kind::Latency,
                    "bandwidth" | "bandwidth_in" | "bandwidth_out" if local => Kind::LocalBandwidth,
                    "bandwidth" | "bandwidth_in" | "bandwidth_out" => Kind::Bandwidth,
                    "speed" => Kind::Speed,
                    _ => continue,
                };
                quantity(text, kind, key, value.span(), findings);
            }
        }
    }
    pairs(text, table_, findings);
}

fn quantity(
    text: &str,
    kind: Kind,
    key: &str,
    span: std::ops::Range<usize>,
    findings: &mut Findings,
) {
    let written = Written { kind, key, text: unquoted(&text[span.clone()]), span };
    quantities::look(&written, findings);
}

/// Figures of one table that must fit each other.
fn pairs(text: &str, table: &DeTable<'_>, findings: &mut Findings) {
    let written = |key: &'static str, kind| {
        let value = table.get(key)?;
        let scalar = !matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_));
        let span = value.span();
        scalar.then(|| Written { kind, key, text: unquoted(&text[span.clone()]), span })
    };
    let Some(bandwidth) = written("bandwidth", Kind::Bandwidth) else { return };
    if let Some(latency) = written("latency", Kind::Latency) {
        quantities::look_at_pair(&latency, bandwidth.text, findings);
    }
    if let Some(limiter) = written("limiter", Kind::Bandwidth) {
        quantities::look_at_limiter(&limiter, bandwidth.text, findings);
    }
}

/// A string without its quotes; numbers as they are.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}
