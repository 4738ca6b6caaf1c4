//! What links and switches draw, in watts.
//!
//! A link draws `idle` watts when nothing crosses it and `busy` when it is used in full; between
//! the two its power is linear in use, as in SimGrid's plugin for links. The figures are properties,
//! in SimGrid's spelling where it has one:
//!
//! | property | of | watts |
//! | --- | --- | --- |
//! | `wattage_range` (or `watt_range`) | a link; a cluster: each of its cables | `idle:busy` |
//! | `wattage_switch` | a cluster: each of its switches; a zone of listed members: one switch | |
//! | `wattage_switch/NAME` | a zone: one more switch, of this name | |
//! | `wattage_port` | a cluster: each port in use; a link: its ports together, once it is in use | |
//!
//! Limiters and loopbacks are no cables: they stand for what cards and memories can do.

use crate::machine::{LinkId, NodeSet, Platform};
use crate::power::{PowerError, watts};
use crate::spec::Properties;
use crate::zone::{Kind, Zone};

/// Watts of a link: idle and in full use.
pub(crate) const RANGE: &str = "wattage_range";
/// The same in older files.
const OLD_RANGE: &str = "watt_range";
/// Watts of a switch.
pub(crate) const SWITCH: &str = "wattage_switch";
/// Watts of a port in use.
pub(crate) const PORT: &str = "wattage_port";

/// The power of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkPower {
    /// Watts when nothing crosses it.
    pub idle: f64,
    /// Watts when it is used in full.
    pub busy: f64,
}

/// What a network draws whether or not it is used, and what its ports add.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetworkPower {
    /// Links that have a power.
    pub links: u64,
    /// What they draw together when idle.
    pub idle_watts: f64,
    /// The switches of each part of the machine that has some.
    pub switches: Vec<Switches>,
    /// Whether any port draws something.
    pub has_ports: bool,
}

/// The switches of one part of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Switches {
    /// Which part: that of these links, whose use tells that the switches are in use.
    pub part: Part,
    /// How many.
    pub count: u64,
    /// What they draw together.
    pub watts: f64,
}

/// A part of the machine as its links tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All links that are listed.
    Listed,
    /// The links of a cluster, by the number of its zone.
    Cluster(u32),
}

/// A cable: one link, or the two of a duplex one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cable {
    /// Its first link.
    pub first: LinkId,
    /// What its ports at switches draw once it is in use.
    pub port_watts: f64,
    /// How many those are.
    pub ports: u32,
}

impl Platform {
    /// The power of a link; none if nothing is said of it.
    ///
    /// # Errors
    ///
    /// Fails if a property does not read as watts.
    pub fn link_power(&self, id: LinkId) -> Result<Option<LinkPower>, PowerError> {
        if let Some(declared) = self.declared.get(id.0 as usize) {
            return range(&declared.properties, || format!("link {}", declared.name));
        }
        let Some((zone, index)) = self.block(id) else { return Ok(None) };
        match zone.draws(index) {
            true => range(&zone.properties, || format!("zone {}", zone.name)),
            false => Ok(None),
        }
    }

    /// The part of the machine that a link belongs to; none for the loopback of the platform.
    pub fn part_of(&self, id: LinkId) -> Option<Part> {
        if (id.0 as usize) < self.declared.len() {
            return Some(Part::Listed);
        }
        self.block_of(id).map(|block| Part::Cluster(block.zone))
    }

    /// The cable that a link is part of, with its ports at switches.
    ///
    /// # Errors
    ///
    /// Fails if a property does not read as watts.
    pub fn cable(&self, id: LinkId) -> Result<Option<Cable>, PowerError> {
        if let Some(declared) = self.declared.get(id.0 as usize) {
            let what = || format!("link {}", declared.name);
            let watts = figure(&declared.properties, PORT, &what)?;
            let first = self.first_half(id);
            return Ok(watts.map(|port_watts| Cable { first, port_watts, ports: 2 }));
        }
        let Some((zone, index)) = self.block(id) else { return Ok(None) };
        let Some((first, ports)) = zone.cable(index) else { return Ok(None) };
        let watts = figure(&zone.properties, PORT, &|| format!("zone {}", zone.name))?;
        Ok(watts.map(|watts| Cable {
            first: LinkId(id.0 - (index - first)),
            port_watts: watts * f64::from(ports),
            ports,
        }))
    }

    /// What the whole network draws; none if nothing is said of any link or switch.
    ///
    /// # Errors
    ///
    /// Fails if a property does not read as watts.
    pub fn network_power(&self) -> Result<Option<NetworkPower>, PowerError> {
        let mut power = NetworkPower::default();
        for declared in &self.declared {
            let what = || format!("link {}", declared.name);
            if let Some(link) = range(&declared.properties, what)? {
                power.links += 1;
                power.idle_watts += link.idle;
            }
            power.has_ports |= figure(&declared.properties, PORT, &what)?.is_some();
        }
        for (number, zone) in (0..).zip(&self.zones) {
            let what = || format!("zone {}", zone.name);
            let cables = zone.drawing_links(&self.sets);
            if let Some(link) = range(&zone.properties, what)?.filter(|_| cables > 0) {
                power.links += cables;
                power.idle_watts += cables as f64 * link.idle;
            }
            let (part, count) = match zone.own_switches() {
                Some(count) => (Part::Cluster(number), count),
                None => (Part::Listed, 1),
            };
            if let Some(watts) = figure(&zone.properties, SWITCH, &what)? {
                power.switches.push(Switches { part, count, watts: watts * count as f64 });
            }
            for (key, _) in zone.properties.iter().filter(|(key, _)| is_named_switch(key)) {
                let watts = figure(&zone.properties, key, &what)?.unwrap_or(0.0);
                power.switches.push(Switches { part, count: 1, watts });
            }
            let has_ports = figure(&zone.properties, PORT, &what)?.is_some();
            power.has_ports |= has_ports && zone.own_switches().is_some();
        }
        let is_known = power.links > 0 || !power.switches.is_empty() || power.has_ports;
        Ok(is_known.then_some(power))
    }

    /// The first of the two links of a duplex one; the link itself if it is none.
    fn first_half(&self, id: LinkId) -> LinkId {
        let name = |id: u32| &self.declared[id as usize].name;
        let stem = name(id.0).strip_suffix("_DOWN");
        match stem.zip(id.0.checked_sub(1)) {
            Some((stem, before)) if name(before).strip_suffix("_UP") == Some(stem) => {
                LinkId(before)
            }
            _ => id,
        }
    }
}

impl Zone {
    /// Whether a computed link draws power: cables and backbones do.
    fn draws(&self, index: u32) -> bool {
        match &self.kind {
            Kind::Star(star) => star.draws(self.first_link + index),
            Kind::Cluster(cluster) => cluster.is_cable(index),
            Kind::Empty | Kind::Graph(_) => false,
        }
    }

    /// How many of its computed links do.
    fn drawing_links(&self, sets: &[NodeSet]) -> u64 {
        match &self.kind {
            Kind::Star(star) => star.drawing_links(sets),
            Kind::Cluster(cluster) => u64::from(cluster.cable_links()),
            Kind::Empty | Kind::Graph(_) => 0,
        }
    }

    /// The switches of a cluster; none for a zone of listed members, which names its own. In a
    /// torus or a mesh each node has one.
    fn own_switches(&self) -> Option<u64> {
        match &self.kind {
            Kind::Star(_) if self.is_cluster => Some(1),
            Kind::Cluster(cluster) => Some(u64::from(cluster.all_switches())),
            Kind::Star(_) | Kind::Empty | Kind::Graph(_) => None,
        }
    }

    /// The first link of the cable that a computed link belongs to, and how many of the cable's
    /// ends are at switches; none for what is no cable.
    fn cable(&self, index: u32) -> Option<(u32, u32)> {
        match &self.kind {
            Kind::Star(star) => {
                star.first_of_cable(self.first_link + index).map(|id| (id - self.first_link, 1))
            }
            Kind::Cluster(cluster) => cluster.cable_ends(index),
            Kind::Empty | Kind::Graph(_) => None,
        }
    }
}

fn is_named_switch(key: &str) -> bool {
    key.strip_prefix(SWITCH).is_some_and(|rest| rest.starts_with('/'))
}

fn range(
    properties: &Properties,
    what: impl Fn() -> String,
) -> Result<Option<LinkPower>, PowerError> {
    let find = |key: &str| properties.iter().find(|(known, _)| known == key);
    let Some((key, value)) = find(RANGE).or_else(|| find(OLD_RANGE)) else { return Ok(None) };
    let figures: Option<Vec<f64>> = value.split(':').map(watts).collect();
    match figures.as_deref() {
        Some(&[idle, busy]) => Ok(Some(LinkPower { idle, busy })),
        _ => Err(malformed(what(), key, value, "1.5:3")),
    }
}

fn figure(
    properties: &Properties,
    key: &str,
    what: &impl Fn() -> String,
) -> Result<Option<f64>, PowerError> {
    let Some((_, value)) = properties.iter().find(|(known, _)| known == key) else {
        return Ok(None);
    };
    watts(value).map(Some).ok_or_else(|| malformed(what(), key, value, "50"))
}

fn malformed(what: String, key: &str, value: &str, example: &'static str) -> PowerError {
    PowerError::Malformed { what, key: key.to_owned(), value: value.to_owned(), example }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{HostId, Route};
    use crate::{simgrid_xml, toml_format, write_toml};

    fn cluster(network: &str) -> Platform {
        let text = format!(
            "name = 'm'\n[nodes]\nspeed = '1Gf'\n{network}\nbandwidth = '1GBps'\n\
             latency = '1us'\n[network.power]\nidle = 1.5\nbusy = '3W'\nswitch = 50\nport = 2\n"
        );
        toml_format::read(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
    }

    /// Links that draw, switches, and the ports of a message from the first host to the last.
    fn check(network: &str, links: u64, switches: u64, ports: u32) {
        for platform in [cluster(network), {
            toml_format::read(&write_toml(&cluster(network))).expect("what was written reads")
        }] {
            let power = platform.network_power().unwrap().unwrap();
            assert_eq!(power.links, links, "{network}");
            assert!((power.idle_watts - 1.5 * links as f64).abs() < 1e-9);
            let (count, watts) = power
                .switches
                .iter()
                .fold((0, 0.0), |(count, watts), part| (count + part.count, watts + part.watts));
            assert_eq!((count, watts), (switches, 50.0 * switches as f64), "{network}");
            let mut route = Route::default();
            let last = HostId(platform.host_count() as u32 - 1);
            platform.route(HostId(0), last, &mut route).unwrap();
            let cables: Vec<Cable> =
                route.links.iter().filter_map(|link| platform.cable(*link).unwrap()).collect();
            let (found, watts) = cables.iter().fold((0, 0.0), |(ports, watts), cable| {
                (ports + cable.ports, watts + cable.port_watts)
            });
            assert_eq!((found, watts), (ports, 2.0 * f64::from(ports)), "{network}");
        }
    }

    #[test]
    fn cables_switches_and_ports_are_counted() {
        check("count = 4\n[network]\ntopology = 'star'", 8, 1, 2);
        let limited = "loopback = { bandwidth = '5GBps' }\nlimiter = '1.5x'\n\
                       backbone = { bandwidth = '9GBps', latency = '1us' }";
        check(&format!("count = 4\n[network]\nsharing = 'shared'\n{limited}"), 5, 1, 2);
        check("[network]\ntopology = 'torus'\ndims = [3, 3]", 36, 9, 4);
        check("[network]\ntopology = 'fat-tree'\ndown = [2, 3]\nup = [1, 2]", 24, 5, 6);
        let fly = "groups = 2\nchassis = 2\nrouters = 2\nrouter_nodes = 1\ngroup_cables = 3";
        check(&format!("[network]\ntopology = 'dragonfly'\n{fly}"), 34, 8, 14);
        // Two leaves and the switch above; each uplink has a port at both ends.
        let uplink = "uplink = { bandwidth = '4GBps', latency = '1us', limiter = '1.5x' }";
        check(&format!("[network]\ntopology = 'cabinets'\ncabinets = [2, 3]\n{uplink}"), 14, 3, 6);
    }

    #[test]
    fn listed_links_and_switches_say_it_themselves() {
        let text = "[[node]]\nname = 'a'\nspeed = '1Gf'\n[[node]]\nname = 'b'\nspeed = '1Gf'\n\
                    [[router]]\nname = 's'\npower = '40W'\n\
                    [[edge]]\nbetween = ['a', 's']\nbandwidth = 1e9\nlatency = 0\n\
                    power = { idle = 2, busy = 5 }\n\
                    [[edge]]\nbetween = ['s', 'b']\nbandwidth = 1e9\nlatency = 0\n";
        let platform = toml_format::read(text).unwrap();
        let power = platform.network_power().unwrap().unwrap();
        let expected = Switches { part: Part::Listed, count: 1, watts: 40.0 };
        assert_eq!((power.links, power.idle_watts, power.switches), (2, 4.0, vec![expected]));
        let again = toml_format::read(&write_toml(&platform)).unwrap();
        assert_eq!(again.network_power(), platform.network_power());
        assert_eq!(again.link_power(LinkId(1)), Ok(Some(LinkPower { idle: 2.0, busy: 5.0 })));
    }

    #[test]
    fn properties_of_simgrid_are_understood_and_mistakes_told() {
        let read = |key: &str, value: &str| {
            let text = format!(
                "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>\
                 <link id='l' bandwidth='1GBps'><prop id='{key}' value='{value}'/></link>\
                 <route src='a' dst='a'><link_ctn id='l'/></route></zone></platform>"
            );
            simgrid_xml::read(&text, None).unwrap().network_power()
        };
        for key in [RANGE, OLD_RANGE] {
            assert_eq!(read(key, "10.5:21").unwrap().unwrap().idle_watts, 10.5);
        }
        let told = read(RANGE, "10").unwrap_err().to_string();
        assert!(told.contains("link l: property `wattage_range` is `10`"), "{told}");
        assert_eq!(read("colour", "red"), Ok(None));
    }
}
