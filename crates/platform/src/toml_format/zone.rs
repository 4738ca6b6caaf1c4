//! Zones: a cluster, or members listed one by one.

use super::cluster;
use super::members;
use super::section::Section;
use crate::spec::{GeneralSpec, Properties, Routing, ZoneContent, ZoneSpec};

/// Zones within zones within zones end somewhere.
const DEEPEST: usize = 32;

/// Keys that only a zone of listed members has.
const MEMBER_KEYS: [&str; 11] = [
    "routing",
    "node",
    "row",
    "peer",
    "router",
    "zone",
    "link",
    "edge",
    "route",
    "bypass",
    "host_link",
];

const ROUTING: [(&str, Routing); 6] = [
    ("none", Routing::None),
    ("full", Routing::Full),
    ("floyd", Routing::Floyd),
    ("dijkstra", Routing::Dijkstra),
    ("star", Routing::Star),
    ("vivaldi", Routing::Vivaldi),
];

/// Reads the zone that a section describes; `None` if there is nothing to be made of it, which has
/// been reported.
pub(super) fn zone(section: &Section<'_>, usual_name: Option<&str>) -> Option<ZoneSpec> {
    if usual_name.is_none() {
        section.require(&["name"]);
    }
    let name = section.value("name").and_then(|value| value.name());
    let name = name.or_else(|| usual_name.map(Into::into)).unwrap_or_else(|| "?".into());
    let mut properties = super::nodes::properties(section);
    let content = content(section, &name.value, &mut properties)?;
    Some(ZoneSpec { name, properties, content })
}

/// What a zone contains; what its switches and links draw is added to its properties.
fn content(section: &Section<'_>, name: &str, properties: &mut Properties) -> Option<ZoneContent> {
    if section.depth.get() > DEEPEST {
        let message = format!("zones are nested more than {DEEPEST} deep");
        section.mistakes.error(section.span.clone(), message);
        return None;
    }
    let nodes = section.section("nodes");
    let network = section.section("network");
    if let Some(nodes) = nodes {
        let why = "beside `[nodes]`: give the cluster a `[[zone]]` of its own";
        section.refuse(&MEMBER_KEYS, why);
        section.refuse(&["backbone"], "here: the backbone of a cluster is in its `[network]`");
        return cluster::cluster(name, nodes, network, section, properties);
    }
    if let Some(network) = network {
        // Only the model settings of the whole file, which are read elsewhere.
        match section.depth.get() {
            0 => drop(network.value("model")),
            _ => network.refuse(&["model"], super::cluster::MODEL_ELSEWHERE),
        }
        if network.has("topology") || network.has("bandwidth") {
            let message = format!("{} has a network but no `[nodes]`", section.title);
            section.mistakes.error(network.span.clone(), message);
            return None;
        }
        network.finish();
    }
    if !MEMBER_KEYS.iter().any(|key| section.has(key)) {
        for key in MEMBER_KEYS {
            section.value(key);
        }
        section.value("backbone");
        let message = format!("{} describes no machine", section.title);
        section.mistakes.push(
            foretell_diagnostics::Diagnostic::error(section.span.clone(), message).with_help(
                "write `[nodes]` and `[network]` for a cluster, or list `[[node]]`, `[[edge]]`, \
                 `[[zone]]`",
            ),
        );
        return None;
    }
    Some(ZoneContent::General(Box::new(general(section, name, properties))))
}

fn general(section: &Section<'_>, name: &str, properties: &mut Properties) -> GeneralSpec {
    let mut general = GeneralSpec {
        members: members::members(section, properties),
        links: members::links(section),
        routes: members::routes(section, "route"),
        bypasses: members::routes(section, "bypass"),
        host_links: members::host_links(section),
        backbone: members::backbone(section, name),
        ..GeneralSpec::default()
    };
    members::edges(section, name, &mut general);
    // Edges are steps to be joined up; routes are whole.
    let usual = if section.has("edge") { Routing::Dijkstra } else { Routing::Full };
    let routing = section.value("routing").and_then(|value| value.choice(&ROUTING));
    general.routing = routing.unwrap_or(usual);
    general
}
