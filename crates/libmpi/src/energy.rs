//! Energy of a run, as the parent is told.

use foretell_launch::{CallJoules, Energy, Launch, NodeJoules, NodeSeries, RankJoules, Readings};
use foretell_mpi::{CallEnergy, EnergyReport, NodeEnergy, PowerModel, RankEnergy, Simulation};
use foretell_platform::Platform;

use crate::meter;

/// Sets up meters if the launch asks for them. The parent has read the same figures before.
pub(crate) fn metered(
    simulation: Simulation,
    launch: &Launch,
    platform: &Platform,
) -> Result<Simulation, String> {
    let Some(asked) = &launch.energy else { return Ok(simulation) };
    let model = PowerModel::new(platform, asked.workload.as_deref());
    let model = model.map_err(|error| error.to_string())?;
    meter::name_calls();
    Ok(simulation.power(if asked.series { model.keep_series() } else { model }))
}

/// Gives names to what meters said.
pub(crate) fn told(
    report: &EnergyReport,
    seconds: f64,
    platform: &Platform,
) -> (Energy, Vec<NodeSeries>) {
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
    let energy = Energy::of(Readings {
        seconds,
        peak_w: report.peak_watts,
        unused: (report.unused_nodes as u64, report.unused_joules),
        nodes: report.nodes.iter().map(node).collect(),
        ranks: report.ranks.iter().map(rank).collect(),
        calls: report.calls.iter().map(call).collect(),
    });
    let series = report.nodes.iter().filter_map(|node| {
        let changes = node.series.as_ref()?.changes().collect();
        Some(NodeSeries { node: name(node), changes })
    });
    (energy, series.collect())
}
