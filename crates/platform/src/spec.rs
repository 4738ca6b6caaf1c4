//! A platform as data: what a reader found in a file, or a program put together, before routes.
//!
//! Every reader fills a [`PlatformSpec`]; [`Platform::build`](crate::Platform::build) checks it as
//! a whole and turns it into a machine. Spans point into the file it came from and are empty for
//! specifications made by a program.

use std::ops::Range;

use crate::machine::{Disk, Link};
use crate::names::Naming;
use crate::settings::NetworkSettings;
use crate::topology::{DragonflySpec, FatTreeSpec};

/// Free key/value pairs attached to a host, link or zone, in file order.
pub type Properties = Vec<(String, String)>;

/// A value and the bytes of the file it was read from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spanned<T> {
    /// The value itself.
    pub value: T,
    /// Where it stands; empty when it comes from no file.
    pub span: Range<usize>,
}

impl<T> Spanned<T> {
    /// Attaches a place to a value.
    pub fn new(value: T, span: Range<usize>) -> Self {
        Self { value, span }
    }
}

impl<T> From<T> for Spanned<T> {
    fn from(value: T) -> Self {
        Self { value, span: 0..0 }
    }
}

impl From<&str> for Spanned<String> {
    fn from(value: &str) -> Self {
        Self { value: value.to_owned(), span: 0..0 }
    }
}

/// A whole platform.
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformSpec {
    /// The outermost zone; everything else is inside.
    pub root: ZoneSpec,
    /// Network model and its figures.
    pub network: NetworkSettings,
    /// Options found in the file, verbatim, whether or not this crate understands them.
    pub options: Vec<(String, String)>,
    /// Where each option stands, in the order of `options`.
    pub option_spans: Vec<Range<usize>>,
    /// Dated changes.
    pub profiles: Vec<ProfileSpec>,
    /// Nodes that compute with something else than the rest of their cluster.
    pub overrides: Vec<NodeOverride>,
    /// The file system that all nodes share, if there is one.
    pub storage: Option<Disk>,
}

impl PlatformSpec {
    /// A platform of this one zone, with default settings.
    pub fn new(root: ZoneSpec) -> Self {
        Self {
            root,
            network: NetworkSettings::default(),
            options: Vec::new(),
            option_spans: Vec::new(),
            profiles: Vec::new(),
            overrides: Vec::new(),
            storage: None,
        }
    }
}

/// A node that differs from the others of its cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeOverride {
    /// Name of the node.
    pub name: Spanned<String>,
    /// What it computes with.
    pub node: NodeSpec,
}

/// A part of the machine with one way of routing.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneSpec {
    /// Unique over the platform.
    pub name: Spanned<String>,
    /// Kept for listeners; no meaning here.
    pub properties: Properties,
    /// What is inside.
    pub content: ZoneContent,
}

impl ZoneSpec {
    /// A zone that is one cluster.
    pub fn cluster(name: &str, cluster: ClusterSpec) -> Self {
        let content = ZoneContent::Cluster(Box::new(cluster));
        Self { name: name.into(), properties: Vec::new(), content }
    }

    /// A zone of explicit members.
    pub fn general(name: &str, general: GeneralSpec) -> Self {
        let content = ZoneContent::General(Box::new(general));
        Self { name: name.into(), properties: Vec::new(), content }
    }
}

/// The two kinds of zone: computed from a few numbers, or listed member by member.
#[derive(Debug, Clone, PartialEq)]
pub enum ZoneContent {
    /// Identical nodes in a regular network.
    Cluster(Box<ClusterSpec>),
    /// Hosts, routers, links, routes and inner zones.
    General(Box<GeneralSpec>),
}

/// What a host computes with.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeSpec {
    /// Flop/s of one core, one value per pstate.
    pub speeds: Vec<f64>,
    /// Pstate at the start, an index into `speeds`.
    pub pstate: usize,
    /// Number of cores.
    pub cores: u32,
    /// Where its files are, if nowhere else.
    pub disk: Option<Disk>,
    /// Free properties.
    pub properties: Properties,
}

impl NodeSpec {
    /// A host of one pstate and no properties.
    pub fn new(speed: f64, cores: u32) -> Self {
        Self { speeds: vec![speed], pstate: 0, cores, disk: None, properties: Vec::new() }
    }
}

/// How flows share a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sharing {
    /// One link for both directions.
    Shared,
    /// An `_UP` and a `_DOWN` link.
    #[default]
    SplitDuplex,
    /// Every flow gets the whole bandwidth.
    FatPipe,
}

/// A cable of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WireSpec {
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds.
    pub latency: f64,
    /// One link or two.
    pub sharing: Sharing,
}

/// The way of a message from a host to itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Local {
    /// The loopback of the platform.
    #[default]
    Platform,
    /// A fat-pipe link of its own.
    Own {
        /// Bytes per second.
        bandwidth: f64,
        /// Seconds.
        latency: f64,
    },
    /// Out to the network and back, as SimGrid does where a cluster has no loopback.
    ///
    /// A torus or mesh has nothing to cross but limiters: without them it means the loopback of
    /// the platform.
    Crossing,
}

/// The shape of a cluster's network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Topology {
    /// Every node has one cable to a switch.
    #[default]
    Star,
    /// Grid with wrap-around, sizes per dimension, first dimension fastest.
    Torus(Vec<u32>),
    /// Grid without wrap-around.
    Mesh(Vec<u32>),
    /// Extended generalised fat tree.
    FatTree(FatTreeSpec),
    /// Groups of chassis of routers.
    Dragonfly(DragonflySpec),
}

/// Identical nodes in a regular network.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSpec {
    /// Names, hence number, of the nodes.
    pub naming: Naming,
    /// Where the names were given.
    pub naming_span: Range<usize>,
    /// What each node computes with.
    pub node: NodeSpec,
    /// The cables.
    pub wire: WireSpec,
    /// A link that every message of a star crosses.
    pub backbone: Option<Link>,
    /// Bytes per second of a shared link that all traffic of a node crosses, in and out.
    pub limiter: Option<f64>,
    /// Messages from a node to itself.
    pub local: Local,
    /// Shape of the network.
    pub topology: Topology,
    /// Where the shape was given.
    pub topology_span: Range<usize>,
    /// Name of the router through which other zones reach this one; `None` derives it.
    pub router: Option<Spanned<String>>,
    /// Nodes per group (see [`Scope`](crate::Scope)); `None`: the groups of a dragonfly, otherwise
    /// the whole cluster.
    pub group_size: Option<u32>,
}

impl ClusterSpec {
    /// A star with defaults for all that is optional.
    pub fn new(naming: Naming, node: NodeSpec, wire: WireSpec) -> Self {
        Self {
            naming,
            naming_span: 0..0,
            node,
            wire,
            backbone: None,
            limiter: None,
            local: Local::default(),
            topology: Topology::default(),
            topology_span: 0..0,
            router: None,
            group_size: None,
        }
    }
}

/// How a zone of explicit members finds its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routing {
    /// No way at all between members.
    None,
    /// Exactly the routes given.
    #[default]
    Full,
    /// Fewest links over the routes given, all pairs at once.
    Floyd,
    /// Fewest links over the routes given, per source.
    Dijkstra,
    /// Every member has its own way to and from the centre.
    Star,
    /// A star with latencies from coordinates.
    Vivaldi,
}

/// A zone of explicit members.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeneralSpec {
    /// How routes are found.
    pub routing: Routing,
    /// Hosts, routers and inner zones, in file order.
    pub members: Vec<Member>,
    /// Links declared here; any zone may use them.
    pub links: Vec<LinkSpec>,
    /// Ways between members.
    pub routes: Vec<RouteSpec>,
    /// Ways that override what routing would find.
    pub bypasses: Vec<RouteSpec>,
    /// Ways of single hosts to the centre of a [`Routing::Star`].
    pub host_links: Vec<HostLinkSpec>,
    /// Link crossed by everything that passes the centre of a [`Routing::Star`].
    pub backbone: Option<LinkSpec>,
}

/// Something a route can start or end at.
#[derive(Debug, Clone, PartialEq)]
pub enum Member {
    /// A host.
    Host(HostSpec),
    /// A place without a processor.
    Router(RouterSpec),
    /// An inner zone.
    Zone(ZoneSpec),
    /// A row of identical hosts of a [`Routing::Star`] zone.
    Cabinet(CabinetSpec),
    /// A host of a [`Routing::Vivaldi`] zone with its access links.
    Peer(PeerSpec),
}

/// One host.
#[derive(Debug, Clone, PartialEq)]
pub struct HostSpec {
    /// Unique over the platform.
    pub name: Spanned<String>,
    /// What it computes with.
    pub node: NodeSpec,
    /// Place in a [`Routing::Vivaldi`] zone, in milliseconds.
    pub coordinates: Option<[f64; 3]>,
}

/// One router.
#[derive(Debug, Clone, PartialEq)]
pub struct RouterSpec {
    /// Unique over the platform.
    pub name: Spanned<String>,
    /// Place in a [`Routing::Vivaldi`] zone, in milliseconds.
    pub coordinates: Option<[f64; 3]>,
}

/// Identical hosts, each with an up and a down link.
#[derive(Debug, Clone, PartialEq)]
pub struct CabinetSpec {
    /// Names of the hosts.
    pub naming: Naming,
    /// Where the names were given.
    pub naming_span: Range<usize>,
    /// What each host computes with.
    pub node: NodeSpec,
    /// Bytes per second of either link.
    pub bandwidth: f64,
    /// Seconds of either link.
    pub latency: f64,
}

/// A host behind its own pair of links, placed by coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct PeerSpec {
    /// Unique over the platform.
    pub name: Spanned<String>,
    /// What it computes with.
    pub node: NodeSpec,
    /// Bytes per second towards the host.
    pub bandwidth_in: f64,
    /// Bytes per second from the host.
    pub bandwidth_out: f64,
    /// Place, in milliseconds.
    pub coordinates: [f64; 3],
}

/// One declared link (two, if split-duplex).
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    /// Unique over the platform.
    pub name: Spanned<String>,
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds.
    pub latency: f64,
    /// One link or two.
    pub sharing: Sharing,
    /// Free properties.
    pub properties: Properties,
}

/// A host's ways to and from the centre of a star.
#[derive(Debug, Clone, PartialEq)]
pub struct HostLinkSpec {
    /// Host or router of the same zone.
    pub host: Spanned<String>,
    /// Link towards the centre.
    pub up: Spanned<String>,
    /// Link from the centre.
    pub down: Spanned<String>,
}

/// Which half of a split-duplex link a route crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// The link is not split, or is named with its `_UP` or `_DOWN`.
    #[default]
    Plain,
    /// The `_UP` half; the way back takes the other.
    Up,
    /// The `_DOWN` half; the way back takes the other.
    Down,
}

/// A link as part of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkUse {
    /// Name of the link.
    pub link: Spanned<String>,
    /// Which half.
    pub direction: Direction,
}

/// A way between two members.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteSpec {
    /// Member it leaves from.
    pub from: Spanned<String>,
    /// Member it leads to.
    pub to: Spanned<String>,
    /// Where it leaves and enters, if the members are zones.
    pub gateways: Option<(Spanned<String>, Spanned<String>)>,
    /// Links in order.
    pub links: Vec<LinkUse>,
    /// Whether the way back is the same, reversed.
    pub symmetrical: bool,
    /// The whole declaration.
    pub span: Range<usize>,
}

/// Dated changes, with the host or link still a name.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileSpec {
    /// What the values mean.
    pub kind: ProfileKind,
    /// Name of the host or link.
    pub element: Spanned<String>,
    /// `(date, value)` in increasing date order.
    pub events: Vec<(f64, f64)>,
    /// Seconds from the last event to the next turn.
    pub repeat_after: Option<f64>,
}

/// What a profile changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfileKind {
    /// Share of a host's speed.
    HostSpeed,
    /// A host on or off.
    HostState,
    /// A link's bytes per second.
    LinkBandwidth,
    /// A link's seconds.
    LinkLatency,
    /// A link on or off.
    LinkState,
}
