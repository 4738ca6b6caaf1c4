//! What nodes drew during a run: told by the child, printed by the parent.

use foretell_mpi::PowerModel;
use foretell_platform::{HostId, Platform, PowerError};
use serde::{Deserialize, Serialize};

use crate::times::{MOST_RANKS, Spread};

/// What to find out about energy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnergyRequest {
    /// The class of work whose power counts; none: the usual one.
    pub workload: Option<String>,
    /// Whether the power over time is kept.
    pub series: bool,
    /// Whether nodes without ranks are off.
    pub unused_off: bool,
    /// Whether booting and shutting down the others is accounted for.
    pub boot: bool,
}

impl EnergyRequest {
    /// What the nodes and the network of a platform draw, for ranks on these hosts.
    ///
    /// # Errors
    ///
    /// Fails if the platform does not say what is needed, or not so that it can be read.
    pub fn model(&self, platform: &Platform, hosts: &[HostId]) -> Result<PowerModel, PowerError> {
        let mut model = PowerModel::new(platform, self.workload.as_deref())?;
        if self.series {
            model = model.keep_series();
        }
        if self.unused_off {
            model = model.switch_off_unused();
        }
        if self.boot { model.with_boot(platform, hosts) } else { Ok(model) }
    }
}

/// The energy of a run. Parts add up to wholes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// All nodes that ranks ran on, and the links and switches that their messages crossed.
    pub joules: f64,
    /// Of these, what no rank is given: idle, off, and the static part of busy nodes.
    pub nodes_own_j: f64,
    /// What ranks added while they computed.
    pub computing_j: f64,
    /// What ranks added while they were in MPI.
    pub polling_j: f64,
    /// The mean power of all that `joules` is of.
    pub mean_w: f64,
    /// The most that the nodes drew together.
    pub peak_w: f64,
    /// How many other nodes the machine has, and their energy.
    pub unused_nodes: u64,
    /// Joules of those.
    pub unused_j: f64,
    /// How many nodes ranks ran on.
    pub nodes: u64,
    /// Joules over those nodes.
    pub node_j: Spread,
    /// Joules over ranks.
    pub rank_j: Spread,
    /// Links and switches, if their power is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkJoules>,
    /// Booting the nodes before the run and shutting them down after it, if that was asked for; not
    /// part of `joules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switching: Option<SwitchingJoules>,
    /// Each node, unless there are very many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<Vec<NodeJoules>>,
    /// Each rank, unless there are very many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_rank: Option<Vec<RankJoules>>,
    /// What all ranks added while they were in MPI, by call; adds up to `polling_j`.
    pub per_call: Vec<CallJoules>,
    /// What all ranks added, by region of the program; adds up to `computing_j` and `polling_j`.
    /// Empty if the program has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per_region: Vec<RegionJoules>,
}

/// What booting and shutting down take, around a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SwitchingJoules {
    /// Until all nodes are up.
    pub boot_j: f64,
    /// How long that takes.
    pub boot_s: f64,
    /// Shutting them down.
    pub shutdown_j: f64,
    /// How long that takes.
    pub shutdown_s: f64,
}

/// The energy of links and switches.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkJoules {
    /// Links that messages crossed.
    pub links_j: f64,
    /// Switches of the parts of the machine that messages crossed, with their ports in use.
    pub switches_j: f64,
    /// How many links those are.
    pub links: u64,
    /// How many switches.
    pub switches: u64,
    /// How many ports, if they draw something of their own.
    pub ports: u64,
    /// Links that no message crossed.
    pub unused_links: u64,
    /// Those links, and switches of parts of the machine that no message crossed; not in `joules`.
    pub unused_j: f64,
    /// Each link that messages crossed, unless there are very many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_link: Option<Vec<LinkJoules>>,
}

/// The energy of one link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkJoules {
    /// Its name.
    pub link: String,
    /// All of it.
    pub joules: f64,
    /// What it would have been without any message.
    pub idle_j: f64,
    /// Seconds of full use that its messages amount to.
    pub use_s: f64,
}

impl NetworkJoules {
    /// Adds up links; few enough of them are listed.
    pub fn with_links(self, links: Vec<LinkJoules>) -> Self {
        Self {
            links_j: links.iter().map(|link| link.joules).sum(),
            links: links.len() as u64,
            per_link: (links.len() <= MOST_RANKS).then_some(links),
            ..self
        }
    }
}

/// The energy of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeJoules {
    /// Its name.
    pub node: String,
    /// All of it.
    pub joules: f64,
    /// What none of its ranks is given.
    pub own_j: f64,
}

/// What a rank adds to the energy of its node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RankJoules {
    /// While it computes.
    pub computing_j: f64,
    /// While it is in MPI.
    pub polling_j: f64,
}

/// What all ranks together added to the energy of nodes while they were in one kind of call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallJoules {
    /// The call.
    pub call: String,
    /// How often ranks made it.
    pub count: u64,
    /// What that added.
    pub joules: f64,
}

/// What all ranks together added to the energy of nodes in one region of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegionJoules {
    /// Its name; none for what lies outside of all regions.
    pub region: Option<String>,
    /// How often ranks entered it.
    pub count: u64,
    /// What was added there while they computed.
    pub computing_j: f64,
    /// What was added there while they were in MPI.
    pub polling_j: f64,
}

/// The power over time of one node, of all links or of all switches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeSeries {
    /// Its name; `links` and `switches` for those.
    pub node: String,
    /// From which date on it drew how many watts.
    pub changes: Vec<(f64, f64)>,
}

/// What meters said: the parts, from which the wholes are made.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    /// Length of the run.
    pub seconds: f64,
    /// The most that all nodes in use drew together.
    pub peak_w: f64,
    /// How many nodes had no ranks, and their joules.
    pub unused: (u64, f64),
    /// The others.
    pub nodes: Vec<NodeJoules>,
    /// All ranks.
    pub ranks: Vec<RankJoules>,
    /// All calls.
    pub calls: Vec<CallJoules>,
    /// All regions.
    pub regions: Vec<RegionJoules>,
    /// Links and switches, if their power is known.
    pub network: Option<NetworkJoules>,
    /// Booting and shutting down, if that was asked for.
    pub switching: Option<SwitchingJoules>,
}

impl Energy {
    /// Adds up the parts.
    pub fn of(readings: Readings) -> Self {
        let Readings { seconds, peak_w, unused, nodes, ranks, calls, regions, .. } = readings;
        let network = readings.network;
        let of_network = network.as_ref().map_or(0.0, |part| part.links_j + part.switches_j);
        let joules = nodes.iter().map(|node| node.joules).sum::<f64>() + of_network;
        Self {
            joules,
            nodes_own_j: nodes.iter().map(|node| node.own_j).sum(),
            computing_j: ranks.iter().map(|rank| rank.computing_j).sum(),
            polling_j: ranks.iter().map(|rank| rank.polling_j).sum(),
            mean_w: if seconds > 0.0 { joules / seconds } else { 0.0 },
            peak_w,
            unused_nodes: unused.0,
            unused_j: unused.1,
            nodes: nodes.len() as u64,
            node_j: Spread::of(nodes.iter().map(|node| node.joules)),
            rank_j: Spread::of(ranks.iter().map(|rank| rank.computing_j + rank.polling_j)),
            network,
            switching: readings.switching,
            per_node: (nodes.len() <= MOST_RANKS).then_some(nodes),
            per_rank: (ranks.len() <= MOST_RANKS).then_some(ranks),
            per_call: calls,
            per_region: regions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_very_many_are_not_listed() {
        let node = |joules| NodeJoules { node: "n".into(), joules, own_j: joules - 2.0 };
        let rank = RankJoules { computing_j: 1.5, polling_j: 0.5 };
        let readings = Readings {
            seconds: 2.0,
            nodes: vec![node(10.0), node(14.0)],
            ranks: vec![rank; 2],
            ..Readings::default()
        };
        let energy = Energy::of(readings.clone());
        assert_eq!((energy.joules, energy.mean_w), (24.0, 12.0));
        assert_eq!(energy.nodes_own_j + energy.computing_j + energy.polling_j, energy.joules);
        let many = Energy::of(Readings { ranks: vec![rank; MOST_RANKS + 1], ..readings });
        assert_eq!(many.per_rank, None);
    }
}
