//! Zones of listed members.
//!
//! A SimGrid zone holds either zones or hosts. Where ours holds both, each loose host or router
//! gets a zone of its own, and routes lead to that.

use rustc_hash::FxHashSet;

use super::cluster::{self, policy, radical};
use super::{Page, bandwidth, seconds, speeds};
use crate::spec::{
    Direction, GeneralSpec, LinkSpec, Member, NodeSpec, RouteSpec, Routing, Sharing, Spanned,
    ZoneContent, ZoneSpec,
};

pub(super) fn zone(page: &mut Page, zone: &ZoneSpec) {
    match &zone.content {
        ZoneContent::Cluster(spec) => cluster::cluster(page, zone, spec),
        ZoneContent::General(spec) => {
            let routing = routing(spec.routing).to_owned();
            page.open("zone", &[("id", zone.name.value.clone()), ("routing", routing)]);
            page.properties(&zone.properties);
            general(page, spec);
            page.close("zone");
        }
    }
}

fn general(page: &mut Page, spec: &GeneralSpec) {
    let mixed = spec.members.iter().any(|member| matches!(member, Member::Zone(_)))
        && spec.members.iter().any(is_loose);
    for member in &spec.members {
        if mixed && is_loose(member) {
            let attributes = [("id", wrapper(name_of(member))), ("routing", "Full".to_owned())];
            page.open("zone", &attributes);
            write_member(page, member);
            page.close("zone");
        } else {
            write_member(page, member);
        }
    }
    for link in &spec.links {
        write_link(page, link);
    }
    if let Some(backbone) = &spec.backbone {
        write_backbone(page, backbone);
    }
    for link in &spec.host_links {
        let (host, up, down) =
            (link.host.value.clone(), link.up.value.clone(), link.down.value.clone());
        page.empty("host_link", &[("id", host), ("up", up), ("down", down)]);
    }
    let loose = spec.members.iter().filter(|member| mixed && is_loose(member));
    let writer = Routes { mixed, loose: loose.map(name_of).collect() };
    for route in &spec.routes {
        writer.write(page, route, ["route", "zoneRoute"]);
    }
    for route in &spec.bypasses {
        writer.write(page, route, ["bypassRoute", "bypassZoneRoute"]);
    }
}

fn is_loose(member: &Member) -> bool {
    matches!(member, Member::Host(_) | Member::Router(_))
}

fn name_of(member: &Member) -> &str {
    match member {
        Member::Host(host) => &host.name.value,
        Member::Router(router) => &router.name.value,
        Member::Zone(zone) => &zone.name.value,
        Member::Peer(peer) => &peer.name.value,
        Member::Cabinet(row) => row.naming.prefix(),
    }
}

/// The name of the zone around a loose member.
fn wrapper(name: &str) -> String {
    format!("zone-of-{name}")
}

fn write_member(page: &mut Page, member: &Member) {
    match member {
        Member::Zone(inner) => zone(page, inner),
        Member::Host(host) => {
            let NodeSpec { speeds: rates, pstate, cores, .. } = &host.node;
            let mut attributes = vec![
                ("id", host.name.value.clone()),
                ("speed", speeds(rates)),
                ("core", cores.to_string()),
            ];
            if *pstate != 0 {
                attributes.push(("pstate", pstate.to_string()));
            }
            attributes.extend(host.coordinates.map(|place| ("coordinates", coordinates(place))));
            write_host(page, &host.name.value, &attributes, &host.node);
        }
        Member::Router(router) => {
            let mut attributes = vec![("id", router.name.value.clone())];
            attributes.extend(router.coordinates.map(|place| ("coordinates", coordinates(place))));
            page.empty("router", &attributes);
        }
        Member::Cabinet(row) => {
            let name = format!("row-{}", row.naming.name(0));
            page.empty(
                "cabinet",
                &[
                    ("id", name),
                    ("prefix", row.naming.prefix().to_owned()),
                    ("suffix", row.naming.suffix().to_owned()),
                    ("radical", radical(&row.naming)),
                    ("speed", speeds(&row.node.speeds)),
                    ("bw", bandwidth(row.bandwidth)),
                    ("lat", seconds(row.latency)),
                ],
            );
            lose_node(page, &row.naming.name(0), &row.node);
        }
        Member::Peer(peer) => {
            page.empty(
                "peer",
                &[
                    ("id", peer.name.value.clone()),
                    ("speed", speeds(&peer.node.speeds)),
                    ("bw_in", bandwidth(peer.bandwidth_in)),
                    ("bw_out", bandwidth(peer.bandwidth_out)),
                    ("coordinates", coordinates(peer.coordinates)),
                ],
            );
            lose_node(page, &peer.name.value, &peer.node);
        }
    }
}

/// A host with its properties and its disk. Properties that a reader made of the disk's attributes
/// become those again.
fn write_host(page: &mut Page, name: &str, attributes: &[(&str, String)], node: &NodeSpec) {
    let Some(disk) = node.disk else {
        return page.element("host", attributes, &node.properties);
    };
    let (of_disks, own): (Vec<_>, Vec<_>) =
        node.properties.iter().cloned().partition(|(key, _)| disk_of(key).is_some());
    let mut disks: Vec<&str> = Vec::new();
    for id in of_disks.iter().filter_map(|(key, _)| disk_of(key)).map(|(id, _)| id) {
        if !disks.contains(&id) {
            disks.push(id);
        }
    }
    page.open("host", attributes);
    page.properties(&own);
    if disks.is_empty() {
        let figures = [("read_bw", disk.read), ("write_bw", disk.write)];
        let figures = figures.map(|(key, value)| (key, bandwidth(value)));
        page.empty("disk", &[[("id", "disk".to_owned())].as_slice(), &figures].concat());
    }
    for id in disks {
        write_disk(page, id, &of_disks);
    }
    page.close("host");
    if disk.latency != 0.0 {
        page.lose(format!("the latency of the disk of `{name}`"));
    }
}

/// Which disk a property of its host tells what about.
fn disk_of(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("disk/")?.rsplit_once('/')
}

/// A disk, from the properties `disk/<id>/<key>` of its host.
fn write_disk(page: &mut Page, id: &str, properties: &[(String, String)]) {
    let start = format!("disk/{id}/");
    let mut attributes = vec![("id", id.to_owned())];
    let mut others = Vec::new();
    for (key, value) in properties {
        match key.strip_prefix(&start) {
            Some("read_bw") => attributes.push(("read_bw", value.clone())),
            Some("write_bw") => attributes.push(("write_bw", value.clone())),
            Some(key) if !key.contains('/') => others.push((key.to_owned(), value.clone())),
            _ => {}
        }
    }
    page.element("disk", &attributes, &others);
}

/// Cabinets and peers have neither cores nor properties in SimGrid.
fn lose_node(page: &mut Page, name: &str, node: &NodeSpec) {
    if node.cores != 1 {
        page.lose(format!("the {} cores of `{name}` and its like", node.cores));
    }
    if node.disk.is_some() {
        page.lose(format!("the disk of `{name}` and its like"));
    }
    if node.pstate != 0 || !node.properties.is_empty() {
        page.lose(format!("the pstate and the properties of `{name}` and its like"));
    }
}

fn coordinates(place: [f64; 3]) -> String {
    place.map(|x| x.to_string()).join(" ")
}

fn write_link(page: &mut Page, link: &LinkSpec) {
    let attributes = [
        ("id", link.name.value.clone()),
        ("bandwidth", bandwidth(link.bandwidth)),
        ("latency", seconds(link.latency)),
        ("sharing_policy", policy(link.sharing).to_owned()),
    ];
    page.element("link", &attributes, &link.properties);
}

fn write_backbone(page: &mut Page, link: &LinkSpec) {
    page.empty(
        "backbone",
        &[
            ("id", link.name.value.clone()),
            ("bandwidth", bandwidth(link.bandwidth)),
            ("latency", seconds(link.latency)),
        ],
    );
    if link.sharing != Sharing::Shared {
        page.lose(format!("the backbone `{}` is shared by all flows", link.name.value));
    }
}

fn routing(routing: Routing) -> &'static str {
    match routing {
        Routing::None => "None",
        Routing::Full => "Full",
        Routing::Floyd => "Floyd",
        Routing::Dijkstra => "Dijkstra",
        Routing::Star => "Cluster",
        Routing::Vivaldi => "Vivaldi",
    }
}

/// The routes of one zone.
struct Routes<'a> {
    mixed: bool,
    /// Names of the members that got a zone of their own.
    loose: FxHashSet<&'a str>,
}

impl Routes<'_> {
    /// Writes a route under its tag for hosts or its tag for zones.
    fn write(&self, page: &mut Page, route: &RouteSpec, [plain, between_zones]: [&str; 2]) {
        let (tag, mut attributes) = match &route.gateways {
            None if !self.mixed => {
                let ends = vec![("src", route.from.value.clone()), ("dst", route.to.value.clone())];
                (plain, ends)
            }
            gateways => {
                let (exit, entry) = match gateways {
                    Some((exit, entry)) => (exit, entry),
                    None => (&route.from, &route.to),
                };
                let ends = vec![
                    ("src", self.end(&route.from)),
                    ("dst", self.end(&route.to)),
                    ("gw_src", exit.value.clone()),
                    ("gw_dst", entry.value.clone()),
                ];
                (between_zones, ends)
            }
        };
        if plain == "route" {
            let symmetrical = if route.symmetrical { "YES" } else { "NO" };
            attributes.push(("symmetrical", symmetrical.to_owned()));
        }
        page.open(tag, &attributes);
        for used in &route.links {
            let mut attributes = vec![("id", used.link.value.clone())];
            match used.direction {
                Direction::Plain => {}
                Direction::Up => attributes.push(("direction", "UP".to_owned())),
                Direction::Down => attributes.push(("direction", "DOWN".to_owned())),
            }
            page.empty("link_ctn", &attributes);
        }
        page.close(tag);
    }

    /// The end of a route, or the zone that was put around it.
    fn end(&self, end: &Spanned<String>) -> String {
        match self.loose.contains(end.value.as_str()) {
            true => wrapper(&end.value),
            false => end.value.clone(),
        }
    }
}
