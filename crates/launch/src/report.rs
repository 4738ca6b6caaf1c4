//! From what a simulation found to what is told of it, by a program to its parent and by the
//! command to its user.

use foretell_mpi::{
    CallEnergy, EnergyReport, LinkEnergy, NetworkEnergy, NodeEnergy, RankEnergy, RegionEnergy, Used,
};
use foretell_platform::Platform;

use crate::energy::{
    CallJoules, Energy, LinkJoules, NetworkJoules, NodeJoules, NodeSeries, RankJoules, Readings,
    RegionJoules, SwitchingJoules,
};
use crate::outcome::CollectiveUse;
use crate::times::RankTimes;

impl From<&foretell_mpi::RankTimes> for RankTimes {
    fn from(times: &foretell_mpi::RankTimes) -> Self {
        let foretell_mpi::RankTimes { waiting, computing, overhead, end } = *times;
        Self { computing, overhead, waiting, end }
    }
}

impl From<&Used> for CollectiveUse {
    fn from(used: &Used) -> Self {
        Self {
            operation: used.operation.name().to_owned(),
            algorithm: used.algorithm.to_owned(),
            calls: used.calls,
            least_bytes: used.bytes.0,
            most_bytes: used.bytes.1,
            least_ranks: used.ranks.0,
            most_ranks: used.ranks.1,
        }
    }
}

impl Energy {
    /// Gives names to what meters said of a run that took `seconds`; and the power of nodes over
    /// time, where that was kept.
    pub fn of_report(
        report: &EnergyReport,
        seconds: f64,
        platform: &Platform,
    ) -> (Self, Vec<NodeSeries>) {
        let name = |node: &NodeEnergy| platform.host_name(node.host);
        let node = |node: &NodeEnergy| NodeJoules {
            node: name(node),
            joules: node.joules,
            own_j: node.own_joules,
        };
        let rank =
            |rank: &RankEnergy| RankJoules { computing_j: rank.computing, polling_j: rank.polling };
        let call = |call: &CallEnergy| CallJoules {
            call: call.name.to_owned(),
            count: call.count,
            joules: call.joules,
        };
        let region = |region: &RegionEnergy| RegionJoules {
            region: region.name.clone(),
            count: region.count,
            computing_j: region.computing,
            polling_j: region.polling,
        };
        let energy = Self::of(Readings {
            seconds,
            peak_w: report.peak_watts,
            unused: (report.unused_nodes as u64, report.unused_joules),
            nodes: report.nodes.iter().map(node).collect(),
            ranks: report.ranks.iter().map(rank).collect(),
            calls: report.calls.iter().map(call).collect(),
            regions: report.regions.iter().map(region).collect(),
            network: report.network.as_ref().map(|network| network_joules(network, platform)),
            switching: report.switching.map(|switching| SwitchingJoules {
                boot_j: switching.boot_joules,
                boot_s: switching.boot_seconds,
                shutdown_j: switching.shutdown_joules,
                shutdown_s: switching.shutdown_seconds,
            }),
        });
        let of_nodes = report.nodes.iter().filter_map(|node| {
            let changes = node.series.as_ref()?.changes().collect();
            Some(NodeSeries { node: name(node), changes })
        });
        let network = report.network.as_ref().and_then(|network| network.series.as_ref());
        let of_network = network.into_iter().flat_map(|(links, switches)| {
            [("links", links), ("switches", switches)].map(|(name, series)| NodeSeries {
                node: name.to_owned(),
                changes: series.changes().collect(),
            })
        });
        (energy, of_nodes.chain(of_network).collect())
    }
}

fn network_joules(network: &NetworkEnergy, platform: &Platform) -> NetworkJoules {
    let link = |link: &LinkEnergy| LinkJoules {
        link: platform.link_name(link.link),
        joules: link.joules,
        idle_j: link.idle_joules,
        use_s: link.seconds_of_use,
    };
    let told = NetworkJoules {
        switches_j: network.switches_joules,
        switches: network.switches,
        ports: network.ports,
        unused_links: network.unused_links,
        unused_j: network.unused_joules,
        ..NetworkJoules::default()
    };
    told.with_links(network.links.iter().map(link).collect())
}
