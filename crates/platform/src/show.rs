//! A machine described: its sizes and distances, as figures, as text and as a picture.

mod bisection;
mod distance;
mod svg;
mod text;

use serde::Serialize;

pub use distance::Distance;
pub use svg::svg;
pub use text::describe;

use crate::machine::Platform;
use crate::settings::ModelKind;
use crate::spec::{GeneralSpec, Member, NodeSpec, Topology, ZoneContent, ZoneSpec};

/// What there is to say about a machine in a few figures, in seconds, bytes and flop.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the machine.
    pub name: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of cores of all nodes together.
    pub cores: u64,
    /// Flop/s of all cores together, each in the pstate it starts in.
    pub peak: f64,
    /// Least and greatest flop/s of one core.
    pub core_speed: (f64, f64),
    /// Least and greatest number of cores of one node.
    pub node_cores: (u32, u32),
    /// Number of links, both halves of a cable counted.
    pub links: u64,
    /// Number of zones, the outermost included.
    pub zones: u64,
    /// The shape of the network, in words.
    pub topology: String,
    /// Switches or routers, where the shape has any.
    pub switches: u64,
    /// The two different nodes with the least latency between them.
    pub nearest: Option<Distance>,
    /// The two nodes with the greatest latency.
    pub farthest: Option<Distance>,
    /// Most links any message was seen to cross.
    pub diameter: usize,
    /// Whether distances were looked for among some of the nodes only.
    pub sampled: bool,
    /// From a node to itself.
    pub local: Option<Distance>,
    /// Bytes per second from one half of the nodes to the other, where the shape has a formula.
    pub bisection: Option<f64>,
    /// Bytes per second of reading and writing files: of the file system that all nodes share, or
    /// of the disk of the first node.
    pub storage: Option<(f64, f64)>,
    /// The network model.
    pub model: String,
    /// Dated changes.
    pub profiles: usize,
    /// Nodes that differ from the rest of their cluster.
    pub overrides: usize,
    /// About how much memory the description takes, in bytes.
    pub memory: u64,
}

impl Summary {
    /// Looks over a machine. Large ones are looked at in part; see [`sampled`](Self::sampled).
    pub fn of(platform: &Platform) -> Self {
        let spec = platform.spec();
        let mut totals = Totals::default();
        totals.zone(&spec.root);
        for other in &spec.overrides {
            totals.replace(platform, other);
        }
        let distances = distance::Distances::of(platform);
        Self {
            name: spec.root.name.value.clone(),
            nodes: platform.host_count() as u64,
            cores: totals.cores,
            peak: totals.peak,
            core_speed: totals.speed,
            node_cores: totals.node_cores,
            // The loopback of the platform is not part of the machine.
            links: platform.link_count() as u64 - 1,
            zones: totals.zones,
            topology: topology(&spec.root),
            switches: totals.switches,
            nearest: distances.nearest,
            farthest: distances.farthest,
            diameter: distances.diameter,
            sampled: distances.sampled,
            local: distances.local,
            bisection: bisection::bisection(&spec.root),
            storage: storage(platform),
            model: match platform.network().model {
                ModelKind::Hybrid => "hybrid".to_owned(),
                ModelKind::LogGps => "loggps".to_owned(),
                ModelKind::Constant => "constant".to_owned(),
                ModelKind::Dimemas => "dimemas".to_owned(),
            },
            profiles: platform.profiles().len(),
            overrides: spec.overrides.len(),
            memory: totals.memory,
        }
    }
}

/// Where the files of the first node are.
fn storage(platform: &Platform) -> Option<(f64, f64)> {
    let first = platform.hosts().next()?;
    platform.storage_of(first).map(|storage| (storage.disk.read, storage.disk.write))
}

/// Sums over the zones.
#[derive(Debug)]
struct Totals {
    cores: u64,
    peak: f64,
    speed: (f64, f64),
    node_cores: (u32, u32),
    zones: u64,
    switches: u64,
    memory: u64,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            cores: 0,
            peak: 0.0,
            speed: (f64::INFINITY, 0.0),
            node_cores: (u32::MAX, 0),
            zones: 0,
            switches: 0,
            memory: 0,
        }
    }
}

impl Totals {
    fn zone(&mut self, zone: &ZoneSpec) {
        self.zones += 1;
        // Rough sizes of the records of each kind, names included.
        self.memory += 600;
        match &zone.content {
            ZoneContent::Cluster(cluster) => {
                self.nodes(&cluster.node, cluster.naming.count() as u64);
                self.switches += switches(&cluster.topology);
            }
            ZoneContent::General(general) => self.general(general),
        }
    }

    fn general(&mut self, general: &GeneralSpec) {
        self.memory += 350 * general.links.len() as u64;
        let steps: usize = general.routes.iter().map(|route| 1 + route.links.len()).sum();
        self.memory += 150 * steps as u64;
        for member in &general.members {
            match member {
                Member::Zone(inner) => self.zone(inner),
                Member::Router(_) => {
                    self.switches += 1;
                    self.memory += 150;
                }
                Member::Host(host) => self.single(&host.node),
                Member::Peer(peer) => self.single(&peer.node),
                Member::Cabinet(row) => self.nodes(&row.node, row.naming.count() as u64),
            }
        }
    }

    fn single(&mut self, node: &NodeSpec) {
        self.memory += 400;
        self.nodes(node, 1);
    }

    fn nodes(&mut self, node: &NodeSpec, count: u64) {
        self.cores += count * u64::from(node.cores);
        self.peak += count as f64 * peak(node);
        self.note(node);
    }

    fn note(&mut self, node: &NodeSpec) {
        let speed = node.speeds[node.pstate];
        self.speed = (self.speed.0.min(speed), self.speed.1.max(speed));
        self.node_cores = (self.node_cores.0.min(node.cores), self.node_cores.1.max(node.cores));
    }

    /// Takes the usual node of a cluster out and puts the one that differs in.
    fn replace(&mut self, platform: &Platform, other: &crate::spec::NodeOverride) {
        if let Some(usual) = usual_node(&platform.spec().root, &other.name.value) {
            self.cores = self.cores + u64::from(other.node.cores) - u64::from(usual.cores);
            self.peak += peak(&other.node) - peak(usual);
            self.note(&other.node);
        }
    }
}

fn peak(node: &NodeSpec) -> f64 {
    node.speeds[node.pstate] * f64::from(node.cores)
}

fn usual_node<'a>(zone: &'a ZoneSpec, name: &str) -> Option<&'a NodeSpec> {
    match &zone.content {
        ZoneContent::Cluster(cluster) => cluster.naming.find(name).map(|_| &cluster.node),
        ZoneContent::General(general) => general.members.iter().find_map(|member| match member {
            Member::Zone(inner) => usual_node(inner, name),
            Member::Host(host) => (host.name.value == name).then_some(&host.node),
            Member::Peer(peer) => (peer.name.value == name).then_some(&peer.node),
            Member::Cabinet(row) => row.naming.find(name).map(|_| &row.node),
            Member::Router(_) => None,
        }),
    }
}

/// How many switches a shape has; grids have none of their own.
fn switches(topology: &Topology) -> u64 {
    match topology {
        Topology::Star => 1,
        Topology::Torus(_) | Topology::Mesh(_) => 0,
        Topology::FatTree(tree) => {
            (1..=tree.down.len()).map(|level| bisection::tree_width(tree, level)).sum()
        }
        Topology::Dragonfly(spec) => {
            u64::from(spec.groups) * u64::from(spec.chassis) * u64::from(spec.routers)
        }
    }
}

/// The zone itself, or what it is a mere wrapping of.
fn innermost(zone: &ZoneSpec) -> &ZoneSpec {
    match &zone.content {
        ZoneContent::General(general) => match general.members.as_slice() {
            [Member::Zone(only)] => innermost(only),
            _ => zone,
        },
        ZoneContent::Cluster(_) => zone,
    }
}

/// The shape of a zone, in words.
fn topology(zone: &ZoneSpec) -> String {
    let times = |sizes: &[u32]| {
        let sizes: Vec<_> = sizes.iter().map(u32::to_string).collect();
        sizes.join(" x ")
    };
    match &innermost(zone).content {
        ZoneContent::Cluster(cluster) => match &cluster.topology {
            Topology::Star if cluster.backbone.is_some() => "star with a backbone".to_owned(),
            Topology::Star => "star".to_owned(),
            Topology::Torus(dims) => format!("{} torus", times(dims)),
            Topology::Mesh(dims) => format!("{} mesh", times(dims)),
            Topology::FatTree(tree) => {
                let down: Vec<u32> = tree.down.iter().rev().copied().collect();
                format!("fat tree of {}, {}", counted(down.len(), "level"), times(&down))
            }
            Topology::Dragonfly(fly) => {
                let groups = counted(fly.groups as usize, "group");
                let inside = times(&[fly.chassis, fly.routers, fly.nodes]);
                format!("dragonfly of {groups} of {inside} nodes")
            }
        },
        ZoneContent::General(general) => {
            let count = |wanted: fn(&Member) -> bool| {
                general.members.iter().filter(|member| wanted(member)).count()
            };
            let parts = [
                (count(|member| matches!(member, Member::Zone(_))), "zone"),
                (count(|member| matches!(member, Member::Cabinet(_))), "row"),
                (count(|member| matches!(member, Member::Host(_) | Member::Peer(_))), "node"),
                (count(|member| matches!(member, Member::Router(_))), "router"),
            ];
            let parts: Vec<_> = parts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| counted(*count, what))
                .collect();
            format!("{}, {} routing", parts.join(" and "), routing_word(general))
        }
    }
}

fn routing_word(general: &GeneralSpec) -> &'static str {
    use crate::spec::Routing;
    match general.routing {
        Routing::None => "no",
        Routing::Full => "full",
        Routing::Floyd | Routing::Dijkstra => "shortest-path",
        Routing::Star => "star",
        Routing::Vivaldi => "Vivaldi",
    }
}

/// "1 level", "2 levels".
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// A figure with four digits: more would only look exact.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests;
