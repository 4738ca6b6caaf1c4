//! Zones and what stands directly in them: hosts, routers, links.

use roxmltree::Node;

use foretell_diagnostics::did_you_mean;

use crate::machine::Disk;
use crate::spec::{
    GeneralSpec, HostLinkSpec, HostSpec, LinkSpec, Member, NodeSpec, ProfileKind, Properties,
    RouterSpec, Routing, Sharing, ZoneContent, ZoneSpec,
};

use super::{Reader, elements, tag_span};

/// Everything a zone may contain.
const MEMBERS: [&str; 19] = [
    "prop",
    "zone",
    "AS",
    "host",
    "router",
    "link",
    "backbone",
    "cluster",
    "cabinet",
    "peer",
    "host_link",
    "route",
    "zoneRoute",
    "ASroute",
    "bypassRoute",
    "bypassZoneRoute",
    "bypassASroute",
    "trace",
    "trace_connect",
];

/// The ways of routing, in the spelling of SimGrid's manual.
const ROUTINGS: [(&str, Routing); 7] = [
    ("None", Routing::None),
    ("Full", Routing::Full),
    ("Floyd", Routing::Floyd),
    ("Dijkstra", Routing::Dijkstra),
    ("DijkstraCache", Routing::Dijkstra),
    ("Cluster", Routing::Star),
    ("Vivaldi", Routing::Vivaldi),
];

impl Reader<'_> {
    pub(super) fn zone(&mut self, node: Node) -> Option<ZoneSpec> {
        if !self.may_nest(node) {
            return None;
        }
        self.depth += 1;
        self.known_attributes(node, &["id", "routing"]);
        let name = self.id(node);
        let mut general = GeneralSpec { routing: self.routing(node), ..GeneralSpec::default() };
        let properties = self.properties(node, |reader, child, _| {
            reader.zone_member(child, &mut general);
        });
        self.depth -= 1;
        Some(ZoneSpec { name, properties, content: ZoneContent::General(Box::new(general)) })
    }

    fn routing(&mut self, node: Node) -> Routing {
        let Some(text) = self.required(node, "routing") else { return Routing::Full };
        let found = ROUTINGS.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text.value));
        if let Some((_, routing)) = found {
            return *routing;
        }
        if text.value.eq_ignore_ascii_case("Wifi") {
            self.error(text.span, "wireless zones are not modelled");
            return Routing::Full;
        }
        let words = ROUTINGS.map(|(word, _)| word);
        let message = format!("`{}` is no way of routing", text.value);
        self.error_with_help(text.span, message, did_you_mean(&text.value, &words));
        Routing::Full
    }

    fn zone_member(&mut self, node: Node, zone: &mut GeneralSpec) {
        match node.tag_name().name() {
            "zone" | "AS" => zone.members.extend(self.zone(node).map(Member::Zone)),
            "cluster" => zone.members.extend(self.cluster(node).map(Member::Zone)),
            "host" => zone.members.push(Member::Host(self.host(node))),
            "router" => zone.members.push(Member::Router(self.router(node))),
            "cabinet" => zone.members.extend(self.cabinet(node).map(Member::Cabinet)),
            "peer" => self.peer(node, zone),
            "link" => zone.links.extend(self.link(node)),
            "backbone" => self.backbone(node, zone),
            "host_link" => zone.host_links.extend(self.host_link(node)),
            "route" => zone.routes.extend(self.route(node)),
            "zoneRoute" | "ASroute" => zone.routes.extend(self.zone_route(node)),
            "bypassRoute" => zone.bypasses.extend(self.route(node)),
            "bypassZoneRoute" | "bypassASroute" => zone.bypasses.extend(self.zone_route(node)),
            "trace" => self.trace(node),
            "trace_connect" => self.trace_connect(node),
            _ => self.stranger(node, &MEMBERS),
        }
    }

    fn host(&mut self, node: Node) -> HostSpec {
        self.known_attributes(
            node,
            &[
                "id",
                "speed",
                "core",
                "speed_file",
                "availability_file",
                "state_file",
                "coordinates",
                "pstate",
            ],
        );
        let name = self.id(node);
        let mut disk = None;
        let properties =
            self.properties(node, |reader, child, properties| match child.tag_name().name() {
                "disk" => {
                    let found = reader.disk(child, properties);
                    disk = disk.or(found);
                }
                _ => reader.stranger(child, &["prop", "disk"]),
            });
        let files = [
            ("availability_file", ProfileKind::HostSpeed),
            ("speed_file", ProfileKind::HostSpeed),
            ("state_file", ProfileKind::HostState),
        ];
        self.profile_files(node, &name, &files);
        let coordinates = self.coordinates(node);
        let node = NodeSpec { disk, ..self.node_spec(node, properties) };
        HostSpec { name, node, coordinates }
    }

    /// A disk; all that is said of it is also among the properties of its host. Files are on the
    /// first disk of a host.
    fn disk(&mut self, node: Node, properties: &mut Properties) -> Option<Disk> {
        self.known_attributes(node, &["id", "read_bw", "write_bw"]);
        let id = self.optional(node, "id").map_or_else(|| "/".to_owned(), |id| id.value);
        let [read, write] = ["read_bw", "write_bw"].map(|name| {
            let text = self.required(node, name)?;
            let bandwidth = self.bandwidth(&text);
            properties.push((format!("disk/{id}/{name}"), text.value));
            Some(bandwidth)
        });
        let own = self.properties(node, |reader, child, _| reader.stranger(child, &["prop"]));
        properties.extend(own.into_iter().map(|(key, value)| (format!("disk/{id}/{key}"), value)));
        Some(Disk { read: read?, write: write?, latency: 0.0 })
    }

    fn router(&mut self, node: Node) -> RouterSpec {
        self.known_attributes(node, &["id", "coordinates"]);
        self.childless(node);
        RouterSpec { name: self.id(node), coordinates: self.coordinates(node) }
    }

    fn link(&mut self, node: Node) -> Option<LinkSpec> {
        let known = [
            "id",
            "bandwidth",
            "latency",
            "sharing_policy",
            "bandwidth_file",
            "latency_file",
            "state_file",
        ];
        self.known_attributes(node, &known);
        let name = self.id(node);
        let properties =
            self.properties(node, |reader, child, _| reader.stranger(child, &["prop"]));
        let files = [
            ("bandwidth_file", ProfileKind::LinkBandwidth),
            ("latency_file", ProfileKind::LinkLatency),
            ("state_file", ProfileKind::LinkState),
        ];
        self.profile_files(node, &name, &files);
        let policy = self.optional(node, "sharing_policy");
        if let Some(policy) = policy.filter(|p| p.value == "WIFI") {
            let help = "a wired link has one of SHARED, SPLITDUPLEX, FATPIPE";
            self.error_with_help(policy.span, "wireless links are not modelled", help);
            return None;
        }
        let sharing = self.sharing(node, "sharing_policy", Sharing::Shared);
        let bandwidth = self.required_bandwidth(node, "bandwidth");
        let latency = self.optional(node, "latency").map_or(0.0, |text| self.time(&text));
        Some(LinkSpec { name, bandwidth, latency, sharing, properties })
    }

    pub(super) fn sharing(&mut self, node: Node, name: &str, default: Sharing) -> Sharing {
        let choices = [
            ("SHARED", Sharing::Shared),
            ("SPLITDUPLEX", Sharing::SplitDuplex),
            ("FULLDUPLEX", Sharing::SplitDuplex),
            ("FATPIPE", Sharing::FatPipe),
        ];
        self.choice(node, name, default, &choices)
    }

    fn backbone(&mut self, node: Node, zone: &mut GeneralSpec) {
        self.known_attributes(node, &["id", "bandwidth", "latency"]);
        if zone.routing != Routing::Star {
            let help = "change the routing of the zone, or make it a <link>";
            let message = "a backbone needs a zone with routing=\"Cluster\"";
            self.error_with_help(tag_span(node), message, help);
        }
        if zone.backbone.is_some() {
            self.error(tag_span(node), "a zone has one backbone; this is a second one");
        }
        zone.backbone = Some(LinkSpec {
            name: self.id(node),
            bandwidth: self.required_bandwidth(node, "bandwidth"),
            latency: self.required_time(node, "latency"),
            sharing: Sharing::Shared,
            properties: Properties::new(),
        });
    }

    fn host_link(&mut self, node: Node) -> Option<HostLinkSpec> {
        self.known_attributes(node, &["id", "up", "down"]);
        let (host, up, down) =
            (self.required(node, "id"), self.required(node, "up"), self.required(node, "down"));
        Some(HostLinkSpec { host: host?, up: up?, down: down? })
    }

    /// Reports whatever stands inside an element that holds nothing.
    pub(super) fn childless(&mut self, node: Node) {
        for child in elements(node) {
            let (inner, outer) = (child.tag_name().name(), node.tag_name().name());
            self.error(tag_span(child), format!("<{inner}> is not allowed in <{outer}>"));
        }
    }
}
