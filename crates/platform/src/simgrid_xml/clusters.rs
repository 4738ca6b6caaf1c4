//! Clusters, cabinets and peers: elements that stand for many things at once.

use roxmltree::Node;

use crate::machine::{Link, Policy};
use crate::names::{Naming, NumberRange};
use crate::spec::{
    CabinetSpec, ClusterSpec, GeneralSpec, Local, Member, NodeSpec, PeerSpec, ProfileKind,
    Properties, Routing, Sharing, Spanned, Topology, WireSpec, ZoneContent, ZoneSpec,
};
use crate::topology::{DragonflyRouting, DragonflySpec, FatTreeSpec};

use super::{Reader, tag_span};

const CLUSTER: [&str; 20] = [
    "id",
    "prefix",
    "suffix",
    "radical",
    "speed",
    "core",
    "bw",
    "lat",
    "sharing_policy",
    "topology",
    "topo_parameters",
    "bb_bw",
    "bb_lat",
    "bb_sharing_policy",
    "router_id",
    "limiter_link",
    "loopback_bw",
    "loopback_lat",
    "availability_file",
    "state_file",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Flat,
    Torus,
    FatTree,
    Dragonfly,
}

impl Reader<'_> {
    pub(super) fn cluster(&mut self, node: Node) -> Option<ZoneSpec> {
        self.known_attributes(node, &CLUSTER);
        self.no_cluster_profiles(node);
        let name = self.id(node);
        let properties =
            self.properties(node, |reader, child, _| reader.stranger(child, &["prop"]));
        let shapes = [
            ("FLAT", Shape::Flat),
            ("TORUS", Shape::Torus),
            ("FAT_TREE", Shape::FatTree),
            ("DRAGONFLY", Shape::Dragonfly),
        ];
        let shape = self.choice(node, "topology", Shape::Flat, &shapes);
        let naming = self.naming(node);
        let topology = self.topology(node, shape);
        let wire = self.cluster_wire(node);
        let node_spec = self.node_spec(node, properties.clone());
        let backbone = self.cluster_backbone(node, shape);
        let local = self.cluster_loopback(node);
        let limiter = self.optional_bandwidth(node, "limiter_link").map(|l| l.value);
        let router = self.optional(node, "router_id");
        let (naming, naming_span) = naming?;
        let mut cluster = ClusterSpec::new(naming, node_spec, wire);
        cluster.naming_span = naming_span;
        cluster.topology_span = topology.as_ref().map_or(tag_span(node), |t| t.span.clone());
        cluster.topology = topology?.value;
        cluster.backbone = backbone;
        cluster.local = local;
        cluster.limiter = limiter;
        cluster.router = router;
        Some(ZoneSpec { name, properties, content: ZoneContent::Cluster(Box::new(cluster)) })
    }

    fn no_cluster_profiles(&mut self, node: Node) {
        for name in ["availability_file", "state_file"] {
            if let Some(text) = self.optional(node, name) {
                let message = format!("a cluster has no `{name}`");
                let help = "give a <trace> and connect it to single hosts by <trace_connect>";
                self.error_with_help(text.span, message, help);
            }
        }
    }

    fn cluster_wire(&mut self, node: Node) -> WireSpec {
        let mut sharing = self.sharing(node, "sharing_policy", Sharing::SplitDuplex);
        if sharing == Sharing::FatPipe {
            let span = self.optional(node, "sharing_policy").map_or(0..0, |text| text.span);
            self.warn(
                span,
                "SimGrid reads FATPIPE on a cluster as SHARED, and so it is done here",
                "write what is meant: SHARED or SPLITDUPLEX",
            );
            sharing = Sharing::Shared;
        }
        let bandwidth = self.required_bandwidth(node, "bw");
        let latency = self.required_time(node, "lat");
        WireSpec { bandwidth, latency, sharing }
    }

    fn cluster_backbone(&mut self, node: Node, shape: Shape) -> Option<Link> {
        let choices = [("SHARED", Policy::Shared), ("FATPIPE", Policy::FatPipe)];
        let policy = self.choice(node, "bb_sharing_policy", Policy::Shared, &choices);
        let bandwidth = self.optional_bandwidth(node, "bb_bw");
        let latency = self.optional(node, "bb_lat");
        let seconds = latency.as_ref().map_or(0.0, |text| self.time(text));
        let Some(bandwidth) = bandwidth else {
            if let Some(latency) = latency.filter(|_| seconds > 0.0) {
                let message = "a backbone with a latency needs a bandwidth";
                self.error_with_help(latency.span, message, "add bb_bw, or remove bb_lat");
            }
            return None;
        };
        if shape != Shape::Flat {
            let message = "only a flat cluster has a backbone; this one is ignored";
            self.warn(bandwidth.span, message, "remove bb_bw and bb_lat");
            return None;
        }
        Some(Link { bandwidth: bandwidth.value, latency: seconds, policy })
    }

    fn cluster_loopback(&mut self, node: Node) -> Local {
        let bandwidth = self.optional_bandwidth(node, "loopback_bw");
        let latency = self.optional(node, "loopback_lat");
        let seconds = latency.as_ref().map_or(0.0, |text| self.time(text));
        match (bandwidth, latency) {
            (Some(bandwidth), _) => Local::Own { bandwidth: bandwidth.value, latency: seconds },
            (None, Some(latency)) if seconds > 0.0 => {
                let message = "a loopback with a latency needs a bandwidth";
                self.error_with_help(latency.span, message, "add loopback_bw");
                Local::Crossing
            }
            _ => Local::Crossing,
        }
    }

    /// Names of the nodes, with the place of the radical.
    fn naming(&mut self, node: Node) -> Option<(Naming, std::ops::Range<usize>)> {
        let prefix = self.required(node, "prefix");
        let suffix = self.required(node, "suffix");
        let radical = self.required(node, "radical")?;
        let ranges = self.radical(&radical);
        let (prefix, suffix) = (prefix?.value, suffix?.value);
        Some((Naming::new(&prefix, &suffix, &ranges?), radical.span))
    }

    /// `1-4,6,9-11`. SimGrid's manual shows semicolons, its parser wants commas: both are read.
    fn radical(&mut self, text: &Spanned<String>) -> Option<Vec<NumberRange>> {
        let mut ranges = Vec::new();
        for part in text.value.split([',', ';']) {
            match range(part.trim()) {
                Ok(range) => ranges.push(range),
                Err(message) => {
                    let help = "expected numbers and ranges such as \"0-15,20\"";
                    self.error_with_help(text.span.clone(), message, help);
                    return None;
                }
            }
        }
        Some(ranges)
    }

    fn topology(&mut self, node: Node, shape: Shape) -> Option<Spanned<Topology>> {
        let parameters = self.optional(node, "topo_parameters");
        let form = match shape {
            Shape::Flat => {
                if let Some(text) = parameters {
                    let help = "add topology=\"TORUS\", \"FAT_TREE\" or \"DRAGONFLY\"";
                    self.warn(text.span, "a flat cluster has no topo_parameters", help);
                }
                return Some(Spanned::new(Topology::Star, tag_span(node)));
            }
            Shape::Torus => "sizes separated by commas, such as \"4,4,4\"",
            Shape::FatTree => "levels; children; parents; cables, such as \"2;4,4;1,2;1,2\"",
            Shape::Dragonfly => {
                "groups,cables; chassis,cables; routers,cables; nodes, such as \"4,2;2,2;4,1;2\""
            }
        };
        let Some(text) = parameters else {
            let message = "<cluster> with a topology lacks `topo_parameters`";
            self.error_with_help(tag_span(node), message, format!("expected {form}"));
            return None;
        };
        let topology = match shape {
            Shape::Flat => Ok(Topology::Star),
            Shape::Torus => numbers(&text.value).map(Topology::Torus),
            Shape::FatTree => fat_tree(&text.value).map(Topology::FatTree),
            Shape::Dragonfly => dragonfly(&text.value).map(Topology::Dragonfly),
        };
        match topology {
            Ok(topology) => Some(Spanned::new(topology, text.span)),
            Err(message) => {
                self.error_with_help(text.span, message, format!("expected {form}"));
                None
            }
        }
    }

    pub(super) fn cabinet(&mut self, node: Node) -> Option<CabinetSpec> {
        self.known_attributes(node, &["id", "prefix", "suffix", "radical", "speed", "bw", "lat"]);
        self.childless(node);
        self.id(node);
        let naming = self.naming(node);
        let node_spec = self.node_spec(node, Properties::new());
        let bandwidth = self.required_bandwidth(node, "bw");
        let latency = self.required_time(node, "lat");
        let (naming, naming_span) = naming?;
        Some(CabinetSpec { naming, naming_span, node: node_spec, bandwidth, latency })
    }

    pub(super) fn peer(&mut self, node: Node, zone: &mut GeneralSpec) {
        let known = [
            "id",
            "speed",
            "bw_in",
            "bw_out",
            "lat",
            "coordinates",
            "speed_file",
            "availability_file",
            "state_file",
        ];
        self.known_attributes(node, &known);
        if zone.routing != Routing::Vivaldi {
            let message = "a peer needs a zone with routing=\"Vivaldi\"";
            self.error_with_help(tag_span(node), message, "use a <host> instead");
        }
        if let Some(lat) = self.optional(node, "lat").filter(|text| text.value != "0") {
            let help = "use the third coordinate instead";
            self.warn(lat.span, "the latency of a peer has no effect, here as in SimGrid", help);
        }
        let name = self.id(node);
        let files = [
            ("availability_file", ProfileKind::HostSpeed),
            ("speed_file", ProfileKind::HostSpeed),
            ("state_file", ProfileKind::HostState),
        ];
        self.profile_files(node, &name, &files);
        let Some(coordinates) = self.coordinates(node) else {
            self.error(tag_span(node), "<peer> lacks `coordinates`");
            return;
        };
        let node_spec: NodeSpec = self.node_spec(node, Properties::new());
        zone.members.push(Member::Peer(PeerSpec {
            name,
            node: node_spec,
            bandwidth_in: self.required_bandwidth(node, "bw_in"),
            bandwidth_out: self.required_bandwidth(node, "bw_out"),
            coordinates,
        }));
    }
}

fn range(text: &str) -> Result<NumberRange, String> {
    let number = |text: &str| {
        text.trim().parse::<u32>().map_err(|_| format!("`{text}` is no number in a radical"))
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = NumberRange { first: number(first)?, last: number(last)? };
    if range.last < range.first {
        return Err(format!("the range `{text}` is empty"));
    }
    if range.last == u32::MAX {
        return Err(format!("`{last}` is too large a number for a radical"));
    }
    Ok(range)
}

fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let number = |part: &str| {
        let part = part.trim();
        part.parse().map_err(|_| format!("`{part}` is no whole number"))
    };
    text.split(',').map(number).collect()
}

fn fat_tree(text: &str) -> Result<FatTreeSpec, String> {
    let parts: Vec<&str> = text.split(';').collect();
    let [levels, down, up, cables] = parts[..] else {
        return Err(format!("a fat tree has 4 parts separated by `;`, not {}", parts.len()));
    };
    let [levels] = numbers(levels)?[..] else {
        return Err(format!("`{levels}` is no number of levels"));
    };
    let lists = [("children", down), ("parents", up), ("cables", cables)];
    for (what, list) in lists {
        let count = list.split(',').count();
        if count != levels as usize {
            return Err(format!("the tree has {levels} levels but {what} for {count}"));
        }
    }
    Ok(FatTreeSpec { down: numbers(down)?, up: numbers(up)?, cables: numbers(cables)? })
}

fn dragonfly(text: &str) -> Result<DragonflySpec, String> {
    let parts: Vec<&str> = text.split(';').collect();
    let [groups, chassis, routers, nodes] = parts[..] else {
        return Err(format!("a dragonfly has 4 parts separated by `;`, not {}", parts.len()));
    };
    let pair = |part: &str| match numbers(part)?[..] {
        [count, cables] => Ok((count, cables)),
        _ => Err(format!("`{part}` is no pair of a count and a number of cables")),
    };
    let ((groups, blue), (chassis, black), (routers, green)) =
        (pair(groups)?, pair(chassis)?, pair(routers)?);
    let [nodes] = numbers(nodes)?[..] else {
        return Err(format!("`{nodes}` is no number of nodes per router"));
    };
    let routing = DragonflyRouting::AsSimGrid;
    Ok(DragonflySpec { groups, blue, chassis, black, routers, green, nodes, routing })
}
