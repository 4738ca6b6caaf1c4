//! A cluster over a fabric: its cables become links, its nodes get limiters and loopbacks.

use crate::machine::{Link, LinkId, NodeSet, Policy, Route};
use crate::spec::{Local, Sharing, WireSpec};

use super::Hop;
use super::dragonfly::Dragonfly;
use super::fat_tree::FatTree;
use super::grid::Grid;

/// The arithmetic shapes.
#[derive(Debug)]
pub(crate) enum Fabric {
    Grid(Grid),
    FatTree(FatTree),
    Dragonfly(Dragonfly),
}

/// Nodes joined by a fabric. Slot `nodes` is the router; reaching it costs nothing.
///
/// Links are numbered: those of the cables (two per cable if split), limiters of nodes and of
/// switches, loopbacks.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) set: u32,
    pub(crate) fabric: Fabric,
    pub(crate) wire: WireSpec,
    pub(crate) limiter: Option<f64>,
    pub(crate) local: Local,
    /// Id of link 0.
    pub(crate) first_link: u32,
    /// Cables of the same kind of fabric declared before, for names.
    pub(crate) cables_before: u64,
}

impl Cluster {
    pub(crate) fn nodes(&self) -> u32 {
        match &self.fabric {
            Fabric::Grid(grid) => grid.nodes(),
            Fabric::FatTree(tree) => tree.nodes(),
            Fabric::Dragonfly(fly) => fly.nodes(),
        }
    }

    fn switches(&self) -> u32 {
        match &self.fabric {
            Fabric::Grid(_) => 0,
            Fabric::FatTree(tree) => tree.switches(),
            Fabric::Dragonfly(fly) => fly.switches(),
        }
    }

    pub(crate) fn cables(&self) -> u32 {
        match &self.fabric {
            Fabric::Grid(grid) => grid.cables(),
            Fabric::FatTree(tree) => tree.cables(),
            Fabric::Dragonfly(fly) => fly.cables(),
        }
    }

    fn links_per_cable(&self) -> u32 {
        if self.wire.sharing == Sharing::SplitDuplex { 2 } else { 1 }
    }

    /// Switches of the fabric, and those within the nodes of a grid.
    pub(crate) fn all_switches(&self) -> u32 {
        if self.is_grid() { self.nodes() } else { self.switches() }
    }

    /// How many links cables are.
    pub(crate) fn cable_links(&self) -> u32 {
        self.first_limiter()
    }

    pub(crate) fn is_cable(&self, index: u32) -> bool {
        index < self.first_limiter()
    }

    /// The first link of a cable, and how many ends of it, or of all cables bundled in it, are at
    /// switches.
    pub(crate) fn cable_ends(&self, index: u32) -> Option<(u32, u32)> {
        let cable = index / self.links_per_cable();
        let ends = match &self.fabric {
            Fabric::Grid(_) => 2,
            Fabric::FatTree(tree) => tree.ends_at_switches(cable),
            Fabric::Dragonfly(fly) => fly.ends_at_switches(cable),
        };
        self.is_cable(index).then(|| (cable * self.links_per_cable(), ends))
    }

    fn first_limiter(&self) -> u32 {
        self.cables() * self.links_per_cable()
    }

    fn first_loopback(&self) -> u32 {
        let limited = if self.limiter.is_some() { self.nodes() + self.switches() } else { 0 };
        self.first_limiter() + limited
    }

    /// How many links there are, in 64 bits since nothing has been checked yet.
    pub(crate) fn link_count(&self) -> u64 {
        let (nodes, switches) = (u64::from(self.nodes()), u64::from(self.switches()));
        let cables = u64::from(self.cables()) * u64::from(self.links_per_cable());
        let limiters = if self.limiter.is_some() { nodes + switches } else { 0 };
        let loopbacks = if matches!(self.local, Local::Own { .. }) { nodes } else { 0 };
        cables + limiters + loopbacks
    }

    /// Appends the links from one slot to another.
    pub(crate) fn route(&self, from: u32, to: u32, loopback: (LinkId, f64), route: &mut Route) {
        let nodes = self.nodes();
        if from >= nodes || to >= nodes {
            return;
        }
        if from == to {
            match self.local {
                Local::Own { latency, .. } => {
                    return route.push(self.id(self.first_loopback() + from), latency);
                }
                Local::Platform => return route.push(loopback.0, loopback.1),
                // A grid has nothing but limiters between a node and itself.
                Local::Crossing if self.limiter.is_none() && self.is_grid() => {
                    return route.push(loopback.0, loopback.1);
                }
                Local::Crossing => {}
            }
        }
        let per_cable = self.links_per_cable();
        let visit = |hop| match hop {
            Hop::Up(cable) => route.push(self.id(cable * per_cable), self.wire.latency),
            Hop::Down(cable) => {
                route.push(self.id(cable * per_cable + per_cable - 1), self.wire.latency);
            }
            Hop::Limiter(place) if self.limiter.is_some() => {
                route.push(self.id(self.first_limiter() + place), 0.0);
            }
            Hop::Limiter(_) => {}
        };
        match &self.fabric {
            Fabric::Grid(grid) => grid.route(from, to, visit),
            Fabric::FatTree(tree) => tree.route(from, to, visit),
            Fabric::Dragonfly(fly) => fly.route(from, to, visit),
        }
    }

    fn is_grid(&self) -> bool {
        matches!(self.fabric, Fabric::Grid(_))
    }

    fn id(&self, index: u32) -> LinkId {
        LinkId(self.first_link + index)
    }

    pub(crate) fn link(&self, index: u32) -> Link {
        if index >= self.first_loopback() {
            let Local::Own { bandwidth, latency } = self.local else {
                unreachable!("loopbacks are numbered only if there are some")
            };
            return Link { bandwidth, latency, policy: Policy::FatPipe };
        }
        if index >= self.first_limiter() {
            let bandwidth = self.limiter.expect("limiters are numbered only if there are some");
            return Link { bandwidth, latency: 0.0, policy: Policy::Shared };
        }
        let width = match &self.fabric {
            Fabric::Dragonfly(fly) => fly.width(index / self.links_per_cable()),
            _ => 1,
        };
        let bandwidth = self.wire.bandwidth * f64::from(width);
        Link { bandwidth, latency: self.wire.latency, policy: policy(self.wire.sharing) }
    }

    pub(crate) fn link_name(&self, index: u32, zone: &str, sets: &[NodeSet]) -> String {
        if index >= self.first_loopback() {
            let node = (index - self.first_loopback()) as usize;
            let number = sets[self.set as usize].naming.number(node);
            return format!("{zone}_link_{number}_loopback");
        }
        if index >= self.first_limiter() {
            return format!("{zone}_link_{}_limiter", self.place_number(index));
        }
        let cable = index / self.links_per_cable();
        let name = match &self.fabric {
            Fabric::Grid(grid) => grid.cable_name(cable, zone),
            Fabric::FatTree(tree) => tree.cable_name(cable, self.cables_before),
            Fabric::Dragonfly(fly) => fly.cable_name(cable, self.cables_before),
        };
        match (self.wire.sharing, index % self.links_per_cable()) {
            (Sharing::SplitDuplex, 0) => name + "_UP",
            (Sharing::SplitDuplex, _) => name + "_DOWN",
            _ => name,
        }
    }

    /// SimGrid numbers limiters by position, those of switches down from twice the nodes.
    ///
    /// Past zero it goes on from the largest 64-bit number.
    fn place_number(&self, index: u32) -> u64 {
        let place = u64::from(index - self.first_limiter());
        let nodes = u64::from(self.nodes());
        if place < nodes { place } else { (3 * nodes - 1).wrapping_sub(place) }
    }

    pub(crate) fn find_link(&self, name: &str, zone: &str, sets: &[NodeSet]) -> Option<u32> {
        let candidate = self.candidate(name, zone, sets)?;
        let exists = u64::from(candidate) < self.link_count();
        (exists && self.link_name(candidate, zone, sets) == name).then_some(candidate)
    }

    /// The only link that can bear this name.
    fn candidate(&self, name: &str, zone: &str, sets: &[NodeSet]) -> Option<u32> {
        let number =
            |end: &str| -> Option<u64> { name.strip_suffix(end)?.rsplit('_').next()?.parse().ok() };
        if let Some(number) = number("_limiter") {
            let nodes = u64::from(self.nodes());
            let place = if number < nodes { number } else { (3 * nodes - 1).wrapping_sub(number) };
            return Some(self.first_limiter() + u32::try_from(place).ok()?);
        }
        if let Some(number) = number("_loopback") {
            let naming = &sets[self.set as usize].naming;
            let host = format!("{}{number}{}", naming.prefix(), naming.suffix());
            return Some(self.first_loopback() + naming.find(&host)? as u32);
        }
        let (stem, half) = match (name.strip_suffix("_UP"), name.strip_suffix("_DOWN")) {
            (Some(stem), _) => (stem, 0),
            (_, Some(stem)) => (stem, 1),
            _ => (name, 0),
        };
        let cable = match &self.fabric {
            Fabric::Grid(grid) => grid.find_cable(stem, zone),
            Fabric::FatTree(tree) => tree.find_cable(stem, self.cables_before),
            Fabric::Dragonfly(fly) => fly.find_cable(stem, self.cables_before),
        }?;
        Some(cable * self.links_per_cable() + half)
    }
}

/// How the links of a cable are shared once it is split.
pub(crate) fn policy(sharing: Sharing) -> Policy {
    match sharing {
        Sharing::Shared | Sharing::SplitDuplex => Policy::Shared,
        Sharing::FatPipe => Policy::FatPipe,
    }
}
