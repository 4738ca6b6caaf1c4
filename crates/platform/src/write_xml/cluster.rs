//! `<cluster>`.

use super::{Page, bandwidth, seconds, speeds};
use crate::machine::Policy;
use crate::names::{Naming, NumberRange};
use crate::spec::{ClusterSpec, Local, Sharing, Topology, ZoneSpec};
use crate::topology::DragonflyRouting;

pub(super) fn cluster(page: &mut Page, zone: &ZoneSpec, spec: &ClusterSpec) {
    let mut attributes = vec![
        ("id", zone.name.value.clone()),
        ("prefix", spec.naming.prefix().to_owned()),
        ("suffix", spec.naming.suffix().to_owned()),
        ("radical", radical(&spec.naming)),
        ("speed", speeds(&spec.node.speeds)),
        ("core", spec.node.cores.to_string()),
        ("bw", bandwidth(spec.wire.bandwidth)),
        ("lat", seconds(spec.wire.latency)),
        ("sharing_policy", policy(spec.wire.sharing).to_owned()),
    ];
    if let Some((shape, figures)) = topology(page, &zone.name.value, &spec.topology) {
        attributes.push(("topology", shape.to_owned()));
        attributes.push(("topo_parameters", figures));
    }
    if let Some(backbone) = spec.backbone {
        attributes.push(("bb_bw", bandwidth(backbone.bandwidth)));
        attributes.push(("bb_lat", seconds(backbone.latency)));
        if backbone.policy == Policy::FatPipe {
            attributes.push(("bb_sharing_policy", "FATPIPE".to_owned()));
        }
    }
    if let Some(limiter) = spec.limiter {
        attributes.push(("limiter_link", bandwidth(limiter)));
    }
    let local = match spec.local {
        Local::Own { bandwidth, latency } => Some((bandwidth, latency)),
        Local::Platform => Some((page.loopback.bandwidth, page.loopback.latency)),
        Local::Crossing => None,
    };
    if let Some((rate, latency)) = local {
        attributes.push(("loopback_bw", bandwidth(rate)));
        attributes.push(("loopback_lat", seconds(latency)));
    }
    if let Some(router) = &spec.router {
        attributes.push(("router_id", router.value.clone()));
    }
    let properties: Vec<_> = zone.properties.iter().chain(&spec.node.properties).cloned().collect();
    page.element("cluster", &attributes, &properties);

    let name = &zone.name.value;
    if spec.node.pstate != 0 {
        page.lose(format!("the nodes of `{name}` start in pstate 0, not {}", spec.node.pstate));
    }
    if spec.node.disk.is_some() {
        page.lose(format!("the disks of the nodes of `{name}`"));
    }
    if spec.group_size.is_some() {
        page.lose(format!("the groups of nodes of `{name}`"));
    }
}

pub(super) fn policy(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Shared => "SHARED",
        Sharing::SplitDuplex => "SPLITDUPLEX",
        Sharing::FatPipe => "FATPIPE",
    }
}

pub(super) fn radical(naming: &Naming) -> String {
    let run = |range: &NumberRange| match range.first == range.last {
        true => range.first.to_string(),
        false => format!("{}-{}", range.first, range.last),
    };
    let runs: Vec<_> = naming.ranges().iter().map(run).collect();
    runs.join(",")
}

/// SimGrid's word for a shape and its figures; nothing for a star.
fn topology(page: &mut Page, name: &str, topology: &Topology) -> Option<(&'static str, String)> {
    match topology {
        Topology::Star => None,
        Topology::Torus(dims) => Some(("TORUS", list(dims))),
        Topology::Mesh(dims) => {
            page.lose(format!("`{name}` is written as a torus: SimGrid has no mesh"));
            Some(("TORUS", list(dims)))
        }
        Topology::FatTree(tree) => {
            let (down, up, cables) = (list(&tree.down), list(&tree.up), list(&tree.cables));
            Some(("FAT_TREE", format!("{};{down};{up};{cables}", tree.down.len())))
        }
        Topology::Dragonfly(spec) => {
            if spec.routing == DragonflyRouting::Minimal {
                page.lose(format!("`{name}` uses SimGrid's way of routing inside a group"));
            }
            let figures = format!(
                "{},{};{},{};{},{};{}",
                spec.groups,
                spec.blue,
                spec.chassis,
                spec.black,
                spec.routers,
                spec.green,
                spec.nodes
            );
            Some(("DRAGONFLY", figures))
        }
    }
}

fn list(values: &[u32]) -> String {
    let values: Vec<_> = values.iter().map(u32::to_string).collect();
    values.join(",")
}
