//! Nodes nobody reaches, links nobody crosses.

use rustc_hash::FxHashSet;

use super::Findings;
use crate::machine::{HostId, Platform, Route};
use crate::spec::{GeneralSpec, Member, Spanned, Topology, ZoneContent, ZoneSpec};

/// Up to this many nodes, every pair is asked for its route.
const ALL_PAIRS: usize = 200;

/// Beyond that, this many nodes are tried against each other.
const SAMPLE: usize = 64;

/// So many of a kind are told one by one.
const MOST_TOLD: usize = 5;

/// Looks at the machine as a whole.
pub(super) fn look(platform: &Platform, findings: &mut Findings) {
    let mut used = FxHashSet::default();
    uses(&platform.spec().root, &mut used);
    look_at_zone(&platform.spec().root, &used, findings);
    reachability(platform, findings);
}

fn look_at_zone(zone: &ZoneSpec, used: &FxHashSet<&str>, findings: &mut Findings) {
    match &zone.content {
        ZoneContent::Cluster(cluster) => {
            let dims = match &cluster.topology {
                Topology::Torus(dims) | Topology::Mesh(dims) => dims.as_slice(),
                _ => &[],
            };
            if dims.len() > 1 && dims.contains(&1) {
                let message = "a dimension of one node adds nothing";
                findings.add(cluster.topology_span.clone(), message, "leave it out");
            }
        }
        ZoneContent::General(general) => {
            unused_links(general, used, findings);
            for member in &general.members {
                if let Member::Zone(inner) = member {
                    look_at_zone(inner, used, findings);
                }
            }
        }
    }
}

fn unused_links(general: &GeneralSpec, used: &FxHashSet<&str>, findings: &mut Findings) {
    for link in &general.links {
        let name = link.name.value.as_str();
        if !used.contains(name) {
            let message = format!("no route crosses link `{name}`");
            findings.add(link.name.span.clone(), message, "remove it, or name it in a route");
        }
    }
}

/// Links named in routes; `x_UP` and `x_DOWN` are uses of `x`.
fn uses<'a>(zone: &'a ZoneSpec, used: &mut FxHashSet<&'a str>) {
    let ZoneContent::General(general) = &zone.content else { return };
    let mut add = |name: &'a Spanned<String>| {
        let name = name.value.as_str();
        used.insert(name);
        used.extend(name.strip_suffix("_UP").or_else(|| name.strip_suffix("_DOWN")));
    };
    for route in general.routes.iter().chain(&general.bypasses) {
        route.links.iter().for_each(|link| add(&link.link));
    }
    for link in &general.host_links {
        add(&link.up);
        add(&link.down);
    }
    for member in &general.members {
        if let Member::Zone(inner) = member {
            uses(inner, used);
        }
    }
}

fn reachability(platform: &Platform, findings: &mut Findings) {
    let hosts = sample(platform);
    let mut route = Route::default();
    let mut lonely = Vec::new();
    let mut missing = Vec::new();
    for from in &hosts {
        let others = hosts.iter().filter(|to| *to != from);
        let cut_off: Vec<_> =
            others.filter(|to| platform.route(*from, **to, &mut route).is_err()).collect();
        if hosts.len() > 1 && cut_off.len() == hosts.len() - 1 {
            lonely.push(*from);
        } else {
            missing.extend(cut_off.into_iter().map(|to| (*from, *to)));
        }
    }
    let span = |host| name_span(&platform.spec().root, &platform.host_name(host)).unwrap_or(0..0);
    for host in lonely.iter().take(MOST_TOLD) {
        let message = format!("node `{}` reaches no other node", platform.host_name(*host));
        findings.add(span(*host), message, "give it a link and a route");
    }
    let pairs: Vec<_> = missing
        .iter()
        .filter(|(from, to)| !lonely.contains(from) && !lonely.contains(to))
        .collect();
    for (from, to) in pairs.iter().take(MOST_TOLD) {
        let names = (platform.host_name(*from), platform.host_name(*to));
        let message = format!("there is no route from `{}` to `{}`", names.0, names.1);
        findings.add(span(*from), message, "add a route, or messages between them will fail");
    }
    let untold = lonely.len().saturating_sub(MOST_TOLD) + pairs.len().saturating_sub(MOST_TOLD);
    if untold > 0 {
        let message = format!("{untold} more nodes or pairs of nodes lack a route");
        findings.add(0..0, message, "see the warnings about the first of them");
    }
}

/// All nodes of a small machine; of a large one, some from all over it.
fn sample(platform: &Platform) -> Vec<HostId> {
    let count = platform.host_count();
    if count <= ALL_PAIRS {
        return platform.hosts().collect();
    }
    let step = count.div_ceil(SAMPLE);
    platform.hosts().step_by(step).collect()
}

/// Where a node with a record of its own is named.
fn name_span(zone: &ZoneSpec, name: &str) -> Option<std::ops::Range<usize>> {
    match &zone.content {
        ZoneContent::Cluster(cluster) => {
            cluster.naming.find(name).map(|_| cluster.naming_span.clone())
        }
        ZoneContent::General(general) => general.members.iter().find_map(|member| match member {
            Member::Host(host) if host.name.value == name => Some(host.name.span.clone()),
            Member::Peer(peer) if peer.name.value == name => Some(peer.name.span.clone()),
            Member::Cabinet(row) => row.naming.find(name).map(|_| row.naming_span.clone()),
            Member::Zone(inner) => name_span(inner, name),
            _ => None,
        }),
    }
}
