//! What a zone of listed members contains: nodes, rows, peers, routers, zones, links, routes.

use super::nodes::{self, Named};
use super::section::Section;
use super::value::Value;
use super::wires;
use super::zone::zone;
use crate::network_power::SWITCH;
use crate::spec::{
    CabinetSpec, Direction, GeneralSpec, HostLinkSpec, HostSpec, LinkSpec, LinkUse, Member,
    PeerSpec, Properties, RouteSpec, RouterSpec, Sharing, Spanned, WireSpec,
};

/// Hosts, rows, peers, routers and inner zones, in the order of the file.
///
/// What switches draw is added to the properties of the zone.
pub(super) fn members(section: &Section<'_>, properties: &mut Properties) -> Vec<Member> {
    let mut found = Vec::new();
    let mut switches = Vec::new();
    collect(section, "node", &mut found, |part| {
        let (name, node) = (required_name(part, "name"), nodes::node(part));
        let coordinates = part.value("coordinates").and_then(|value| coordinates(&value));
        name.map(|name| Member::Host(HostSpec { name, node, coordinates }))
    });
    collect(section, "row", &mut found, row);
    collect(section, "peer", &mut found, peer);
    collect(section, "router", &mut found, |part| {
        let name = required_name(part, "name");
        let coordinates = part.value("coordinates").and_then(|value| coordinates(&value));
        let watts = part.value("power").and_then(|value| value.watts());
        switches.extend(
            name.as_ref()
                .zip(watts)
                .map(|(name, watts)| (format!("{SWITCH}/{}", name.value), watts.to_string())),
        );
        name.map(|name| Member::Router(RouterSpec { name, coordinates }))
    });
    collect(section, "zone", &mut found, |part| {
        part.depth.set(section.depth.get() + 1);
        zone(part, None).map(Member::Zone)
    });
    properties.retain(|(key, _)| !switches.iter().any(|(known, _)| known == key));
    properties.extend(switches);
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, member)| member).collect()
}

/// Reads each table of one kind; a table that cannot be made sense of has been reported.
fn collect(
    section: &Section<'_>,
    key: &'static str,
    found: &mut Vec<(usize, Member)>,
    mut read: impl FnMut(&Section<'_>) -> Option<Member>,
) {
    for part in section.sections(key) {
        let start = part.span.start;
        found.extend(read(&part).map(|member| (start, member)));
        part.finish();
    }
}

fn row(part: &Section<'_>) -> Option<Member> {
    let named = Named::read(part);
    let node = nodes::node(part);
    let (bandwidth, latency) = wires::rates(part);
    let Some(ranges) = &named.ranges else {
        part.mistakes.error(part.span.clone(), "[[row]] lacks `count`");
        return None;
    };
    let naming = named.naming(ranges);
    Some(Member::Cabinet(CabinetSpec {
        naming,
        naming_span: named.span.clone(),
        node,
        bandwidth,
        latency,
    }))
}

fn peer(part: &Section<'_>) -> Option<Member> {
    part.require(&["bandwidth_in", "bandwidth_out", "coordinates"]);
    let name = required_name(part, "name");
    let node = nodes::node(part);
    let bandwidth_in = part.value("bandwidth_in").and_then(|value| value.bandwidth());
    let bandwidth_out = part.value("bandwidth_out").and_then(|value| value.bandwidth());
    let place = part.value("coordinates").and_then(|value| coordinates(&value));
    Some(Member::Peer(PeerSpec {
        name: name?,
        node,
        bandwidth_in: bandwidth_in?,
        bandwidth_out: bandwidth_out?,
        coordinates: place?,
    }))
}

fn coordinates(value: &Value<'_>) -> Option<[f64; 3]> {
    let [x, y, z] = value.tuple("three numbers in milliseconds like [1.5, -2, 0.1]")?;
    Some([x.number()?, y.number()?, z.number()?])
}

pub(super) fn required_name(part: &Section<'_>, key: &'static str) -> Option<Spanned<String>> {
    part.require(&[key]);
    part.value(key)?.name()
}

/// Links to be named in routes.
pub(super) fn links(section: &Section<'_>) -> Vec<LinkSpec> {
    let mut links = Vec::new();
    for part in section.sections("link") {
        let name = required_name(&part, "name");
        links.extend(name.map(|name| link(name, &part)));
        part.finish();
    }
    links
}

fn link(name: Spanned<String>, part: &Section<'_>) -> LinkSpec {
    let WireSpec { bandwidth, latency, sharing } = wires::wire(part);
    let mut properties = nodes::properties(part);
    wires::link_power(part, &mut properties);
    LinkSpec { name, bandwidth, latency, sharing, properties }
}

/// The link at the centre of a star of listed members.
pub(super) fn backbone(section: &Section<'_>, zone_name: &str) -> Option<LinkSpec> {
    let part = section.section("backbone")?;
    let name = part.value("name").and_then(|value| value.name());
    let name = name.unwrap_or_else(|| format!("{zone_name}-backbone").into());
    let mut backbone = link(name, &part);
    if !part.has("sharing") {
        backbone.sharing = Sharing::Shared;
    }
    part.finish();
    Some(backbone)
}

/// Ways between members.
pub(super) fn routes(section: &Section<'_>, key: &'static str) -> Vec<RouteSpec> {
    let mut routes = Vec::new();
    for part in section.sections(key) {
        part.require(&["links"]);
        let (from, to) = (required_name(&part, "from"), end(&part));
        let gateways = part.value("gateways").and_then(|value| {
            let [leave, enter] = value.tuple("two names: where to leave and where to enter")?;
            Some((leave.text()?, enter.text()?))
        });
        let links = part.value("links").and_then(|value| uses(&value)).unwrap_or_default();
        let symmetrical = part.value("symmetrical").and_then(|value| value.flag()).unwrap_or(true);
        if let (Some(from), Some(to)) = (from, to) {
            let span = part.span.clone();
            routes.push(RouteSpec { from, to, gateways, links, symmetrical, span });
        }
        part.finish();
    }
    routes
}

/// Where a route leads; an empty text is the centre of a star.
fn end(part: &Section<'_>) -> Option<Spanned<String>> {
    part.require(&["to"]);
    part.value("to")?.text()
}

/// Link names, with `:up` or `:down` for one half of a duplex link.
fn uses(value: &Value<'_>) -> Option<Vec<LinkUse>> {
    value.list()?.iter().map(link_use).collect()
}

fn link_use(value: &Value<'_>) -> Option<LinkUse> {
    let text = value.name()?;
    let (name, direction) = match text.value.rsplit_once(':') {
        Some((name, "up")) => (name.to_owned(), Direction::Up),
        Some((name, "down")) => (name.to_owned(), Direction::Down),
        _ => (text.value, Direction::Plain),
    };
    Some(LinkUse { link: Spanned::new(name, text.span), direction })
}

/// Ways of single hosts to the centre of a star.
pub(super) fn host_links(section: &Section<'_>) -> Vec<HostLinkSpec> {
    let mut links = Vec::new();
    for part in section.sections("host_link") {
        let (host, up, down) = (
            required_name(&part, "node"),
            required_name(&part, "up"),
            required_name(&part, "down"),
        );
        if let (Some(host), Some(up), Some(down)) = (host, up, down) {
            links.push(HostLinkSpec { host, up, down });
        }
        part.finish();
    }
    links
}

/// Cables of a graph: each is a link and the one-step route over it.
pub(super) fn edges(section: &Section<'_>, zone_name: &str, general: &mut GeneralSpec) {
    for (number, part) in (1..).zip(section.sections("edge")) {
        let name = part.value("name").and_then(|value| value.name());
        let name = name.unwrap_or_else(|| {
            Spanned::new(format!("{zone_name}-edge-{number}"), part.span.clone())
        });
        part.require(&["between"]);
        let ends = part.value("between").and_then(|value| {
            let [from, to] = value.tuple("two names like [\"a\", \"b\"]")?;
            Some((from.name()?, to.name()?))
        });
        let gateways = part.value("gateways").and_then(|value| {
            let [leave, enter] = value.tuple("two names: where to leave and where to enter")?;
            Some((leave.text()?, enter.text()?))
        });
        let link = link(name, &part);
        if let Some((from, to)) = ends {
            let direction = match link.sharing {
                Sharing::SplitDuplex => Direction::Up,
                Sharing::Shared | Sharing::FatPipe => Direction::Plain,
            };
            let links = vec![LinkUse { link: link.name.clone(), direction }];
            let span = part.span.clone();
            general.routes.push(RouteSpec { from, to, gateways, links, symmetrical: true, span });
        }
        general.links.push(link);
        part.finish();
    }
}
