//! From what a simulation found to what is told of it, by a program to its parent and by the
//! command to its user.

use foretell_mpi::{CallEnergy, EnergyReport, NodeEnergy, RankEnergy, RegionEnergy, Used};
use foretell_platform::Platform;

use crate::energy::{
    CallJoules, Energy, NodeJoules, NodeSeries, RankJoules, Readings, RegionJoules,
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
        });
        let series = report.nodes.iter().filter_map(|node| {
            let changes = node.series.as_ref()?.changes().collect();
            Some(NodeSeries { node: name(node), changes })
        });
        (energy, series.collect())
    }
}
