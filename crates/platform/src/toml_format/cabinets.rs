//! `topology = "cabinets"`: stars of nodes, joined by one switch above them.

use super::nodes::{MOST_NODES, Named};
use super::section::Section;
use super::value::Value;
use super::wires;
use crate::network_power::{PORT, RANGE};
use crate::spec::{
    ClusterSpec, Direction, GeneralSpec, LinkSpec, LinkUse, Member, RouteSpec, Routing, Sharing,
    WireSpec, ZoneContent, ZoneSpec,
};

/// Most cabinets of one zone: their routes are spelled out pair by pair.
const MOST_CABINETS: usize = 256;

/// The way of a cabinet to the switch above.
struct Uplink {
    wire: WireSpec,
    limiter: Option<f64>,
    /// Idle and busy watts, if they are its own.
    power: Option<String>,
}

/// Reads `cabinets` (nodes of each) and `uplink`, and spells out the zone they stand for.
pub(super) fn cabinets(
    zone_name: &str,
    network: &Section<'_>,
    named: &Named,
    cabinet: ClusterSpec,
    power: &wires::NetworkPower,
) -> Option<ZoneContent> {
    let elsewhere = "with cabinets: each is a star of its own";
    network.refuse(&["backbone", "router", "group_size"], elsewhere);
    network.require(&["cabinets", "uplink"]);
    let sizes = network.value("cabinets");
    let uplink = network.value("uplink").and_then(uplink);
    let value = sizes?;
    let sizes = cabinet_sizes(&value)?;
    let total: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    if let Some(count) = named.count()
        && count != total
    {
        let message = format!("the cabinets have {total} nodes, but [nodes] asks for {count}");
        network.mistakes.error(named.span.clone(), message);
        return None;
    }
    let uplink = uplink?;
    let general = GeneralSpec {
        routing: Routing::Full,
        members: members(zone_name, named, &sizes, &cabinet, &value, power),
        links: links(zone_name, sizes.len(), &uplink, power),
        routes: routes(zone_name, sizes.len(), &uplink),
        ..GeneralSpec::default()
    };
    Some(ZoneContent::General(Box::new(general)))
}

fn uplink(value: Value<'_>) -> Option<Uplink> {
    let section = value.section("`uplink`".to_owned())?;
    let wire = wires::wire(&section);
    let limiter = section.value("limiter").and_then(|value| wires::limiter(&value, wire.bandwidth));
    let mut properties = Vec::new();
    wires::link_power(&section, &mut properties);
    section.finish();
    Some(Uplink { wire, limiter, power: properties.pop().map(|(_, range)| range) })
}

fn cabinet_sizes(value: &Value<'_>) -> Option<Vec<u32>> {
    let list = value.list()?;
    if list.is_empty() || list.len() > MOST_CABINETS {
        value.error(format!("`cabinets` is a list of 1 to {MOST_CABINETS} numbers of nodes"));
        return None;
    }
    let sizes: Vec<u32> = list.iter().map(|size| size.count(MOST_NODES)).collect::<Option<_>>()?;
    if sizes.iter().map(|size| u64::from(*size)).sum::<u64>() > u64::from(MOST_NODES) {
        value.error(format!("`cabinets` has more than {MOST_NODES} nodes, the most there can be"));
        return None;
    }
    Some(sizes)
}

fn members(
    zone_name: &str,
    named: &Named,
    sizes: &[u32],
    cabinet: &ClusterSpec,
    value: &Value<'_>,
    power: &wires::NetworkPower,
) -> Vec<Member> {
    let mut start = 0;
    let mut members = Vec::new();
    for (number, size) in (1..).zip(sizes) {
        let ranges = slice(named, start, *size);
        start += size;
        let cluster = ClusterSpec {
            naming: named.naming(&ranges),
            naming_span: value.span(),
            router: Some(router(zone_name, number).into()),
            ..cabinet.clone()
        };
        let zone = ZoneSpec::cluster(&cabinet_name(zone_name, number), cluster);
        members.push(Member::Zone(ZoneSpec { properties: power.properties(), ..zone }));
    }
    members
}

/// The numbers of the nodes from `start` on, `size` of them.
fn slice(named: &Named, start: u32, size: u32) -> Vec<crate::names::NumberRange> {
    let total = start + size;
    let all = named.ranges.clone().unwrap_or_else(|| named.counted(total));
    let mut before = u64::from(start);
    let mut left = size;
    let mut found = Vec::new();
    for mut range in all {
        let length = u64::from(range.last - range.first) + 1;
        if before >= length {
            before -= length;
            continue;
        }
        range.first += before as u32;
        before = 0;
        if left == 0 {
            break;
        }
        range.last = range.last.min(range.first + (left - 1));
        left -= range.last - range.first + 1;
        found.push(range);
    }
    found
}

fn links(
    zone_name: &str,
    cabinets: usize,
    uplink: &Uplink,
    power: &wires::NetworkPower,
) -> Vec<LinkSpec> {
    let mut links = Vec::new();
    // An uplink is a cable like any other unless it says otherwise, and has a port at either end.
    let mut properties = wires::NetworkPower { switch: None, ..power.clone() }.properties();
    if let Some((_, watts)) = properties.iter_mut().find(|(key, _)| key == PORT) {
        *watts = (2.0 * power.port.unwrap_or(0.0)).to_string();
    }
    if let Some(range) = &uplink.power {
        properties.retain(|(key, _)| key != RANGE);
        properties.push((RANGE.to_owned(), range.clone()));
    }
    for number in 1..=cabinets {
        let WireSpec { bandwidth, latency, sharing } = uplink.wire;
        let name = up(zone_name, number).into();
        let properties = properties.clone();
        links.push(LinkSpec { name, bandwidth, latency, sharing, properties });
        if let Some(bandwidth) = uplink.limiter {
            links.push(LinkSpec {
                name: limiter(zone_name, number).into(),
                bandwidth,
                latency: 0.0,
                sharing: Sharing::Shared,
                properties: Vec::new(),
            });
        }
    }
    links
}

fn routes(zone_name: &str, cabinets: usize, uplink: &Uplink) -> Vec<RouteSpec> {
    let halves = match uplink.wire.sharing {
        Sharing::SplitDuplex => (Direction::Up, Direction::Down),
        Sharing::Shared | Sharing::FatPipe => (Direction::Plain, Direction::Plain),
    };
    let crossing = |link: String, direction| LinkUse { link: link.into(), direction };
    let limited =
        |number| uplink.limiter.map(|_| crossing(limiter(zone_name, number), Direction::Plain));
    let mut routes = Vec::new();
    for from in 1..=cabinets {
        for to in from + 1..=cabinets {
            let mut links: Vec<LinkUse> = limited(from).into_iter().collect();
            links.push(crossing(up(zone_name, from), halves.0));
            links.push(crossing(up(zone_name, to), halves.1));
            links.extend(limited(to));
            routes.push(RouteSpec {
                from: cabinet_name(zone_name, from).into(),
                to: cabinet_name(zone_name, to).into(),
                gateways: Some((router(zone_name, from).into(), router(zone_name, to).into())),
                links,
                symmetrical: true,
                span: 0..0,
            });
        }
    }
    routes
}

fn cabinet_name(zone_name: &str, number: usize) -> String {
    format!("{zone_name}-cabinet-{number}")
}

fn router(zone_name: &str, number: usize) -> String {
    format!("{zone_name}-switch-{number}")
}

fn up(zone_name: &str, number: usize) -> String {
    format!("{zone_name}-uplink-{number}")
}

fn limiter(zone_name: &str, number: usize) -> String {
    format!("{zone_name}-limiter-{number}")
}
