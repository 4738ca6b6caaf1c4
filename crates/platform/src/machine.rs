//! The machine: hosts and links by number, names, routes.

use std::ops::Range;

use foretell_diagnostics::Diagnostic;
use rustc_hash::FxHashMap;

use crate::names::Naming;
use crate::profile::Profile;
use crate::settings::NetworkSettings;
use crate::spec::{NodeSpec, PlatformSpec, Properties};
use crate::zone::{Point, Zone};

/// A host, numbered from 0 in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostId(pub u32);

/// A link, numbered from 0; the loopback of the platform is the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId(pub u32);

/// How flows share a link. Split-duplex cables are two shared links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The flows together get the bandwidth.
    Shared,
    /// Each flow gets the bandwidth.
    FatPipe,
}

/// What a link can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds.
    pub latency: f64,
    /// How flows share it.
    pub policy: Policy,
}

/// What holds files: a disk of a node, or the file system that all nodes share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disk {
    /// Bytes per second of all that read from it.
    pub read: f64,
    /// Bytes per second of all that write to it.
    pub write: f64,
    /// Seconds before the first byte moves.
    pub latency: f64,
}

/// A [`Disk`] as a process sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Storage {
    /// What it can do.
    pub disk: Disk,
    /// The host that it belongs to; all hosts share it if it is none's.
    pub owner: Option<HostId>,
}

/// What a host can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Host<'a> {
    /// Flop/s of one core, one value per pstate.
    pub speeds: &'a [f64],
    /// Pstate at the start.
    pub pstate: usize,
    /// Number of cores.
    pub cores: u32,
    /// Its own disk.
    pub disk: Option<Disk>,
    /// Group for [`Scope`](crate::Scope): messages within one group may cost less than between.
    pub group: u32,
    /// Free properties, in file order.
    pub properties: &'a [(String, String)],
}

impl Host<'_> {
    /// Flop/s of one core at the start.
    pub fn speed(&self) -> f64 {
        self.speeds[self.pstate]
    }

    /// The value of a property.
    pub fn property(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

/// The links a message crosses. Made once and filled again and again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Route {
    /// In the order they are crossed; a limiter may occur twice.
    pub links: Vec<LinkId>,
    /// Seconds: the sum of the links' latencies, plus what coordinates add in a Vivaldi zone.
    pub latency: f64,
}

impl Route {
    pub(crate) fn push(&mut self, link: LinkId, latency: f64) {
        self.links.push(link);
        self.latency += latency;
    }
}

/// Two hosts that no route joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no route from host {} to host {}", from.0, to.0)]
pub struct NoRoute {
    /// Where the message would leave.
    pub from: HostId,
    /// Where it would go.
    pub to: HostId,
}

/// A machine: hosts, links, and the way from any host to any other.
///
/// Regular clusters are kept as a handful of numbers: names, links and routes of a million nodes
/// are computed when asked for. Graphs keep their edges and one table of predecessors per source
/// that was asked about.
#[derive(Debug)]
pub struct Platform {
    pub(crate) spec: PlatformSpec,
    pub(crate) zones: Vec<Zone>,
    /// Blocks of consecutive host ids.
    pub(crate) segments: Vec<HostSegment>,
    pub(crate) host_count: u32,
    pub(crate) sets: Vec<NodeSet>,
    pub(crate) singles: Vec<SingleHost>,
    pub(crate) single_names: FxHashMap<String, u32>,
    /// Declared links; their ids come first.
    pub(crate) declared: Vec<DeclaredLink>,
    pub(crate) declared_names: FxHashMap<String, LinkId>,
    /// Blocks of computed link ids, each with its zone.
    pub(crate) blocks: Vec<LinkBlock>,
    pub(crate) link_count: u32,
    pub(crate) profiles: Vec<Profile>,
    /// Host ids to their index in the overrides of `spec`.
    pub(crate) overrides: FxHashMap<u32, u32>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Identical hosts with computed names.
#[derive(Debug)]
pub(crate) struct NodeSet {
    pub(crate) naming: Naming,
    pub(crate) node: NodeSpec,
    pub(crate) zone: u32,
    pub(crate) first_slot: u32,
    pub(crate) first_host: u32,
    pub(crate) first_group: u32,
    pub(crate) group_size: u32,
}

/// A host with a record of its own.
#[derive(Debug)]
pub(crate) struct SingleHost {
    pub(crate) name: String,
    pub(crate) node: NodeSpec,
    pub(crate) point: Point,
    pub(crate) group: u32,
    pub(crate) id: u32,
}

/// Consecutive host ids of one origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostSegment {
    pub(crate) first: u32,
    pub(crate) source: HostSource,
}

/// Where the records of a segment are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum HostSource {
    Set(u32),
    /// Index of the first record in `singles`.
    Singles(u32),
}

/// A link with a record of its own.
#[derive(Debug)]
pub(crate) struct DeclaredLink {
    pub(crate) name: String,
    pub(crate) link: Link,
    pub(crate) properties: Properties,
}

/// Consecutive computed link ids of one zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkBlock {
    pub(crate) first: u32,
    pub(crate) zone: u32,
}

/// A host as its segment sees it.
enum Located<'a> {
    InSet(&'a NodeSet, usize),
    Single(&'a SingleHost),
}

impl Platform {
    /// How many hosts there are.
    pub fn host_count(&self) -> usize {
        self.host_count as usize
    }

    /// All host ids, in file order.
    pub fn hosts(&self) -> impl DoubleEndedIterator<Item = HostId> + use<> {
        (0..self.host_count).map(HostId)
    }

    /// What a host can do.
    ///
    /// # Panics
    ///
    /// Panics if the id is not of this platform.
    pub fn host(&self, id: HostId) -> Host<'_> {
        let (node, group) = match self.locate(id) {
            Located::InSet(set, index) => {
                (&set.node, set.first_group + index as u32 / set.group_size)
            }
            Located::Single(single) => (&single.node, single.group),
        };
        let node = match self.overrides.get(&id.0) {
            Some(index) => &self.spec.overrides[*index as usize].node,
            None => node,
        };
        Host {
            speeds: &node.speeds,
            pstate: node.pstate,
            cores: node.cores,
            disk: node.disk,
            group,
            properties: &node.properties,
        }
    }

    /// The name of a host.
    pub fn host_name(&self, id: HostId) -> String {
        match self.locate(id) {
            Located::InSet(set, index) => set.naming.name(index),
            Located::Single(single) => single.name.clone(),
        }
    }

    /// The host of this name.
    pub fn find_host(&self, name: &str) -> Option<HostId> {
        if let Some(index) = self.single_names.get(name) {
            return Some(HostId(self.singles[*index as usize].id));
        }
        self.sets
            .iter()
            .find_map(|set| set.naming.find(name).map(|i| HostId(set.first_host + i as u32)))
    }

    /// The name of the innermost zone a host is in.
    pub fn zone_name(&self, id: HostId) -> &str {
        &self.zones[self.point(id).zone as usize].name
    }

    /// How many links there are, the loopback of the platform included.
    pub fn link_count(&self) -> usize {
        self.link_count as usize
    }

    /// What a link can do.
    ///
    /// # Panics
    ///
    /// Panics if the id is not of this platform.
    pub fn link(&self, id: LinkId) -> Link {
        if let Some(declared) = self.declared.get(id.0 as usize) {
            return declared.link;
        }
        match self.block(id) {
            Some((zone, index)) => zone.computed_link(index),
            None => self.spec.network.loopback,
        }
    }

    /// The name of a link, as SimGrid would call it.
    pub fn link_name(&self, id: LinkId) -> String {
        if let Some(declared) = self.declared.get(id.0 as usize) {
            return declared.name.clone();
        }
        match self.block(id) {
            Some((zone, index)) => zone.computed_link_name(index, &self.sets),
            None => LOOPBACK.to_owned(),
        }
    }

    /// The link of this name.
    pub fn find_link(&self, name: &str) -> Option<LinkId> {
        if let Some(id) = self.declared_names.get(name) {
            return Some(*id);
        }
        if name == LOOPBACK {
            return Some(self.loopback());
        }
        self.blocks.iter().find_map(|block| {
            let zone = &self.zones[block.zone as usize];
            zone.find_computed_link(name, &self.sets).map(|index| LinkId(block.first + index))
        })
    }

    /// Free properties of a declared link.
    pub fn link_properties(&self, id: LinkId) -> &[(String, String)] {
        self.declared.get(id.0 as usize).map_or(&[], |d| &d.properties)
    }

    /// The link of messages to oneself where a zone has none of its own.
    pub fn loopback(&self) -> LinkId {
        LinkId(self.link_count - 1)
    }

    /// Fills `route` with the links a message crosses from one host to another, in order.
    ///
    /// O(hops), and no allocation once `route` has grown to the longest path; the first question
    /// about a source in a graph computes its shortest paths.
    pub fn route(&self, from: HostId, to: HostId, route: &mut Route) -> Result<(), NoRoute> {
        route.links.clear();
        route.latency = 0.0;
        let missing = NoRoute { from, to };
        self.connect(self.point(from), self.point(to), route).map_err(|_| missing)?;
        // A member of a star that no link was given to.
        match route.links.is_empty() && route.latency == 0.0 {
            true if from == to => route.push(self.loopback(), self.network().loopback.latency),
            true => return Err(missing),
            false => {}
        }
        Ok(())
    }

    /// Where the files of a host's processes are: on the file system that all nodes share, or else
    /// on the host's own disk. Nothing if there is neither: then files cost no time.
    pub fn storage_of(&self, id: HostId) -> Option<Storage> {
        match self.spec.storage {
            Some(disk) => Some(Storage { disk, owner: None }),
            None => self.host(id).disk.map(|disk| Storage { disk, owner: Some(id) }),
        }
    }

    /// Model and figures of the network.
    pub fn network(&self) -> &NetworkSettings {
        &self.spec.network
    }

    /// The same, to be changed.
    pub fn network_mut(&mut self) -> &mut NetworkSettings {
        &mut self.spec.network
    }

    /// Dated changes of hosts and links.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// Options the file asks for, verbatim and in file order.
    pub fn options(&self) -> &[(String, String)] {
        &self.spec.options
    }

    /// Where each option stands in the file, in the order of [`options`](Self::options).
    pub fn option_spans(&self) -> &[Range<usize>] {
        &self.spec.option_spans
    }

    /// Things that are allowed but worth telling the user.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The specification this machine was built from.
    pub fn spec(&self) -> &PlatformSpec {
        &self.spec
    }

    pub(crate) fn point(&self, id: HostId) -> Point {
        match self.locate(id) {
            Located::InSet(set, index) => {
                Point { zone: set.zone, slot: set.first_slot + index as u32 }
            }
            Located::Single(single) => single.point,
        }
    }

    fn locate(&self, id: HostId) -> Located<'_> {
        assert!(id.0 < self.host_count, "host {} is not of this platform", id.0);
        let segment = self.segments[self.segments.partition_point(|s| s.first <= id.0) - 1];
        let offset = (id.0 - segment.first) as usize;
        match segment.source {
            HostSource::Set(set) => Located::InSet(&self.sets[set as usize], offset),
            HostSource::Singles(first) => Located::Single(&self.singles[first as usize + offset]),
        }
    }

    /// Zone and index within it of a computed link; `None` is the loopback.
    pub(crate) fn block(&self, id: LinkId) -> Option<(&Zone, u32)> {
        let block = self.block_of(id)?;
        Some((&self.zones[block.zone as usize], id.0 - block.first))
    }

    /// The block of a computed link; `None` is the loopback.
    pub(crate) fn block_of(&self, id: LinkId) -> Option<LinkBlock> {
        assert!(id.0 < self.link_count, "link {} is not of this platform", id.0);
        if id.0 + 1 == self.link_count {
            return None;
        }
        Some(self.blocks[self.blocks.partition_point(|b| b.first <= id.0) - 1])
    }
}

/// SimGrid's name for the loopback of the platform.
const LOOPBACK: &str = "__loopback__";
