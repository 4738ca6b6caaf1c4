//! Zones and what they contain.

use rustc_hash::FxHashMap;

use super::cluster;
use super::{Page, number, quantity, text, texts};
use crate::spec::{
    Direction, GeneralSpec, LinkSpec, LinkUse, Member, RouteSpec, Routing, Sharing, WireSpec,
    ZoneContent, ZoneSpec,
};

/// The outermost zone, whose keys are those of the file.
pub(super) fn root(page: &mut Page, zone: &ZoneSpec) {
    body(page, "", zone);
}

fn body(page: &mut Page, prefix: &str, zone: &ZoneSpec) {
    page.text_key("name", &zone.name.value);
    match &zone.content {
        ZoneContent::Cluster(spec) => {
            page.properties(&zone.properties);
            cluster::cluster(page, prefix, spec);
        }
        ZoneContent::General(spec) => {
            page.text_key("routing", routing(spec.routing));
            page.properties(&zone.properties);
            general(page, prefix, spec);
        }
    }
}

fn general(page: &mut Page, prefix: &str, spec: &GeneralSpec) {
    for member in &spec.members {
        write_member(page, prefix, member);
    }
    let edges = Edges::among(spec);
    for link in &spec.links {
        if !edges.0.contains_key(link.name.value.as_str()) {
            page.table(&format!("[[{prefix}link]]"));
            write_link(page, link);
        }
    }
    if let Some(backbone) = &spec.backbone {
        page.table(&format!("[{prefix}backbone]"));
        page.text_key("name", &backbone.name.value);
        page.key("bandwidth", quantity::bandwidth(backbone.bandwidth));
        page.key("latency", quantity::seconds(backbone.latency));
        match backbone.sharing {
            Sharing::Shared => {}
            Sharing::SplitDuplex => page.text_key("sharing", "duplex"),
            Sharing::FatPipe => page.text_key("sharing", "fatpipe"),
        }
        page.properties(&backbone.properties);
    }
    for link in &spec.host_links {
        page.table(&format!("[[{prefix}host_link]]"));
        page.text_key("node", &link.host.value);
        page.text_key("up", &link.up.value);
        page.text_key("down", &link.down.value);
    }
    for route in &spec.routes {
        match edges.of(route) {
            Some(link) => {
                page.table(&format!("[[{prefix}edge]]"));
                page.key("between", texts([route.from.value.as_str(), &route.to.value]));
                gateways(page, route);
                write_link(page, link);
            }
            None => write_route(page, &format!("[[{prefix}route]]"), route),
        }
    }
    for route in &spec.bypasses {
        write_route(page, &format!("[[{prefix}bypass]]"), route);
    }
}

fn write_member(page: &mut Page, prefix: &str, member: &Member) {
    match member {
        Member::Host(host) => {
            page.table(&format!("[[{prefix}node]]"));
            page.text_key("name", &host.name.value);
            cluster::node(page, &host.node);
            place(page, host.coordinates);
        }
        Member::Router(router) => {
            page.table(&format!("[[{prefix}router]]"));
            page.text_key("name", &router.name.value);
            place(page, router.coordinates);
        }
        Member::Zone(zone) => {
            page.table(&format!("[[{prefix}zone]]"));
            body(page, &format!("{prefix}zone."), zone);
        }
        Member::Cabinet(row) => {
            page.table(&format!("[[{prefix}row]]"));
            cluster::names(page, &row.naming);
            cluster::node(page, &row.node);
            page.key("bandwidth", quantity::bandwidth(row.bandwidth));
            page.key("latency", quantity::seconds(row.latency));
        }
        Member::Peer(peer) => {
            page.table(&format!("[[{prefix}peer]]"));
            page.text_key("name", &peer.name.value);
            cluster::node(page, &peer.node);
            page.key("bandwidth_in", quantity::bandwidth(peer.bandwidth_in));
            page.key("bandwidth_out", quantity::bandwidth(peer.bandwidth_out));
            place(page, Some(peer.coordinates));
        }
    }
}

fn place(page: &mut Page, coordinates: Option<[f64; 3]>) {
    if let Some(place) = coordinates {
        page.key("coordinates", format!("[{}]", place.map(number).join(", ")));
    }
}

fn write_link(page: &mut Page, link: &LinkSpec) {
    let LinkSpec { bandwidth, latency, sharing, .. } = *link;
    page.text_key("name", &link.name.value);
    cluster::wire(page, &WireSpec { bandwidth, latency, sharing });
    page.properties(&link.properties);
}

fn write_route(page: &mut Page, header: &str, route: &RouteSpec) {
    page.table(header);
    page.text_key("from", &route.from.value);
    page.text_key("to", &route.to.value);
    gateways(page, route);
    let links: Vec<_> = route.links.iter().map(link_use).collect();
    page.key("links", format!("[{}]", links.join(", ")));
    if !route.symmetrical {
        page.key("symmetrical", "false");
    }
}

fn gateways(page: &mut Page, route: &RouteSpec) {
    if let Some((exit, entry)) = &route.gateways {
        page.key("gateways", texts([exit.value.as_str(), &entry.value]));
    }
}

fn link_use(used: &LinkUse) -> String {
    let half = match used.direction {
        Direction::Plain => "",
        Direction::Up => ":up",
        Direction::Down => ":down",
    };
    text(&format!("{}{half}", used.link.value))
}

fn routing(routing: Routing) -> &'static str {
    match routing {
        Routing::None => "none",
        Routing::Full => "full",
        Routing::Floyd => "floyd",
        Routing::Dijkstra => "dijkstra",
        Routing::Star => "star",
        Routing::Vivaldi => "vivaldi",
    }
}

/// Links that serve one route of one step: an `[[edge]]` says both at once.
struct Edges<'a>(FxHashMap<&'a str, &'a LinkSpec>);

impl<'a> Edges<'a> {
    fn among(spec: &'a GeneralSpec) -> Self {
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        for route in spec.routes.iter().chain(&spec.bypasses) {
            // Two for anything but a lone link: then it is no edge.
            let weight = if is_step(route) { 1 } else { 2 };
            for used in &route.links {
                *uses.entry(used.link.value.as_str()).or_default() += weight;
            }
        }
        let fits = |link: &&LinkSpec| uses.get(link.name.value.as_str()) == Some(&1);
        let links = spec.links.iter().filter(fits);
        let mut edges = Self(links.map(|link| (link.name.value.as_str(), link)).collect());
        let steps: Vec<_> =
            spec.routes.iter().filter_map(|route| edges.of(route)).map(|l| &l.name.value).collect();
        let steps: rustc_hash::FxHashSet<&str> = steps.into_iter().map(String::as_str).collect();
        edges.0.retain(|name, _| steps.contains(name));
        edges
    }

    /// The link of a route that can be written as an edge.
    fn of(&self, route: &RouteSpec) -> Option<&'a LinkSpec> {
        let [used] = route.links.as_slice() else { return None };
        let link = *self.0.get(used.link.value.as_str())?;
        let direction = match link.sharing {
            Sharing::SplitDuplex => Direction::Up,
            Sharing::Shared | Sharing::FatPipe => Direction::Plain,
        };
        (is_step(route) && used.direction == direction).then_some(link)
    }
}

fn is_step(route: &RouteSpec) -> bool {
    route.symmetrical && route.links.len() == 1
}
