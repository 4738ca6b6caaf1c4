//! `[nodes]` and `[network]`: a cluster in a few lines.

use super::cabinets;
use super::nodes::{self, MOST_NODES, Named};
use super::section::Section;
use super::shape;
use super::wires;
use crate::machine::Policy;
use crate::spec::{ClusterSpec, Properties, Topology, ZoneContent};

/// Why a zone has no network model of its own.
pub(super) const MODEL_ELSEWHERE: &str = "inside a zone: it is the same for the whole file";

/// Reads a cluster, or cabinets of clusters; what its links and switches draw is added to the
/// properties of the zone.
pub(super) fn cluster(
    zone_name: &str,
    nodes: Section<'_>,
    network: Option<Section<'_>>,
    zone: &Section<'_>,
    properties: &mut Properties,
) -> Option<ZoneContent> {
    let named = Named::read(&nodes);
    let node = nodes::node(&nodes);
    nodes.finish();
    let Some(network) = network else {
        zone.mistakes.error(zone.span.clone(), format!("{} lacks `[network]`", zone.title));
        return None;
    };

    match zone.depth.get() {
        // Read with the other settings of the file.
        0 => drop(network.value("model")),
        _ => network.refuse(&["model"], MODEL_ELSEWHERE),
    }
    let wire = wires::wire(&network);
    let limiter = network.value("limiter").and_then(|value| wires::limiter(&value, wire.bandwidth));
    let local = network.value("loopback").and_then(wires::local).unwrap_or_default();
    let shape = shape::read(&network);
    let power = wires::NetworkPower::read(&network);
    let mut spec =
        ClusterSpec { limiter, local, ..ClusterSpec::new(named.naming(&[]), node, wire) };

    let content = if let shape::Shape::Cabinets = shape {
        // The switch above the cabinets is the zone's own.
        let above = wires::NetworkPower { range: None, port: None, ..power };
        wires::add_power(properties, &above);
        cabinets::cabinets(zone_name, &network, &named, spec, &power)
    } else {
        wires::add_power(properties, &power);
        spec.backbone =
            network.value("backbone").and_then(|value| wires::link(value, Policy::Shared));
        spec.router = network.value("router").and_then(|value| value.name());
        spec.group_size = network.value("group_size").and_then(|value| value.count(MOST_NODES));
        network.refuse(&["cabinets", "uplink"], "unless `topology` is \"cabinets\"");
        finish(spec, shape, &network, &named)
    };
    network.finish();
    content
}

fn finish(
    mut spec: ClusterSpec,
    shape: shape::Shape,
    network: &Section<'_>,
    named: &Named,
) -> Option<ZoneContent> {
    let shape::Shape::Known { topology, span, nodes } = shape else { return None };
    if spec.backbone.is_some() && topology != Topology::Star {
        network.refuse(&["backbone"], "outside a star");
    }
    let ranges = match (nodes, named.count()) {
        (None, None) => {
            network.mistakes.error(
                named.span.clone(),
                "[nodes] lacks `count`: a star does not say how many nodes it has",
            );
            return None;
        }
        (Some(size), Some(count)) if size != count => {
            network.mistakes.error(
                named.span.clone(),
                format!("the topology has {size} nodes, but [nodes] asks for {count}"),
            );
            return None;
        }
        (Some(size), None) => named.counted(size as u32),
        (_, Some(_)) => named.ranges.clone()?,
    };
    spec.naming = named.naming(&ranges);
    spec.naming_span = named.span.clone();
    spec.topology = topology;
    spec.topology_span = span;
    Some(ZoneContent::Cluster(Box::new(spec)))
}
