//! Finds the quantities of a SimGrid platform file.

use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::Findings;
use super::quantities::{self, Kind, Written};
use crate::machine::Platform;

/// SimGrid's names of settings that the other looks ask for by ours.
const NAMES: [(&str, &str); 8] = [
    ("smpi/bw-factor", "messages.bandwidth_factor"),
    ("network/bandwidth-factor", "messages.bandwidth_factor"),
    ("smpi/lat-factor", "messages.latency_factor"),
    ("network/latency-factor", "messages.latency_factor"),
    ("smpi/async-small-thresh", "messages.eager_limit"),
    ("smpi/send-is-detached-thresh", "messages.rendezvous_limit"),
    ("smpi/os", "messages.send"),
    ("smpi/or", "messages.receive"),
];

/// Looks at every quantity and notes where settings stand.
pub(super) fn look(text: &str, platform: &Platform, findings: &mut Findings) {
    for ((key, _), span) in platform.options().iter().zip(platform.option_spans()) {
        if let Some((_, ours)) = NAMES.iter().find(|(name, _)| name == key) {
            findings.places.push(((*ours).to_owned(), span.clone()));
        }
    }
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    // A file with mistakes has been reported on by its reader.
    let Ok(document) = Document::parse_with_options(text, options) else { return };
    for node in document.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            if let Some(kind) = kind(attribute.name()) {
                quantities::look(&written(kind, &attribute), findings);
            }
        }
        pairs(node, findings);
        sharing(node, findings);
    }
}

fn kind(attribute: &str) -> Option<Kind> {
    match attribute {
        "lat" | "latency" | "bb_lat" | "loopback_lat" => Some(Kind::Latency),
        "bw" | "bandwidth" | "bb_bw" | "limiter_link" | "bw_in" | "bw_out" => Some(Kind::Bandwidth),
        "loopback_bw" => Some(Kind::LocalBandwidth),
        "speed" => Some(Kind::Speed),
        _ => None,
    }
}

fn written<'a>(kind: Kind, attribute: &Attribute<'a, '_>) -> Written<'a> {
    let span = attribute.range_value();
    Written { kind, key: attribute.name(), text: attribute.value(), span }
}

/// Figures of one element that must fit each other.
fn pairs(node: Node<'_, '_>, findings: &mut Findings) {
    let any = |names: &[&str]| names.iter().find_map(|name| node.attribute_node(*name));
    let Some(bandwidth) = any(&["bw", "bandwidth"]) else { return };
    if let Some(latency) = any(&["lat", "latency"]) {
        let latency = written(Kind::Latency, &latency);
        quantities::look_at_pair(&latency, bandwidth.value(), findings);
    }
    if let Some(limiter) = any(&["limiter_link"]) {
        let limiter = written(Kind::Bandwidth, &limiter);
        quantities::look_at_limiter(&limiter, bandwidth.value(), findings);
    }
}

/// A `<link>` is shared by both directions unless it says otherwise, which few expect.
fn sharing(node: Node<'_, '_>, findings: &mut Findings) {
    if node.tag_name().name() != "link" || node.attribute("sharing_policy").is_some() {
        return;
    }
    let name = node.attribute("id").unwrap_or("?");
    // The start tag, without what is inside the element.
    let start = node.range().start;
    findings.add(
        start..start + "<link".len(),
        format!("link `{name}` leaves its sharing policy to the default"),
        "both directions share a SHARED link; cables are usually SPLITDUPLEX: say which is meant",
    );
}
