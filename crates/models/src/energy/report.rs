//! What the meters say at the end.

use foretell_platform::HostId;

use super::node::Node;
use super::{NetworkEnergy, Series, SwitchingEnergy};

/// The energy of a run. Parts add up to wholes.
#[derive(Debug, Clone, PartialEq)]
pub struct EnergyReport {
    /// Joules of all nodes that ranks ran on, and of the network.
    pub joules: f64,
    /// Joules of the machine's other nodes, which did nothing.
    pub unused_joules: f64,
    /// How many those are.
    pub unused_nodes: usize,
    /// Mean watts of all nodes that ranks ran on, and of the network.
    pub mean_watts: f64,
    /// The most watts that the nodes drew together at any time.
    pub peak_watts: f64,
    /// Every node that ranks ran on.
    pub nodes: Vec<NodeEnergy>,
    /// Every rank.
    pub ranks: Vec<RankEnergy>,
    /// What all ranks added while they polled, by the call they were in.
    pub calls: Vec<CallEnergy>,
    /// What all ranks added, by the innermost region of the program that they were in; the first
    /// is what lies outside of all. Empty if the program has no regions.
    pub regions: Vec<RegionEnergy>,
    /// Links and switches, if their power is known.
    pub network: Option<NetworkEnergy>,
    /// Booting and shutting down, if that was asked for; not part of `joules`.
    pub switching: Option<SwitchingEnergy>,
}

/// The energy of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeEnergy {
    /// Which.
    pub host: HostId,
    /// All of its joules.
    pub joules: f64,
    /// Those that no rank is given: idle, off, and the static part while it is busy. The rest is
    /// that of its ranks.
    pub own_joules: f64,
    /// Its power over time, if that was asked for.
    pub series: Option<Series>,
}

/// Joules that a rank adds to those of its node.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankEnergy {
    /// While it computes.
    pub computing: f64,
    /// While it is in MPI.
    pub polling: f64,
}

/// Joules that all ranks together added while they polled in one kind of call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallEnergy {
    /// The call.
    pub name: &'static str,
    /// How often ranks made it.
    pub count: u64,
    /// What that added to the energy of nodes.
    pub joules: f64,
}

/// Joules that all ranks together added in one region of the program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegionEnergy {
    /// Its name; none for what lies outside of all regions.
    pub name: Option<String>,
    /// How often ranks entered it.
    pub count: u64,
    /// What was added while they computed there.
    pub computing: f64,
    /// What was added while they were in MPI there.
    pub polling: f64,
}

impl RankEnergy {
    /// Computing and polling together.
    pub fn joules(&self) -> f64 {
        self.computing + self.polling
    }
}

impl EnergyReport {
    pub(super) fn new(
        seconds: f64,
        peak_watts: f64,
        nodes: Vec<Node>,
        ranks: Vec<RankEnergy>,
    ) -> Self {
        let unused = nodes.iter().filter(|node| node.ranks == 0);
        let (unused_nodes, unused_joules) = (
            unused.clone().count(),
            unused.map(|node| node.joules).fold(0.0, |all, joules| all + joules),
        );
        let nodes: Vec<NodeEnergy> = nodes
            .into_iter()
            .enumerate()
            .filter(|(_, node)| node.ranks > 0)
            .map(|(host, node)| NodeEnergy {
                host: HostId(host as u32),
                joules: node.joules,
                own_joules: node.own_joules,
                series: node.series,
            })
            .collect();
        let joules: f64 = nodes.iter().map(|node| node.joules).sum();
        let mean_watts = if seconds > 0.0 { joules / seconds } else { 0.0 };
        Self {
            joules,
            unused_joules,
            unused_nodes,
            mean_watts,
            peak_watts,
            nodes,
            ranks,
            calls: Vec::new(),
            regions: Vec::new(),
            network: None,
            switching: None,
        }
    }

    /// Adds what links and switches took in so many seconds.
    pub(super) fn add_network(&mut self, network: NetworkEnergy, seconds: f64) {
        self.joules += network.joules();
        if seconds > 0.0 {
            self.mean_watts = self.joules / seconds;
        }
        self.network = Some(network);
    }
}
