//! `[nodes]` and `[network]`.

use super::{Page, number, numbers, quantity, text};
use crate::machine::{Disk, Link, Policy};
use crate::names::{Naming, NumberRange};
use crate::spec::{ClusterSpec, Local, NodeSpec, Sharing, Topology, WireSpec};
use crate::topology::{DragonflyRouting, DragonflySpec};

/// Both tables of a cluster; `prefix` is the path of its zone.
pub(super) fn cluster(page: &mut Page, prefix: &str, spec: &ClusterSpec) {
    page.table(&format!("[{prefix}nodes]"));
    names(page, &spec.naming);
    node(page, &spec.node);

    page.table(&format!("[{prefix}network]"));
    topology(page, &spec.topology);
    wire(page, &spec.wire);
    if let Some(limiter) = spec.limiter {
        page.key("limiter", limiter_text(limiter, spec.wire.bandwidth));
    }
    match spec.local {
        Local::Platform => {}
        Local::Crossing => page.key("loopback", text("network")),
        Local::Own { bandwidth, latency } => {
            let (bandwidth, latency) = (quantity::bandwidth(bandwidth), quantity::seconds(latency));
            page.key("loopback", format!("{{ bandwidth = {bandwidth}, latency = {latency} }}"));
        }
    }
    if let Some(backbone) = spec.backbone {
        page.key("backbone", link(backbone));
    }
    if let Some(router) = &spec.router {
        page.text_key("router", &router.value);
    }
    if let Some(size) = spec.group_size {
        page.key("group_size", size.to_string());
    }
}

/// `count` and `first`, or `numbers`.
pub(super) fn names(page: &mut Page, naming: &Naming) {
    match naming.ranges() {
        [NumberRange { first, last }] => {
            page.key("count", (u64::from(*last) - u64::from(*first) + 1).to_string());
            if *first != 0 {
                page.key("first", first.to_string());
            }
        }
        ranges => {
            let run = |range: &NumberRange| match range.first == range.last {
                true => range.first.to_string(),
                false => format!("{}-{}", range.first, range.last),
            };
            let runs: Vec<_> = ranges.iter().map(run).collect();
            page.text_key("numbers", &runs.join(","));
        }
    }
    page.text_key("prefix", naming.prefix());
    if !naming.suffix().is_empty() {
        page.text_key("suffix", naming.suffix());
    }
}

/// What a node computes with.
pub(super) fn node(page: &mut Page, node: &NodeSpec) {
    if node.cores != 1 {
        page.key("cores", node.cores.to_string());
    }
    speeds(page, &node.speeds);
    if node.pstate != 0 {
        page.key("pstate", node.pstate.to_string());
    }
    disk(page, node.disk);
    page.properties(&node.properties);
}

/// The disk of a node, if it has one.
pub(super) fn disk(page: &mut Page, disk: Option<Disk>) {
    if let Some(disk) = disk {
        let (read, write) = (quantity::bandwidth(disk.read), quantity::bandwidth(disk.write));
        let latency = match disk.latency {
            0.0 => String::new(),
            latency => format!(", latency = {}", quantity::seconds(latency)),
        };
        page.key("disk", format!("{{ read = {read}, write = {write}{latency} }}"));
    }
}

pub(super) fn speeds(page: &mut Page, speeds: &[f64]) {
    let speeds: Vec<_> = speeds.iter().map(|speed| quantity::speed(*speed)).collect();
    match speeds.as_slice() {
        [one] => page.key("speed", one),
        _ => page.key("speed", format!("[{}]", speeds.join(", "))),
    }
}

/// `bandwidth`, `latency`, and `sharing` if it is not duplex.
pub(super) fn wire(page: &mut Page, wire: &WireSpec) {
    page.key("bandwidth", quantity::bandwidth(wire.bandwidth));
    page.key("latency", quantity::seconds(wire.latency));
    match wire.sharing {
        Sharing::SplitDuplex => {}
        Sharing::Shared => page.text_key("sharing", "shared"),
        Sharing::FatPipe => page.text_key("sharing", "fatpipe"),
    }
}

/// A link as an inline table.
pub(super) fn link(link: Link) -> String {
    let sharing = match link.policy {
        Policy::Shared => "shared",
        Policy::FatPipe => "fatpipe",
    };
    format!(
        "{{ bandwidth = {}, latency = {}, sharing = \"{sharing}\" }}",
        quantity::bandwidth(link.bandwidth),
        quantity::seconds(link.latency)
    )
}

/// A multiple of the link where that gives the very same figure.
fn limiter_text(limiter: f64, bandwidth: f64) -> String {
    let times = limiter / bandwidth;
    let round = (times * 100.0).round() / 100.0;
    if round * bandwidth == limiter && round > 0.0 {
        return text(&format!("{}x", number(round).trim_end_matches(".0")));
    }
    quantity::bandwidth(limiter)
}

fn topology(page: &mut Page, topology: &Topology) {
    match topology {
        Topology::Star => page.text_key("topology", "star"),
        Topology::Torus(dims) => {
            page.text_key("topology", "torus");
            page.key("dims", numbers(dims));
        }
        Topology::Mesh(dims) => {
            page.text_key("topology", "mesh");
            page.key("dims", numbers(dims));
        }
        Topology::FatTree(tree) => {
            page.text_key("topology", "fat-tree");
            page.key("down", numbers(&tree.down));
            page.key("up", numbers(&tree.up));
            page.key("cables", numbers(&tree.cables));
        }
        Topology::Dragonfly(spec) => dragonfly(page, spec),
    }
}

fn dragonfly(page: &mut Page, spec: &DragonflySpec) {
    page.text_key("topology", "dragonfly");
    let figures = [
        ("groups", spec.groups),
        ("chassis", spec.chassis),
        ("routers", spec.routers),
        ("router_nodes", spec.nodes),
        ("group_cables", spec.blue),
        ("chassis_cables", spec.black),
        ("router_cables", spec.green),
    ];
    for (key, figure) in figures {
        page.key(key, figure.to_string());
    }
    if spec.routing == DragonflyRouting::AsSimGrid {
        page.text_key("routing", "simgrid");
    }
}
