//! Energy: the integral of what nodes draw, told apart by node, by rank, by MPI call and by region
//! of the program.
//!
//! A node draws what [`NodePower`] says for the cores that compute and the cores that poll
//! (Heinrich et al. 2017, equation 1 and section V-C). Its load changes only when a computation
//! begins or ends, a rank ends, sleeps or uses a file, or the node is switched; between two changes
//! the power is constant, so the integral is exact. A rank that is alive and does not compute, sleep
//! or use a file is in MPI, and polls; what that costs goes to the call it is in.
//!
//! A rank is given what its own cores add to the node. What the node draws whether or not a
//! certain rank is busy (idle, or the static part while any core is busy) is the node's own.

mod calls;
mod network;
mod node;
mod regions;
mod report;
mod series;
mod switching;

use foretell_kernel::Kernel;
use foretell_platform::{HostId, NetworkPower, NodePower, Platform, PowerError};

use crate::Network;
use crate::load::{Change, RankLoad};

use calls::Calls;
use network::NetworkMeter;
pub use network::{LinkEnergy, NetworkEnergy};
use node::Node;
use regions::Regions;
pub use report::{CallEnergy, EnergyReport, NodeEnergy, RankEnergy, RegionEnergy};
pub use series::Series;
pub use switching::SwitchingEnergy;

/// What every node of a machine draws for one class of work, and what its network draws.
#[derive(Debug, Clone)]
pub struct PowerModel {
    nodes: Vec<Option<NodePower>>,
    network: Option<NetworkPower>,
    workload: Option<String>,
    keeps_series: bool,
    unused_are_off: bool,
    switching: Option<SwitchingEnergy>,
}

impl PowerModel {
    /// Reads the power of all hosts of a platform for a class of work, or the usual one.
    ///
    /// # Errors
    ///
    /// Fails if the figures cannot be read, or if there are none at all.
    pub fn new(platform: &Platform, workload: Option<&str>) -> Result<Self, PowerError> {
        let nodes: Vec<_> = platform
            .hosts()
            .map(|host| platform.node_power(host, workload))
            .collect::<Result<_, _>>()?;
        let network = platform.network_power()?;
        if nodes.iter().all(Option::is_none) && network.is_none() {
            return Err(PowerError::Nothing);
        }
        let workload = workload.map(str::to_owned);
        Ok(Self {
            nodes,
            network,
            workload,
            keeps_series: false,
            unused_are_off: false,
            switching: None,
        })
    }

    /// Keeps the power of every node over time as well.
    pub fn keep_series(mut self) -> Self {
        self.keeps_series = true;
        self
    }

    /// Lets nodes without ranks be switched off.
    pub fn switch_off_unused(mut self) -> Self {
        self.unused_are_off = true;
        self
    }

    /// Accounts for booting the nodes of ranks on these hosts before the run, and for shutting them
    /// down after it.
    ///
    /// # Errors
    ///
    /// Fails if a node does not say what that takes.
    pub fn with_boot(mut self, platform: &Platform, hosts: &[HostId]) -> Result<Self, PowerError> {
        let idle = |host: HostId| self.nodes[host.0 as usize].map_or(0.0, |power| power.idle);
        self.switching = Some(SwitchingEnergy::of(platform, hosts, idle)?);
        Ok(self)
    }

    /// Whether links or switches have a power.
    pub fn knows_network(&self) -> bool {
        self.network.is_some()
    }

    /// Whether the power of links is kept over time.
    pub fn samples_network(&self) -> bool {
        self.keeps_series && self.network.is_some()
    }

    /// How many hosts have no figures; they count as drawing nothing.
    pub fn unknown(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_none()).count()
    }
}

/// The meters of one simulation.
#[derive(Debug)]
pub struct Energy {
    nodes: Vec<Node>,
    ranks: Vec<Rank>,
    parts: Parts,
    total: Total,
    network: Option<NetworkMeter>,
    workload: Option<String>,
    switching: Option<SwitchingEnergy>,
}

/// What the energy of ranks is told apart by.
#[derive(Debug, Default)]
struct Parts {
    calls: Calls,
    regions: Regions,
}

/// All nodes with ranks together, for the peak.
#[derive(Debug, Default)]
struct Total {
    watts: f64,
    peak: f64,
    since: f64,
}

/// What a rank does to its node.
#[derive(Debug, Clone, Default)]
struct Rank {
    host: usize,
    load: RankLoad,
    /// The numbers of the call and of the region it is in.
    call: u32,
    region: u32,
    /// The node's integrals when this rank last changed.
    computing_mark: f64,
    polling_mark: f64,
    energy: RankEnergy,
}

impl Energy {
    /// All ranks are about to begin, rank `i` on `hosts[i]`.
    pub fn new(model: &PowerModel, hosts: &[HostId]) -> Self {
        let keeps = model.keeps_series;
        let mut nodes: Vec<_> = model.nodes.iter().map(|power| Node::new(*power, keeps)).collect();
        let rank = |host: &HostId| Rank { host: host.0 as usize, ..Rank::default() };
        let ranks: Vec<Rank> = hosts.iter().map(rank).collect();
        for rank in &ranks {
            let node = &mut nodes[rank.host];
            node.ranks += 1;
            node.polling += 1;
        }
        if model.unused_are_off {
            let unused = nodes.iter_mut().filter(|node| node.ranks == 0);
            unused.for_each(|node| node.is_on = false);
        }
        nodes.iter_mut().for_each(Node::update);
        let in_use = nodes.iter().filter(|node| node.ranks > 0);
        let total = Total { watts: in_use.map(|node| node.watts).sum(), ..Total::default() };
        let workload = model.workload.clone();
        let network = model.network.clone().map(|power| NetworkMeter::new(power, keeps));
        let (parts, switching) = (Parts::default(), model.switching);
        Self { nodes, ranks, parts, total, network, workload, switching }
    }

    /// Takes note of what a rank begins or ends at a date.
    pub fn note(&mut self, rank: u32, change: Change, date: f64) {
        let rank = &mut self.ranks[rank as usize];
        let node = &mut self.nodes[rank.host];
        node.integrate(date);
        rank.settle(node, &mut self.parts);
        node.computing -= rank.load.computing;
        node.polling -= u32::from(rank.load.polls());
        rank.load.change(change);
        node.computing += rank.load.computing;
        node.polling += u32::from(rank.load.polls());
        self.total.change(node, date);
    }

    /// Takes note that a rank begins a call: what it adds while it polls goes to that from now on.
    pub fn enter(&mut self, rank: u32, call: &'static str, date: f64) {
        let call = self.parts.calls.begin(call);
        let rank = &mut self.ranks[rank as usize];
        if rank.call != call {
            let node = &mut self.nodes[rank.host];
            node.integrate(date);
            rank.settle(node, &mut self.parts);
            rank.call = call;
        }
    }

    /// Takes note that a rank begins a region of the program, or with no name that it leaves the
    /// innermost one: what it adds goes to that from now on.
    pub fn enter_region(&mut self, rank: u32, name: Option<&str>, date: f64) {
        let number = rank;
        let rank = &mut self.ranks[rank as usize];
        let node = &mut self.nodes[rank.host];
        node.integrate(date);
        rank.settle(node, &mut self.parts);
        rank.region = match name {
            Some(name) => self.parts.regions.enter(number, name),
            None => self.parts.regions.leave(number),
        };
    }

    /// What a node draws now.
    pub fn watts(&self, host: HostId) -> f64 {
        self.nodes[host.0 as usize].watts
    }

    /// Switches a node on or off.
    pub fn switch(&mut self, host: HostId, is_on: bool, date: f64) {
        let node = &mut self.nodes[host.0 as usize];
        node.integrate(date);
        node.is_on = is_on;
        self.total.change(node, date);
    }

    /// The class of work whose power counts.
    pub fn workload(&self) -> Option<&str> {
        self.workload.as_deref()
    }

    /// Lets a node draw what it draws in another pstate.
    pub fn set_power(&mut self, host: HostId, power: Option<NodePower>, date: f64) {
        let node = &mut self.nodes[host.0 as usize];
        node.integrate(date);
        node.power = power;
        self.total.change(node, date);
    }

    /// Whether the use of links is to be metered.
    pub fn meters_network(&self) -> bool {
        self.network.is_some()
    }

    /// Takes note of what links have drawn, if their power over time is kept.
    pub fn sample(&mut self, network: &Network, kernel: &Kernel) {
        if let Some(meter) = &mut self.network {
            meter.sample(network, kernel, kernel.now());
        }
    }

    /// Reads all meters at the end of the run, those of nodes and those of links.
    pub fn conclude_with(mut self, date: f64, network: &Network, kernel: &Kernel) -> EnergyReport {
        let meter = self.network.take();
        let network = meter.map(|meter| meter.conclude(network, kernel, date));
        let mut report = self.conclude(date);
        if let Some(network) = network {
            report.add_network(network, date);
        }
        report
    }

    /// Reads all meters of nodes at the end of the run.
    pub fn conclude(mut self, date: f64) -> EnergyReport {
        for node in &mut self.nodes {
            node.integrate(date);
        }
        for rank in &mut self.ranks {
            rank.settle(&self.nodes[rank.host], &mut self.parts);
        }
        self.total.reach(date);
        let ranks = self.ranks.into_iter().map(|rank| rank.energy).collect();
        let mut report = EnergyReport::new(date, self.total.peak, self.nodes, ranks);
        report.calls = self.parts.calls.told();
        report.regions = self.parts.regions.told();
        report.switching = self.switching;
        report
    }
}

impl Rank {
    /// Takes what its cores have added to the node since it last changed.
    fn settle(&mut self, node: &Node, parts: &mut Parts) {
        let computed =
            f64::from(self.load.computing) * (node.per_computation - self.computing_mark);
        let polled = if self.load.polls() { node.per_poll - self.polling_mark } else { 0.0 };
        self.energy.computing += computed;
        self.energy.polling += polled;
        parts.calls.add(self.call, polled);
        parts.regions.add(self.region, computed, polled);
        (self.computing_mark, self.polling_mark) = (node.per_computation, node.per_poll);
    }
}

impl Total {
    /// A power that lasts for no time is no peak.
    fn reach(&mut self, date: f64) {
        if date > self.since {
            self.peak = self.peak.max(self.watts);
            self.since = date;
        }
    }

    fn change(&mut self, node: &mut Node, date: f64) {
        let before = node.watts;
        node.update();
        if node.ranks > 0 {
            self.reach(date);
            self.watts += node.watts - before;
        }
    }
}

#[cfg(test)]
mod tests;
