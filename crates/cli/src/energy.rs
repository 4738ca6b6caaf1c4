//! Energy: what to measure, and how it is told.

use std::fmt::Write;

use anyhow::Result;
use foretell_launch::{
    Energy, NetworkJoules, NodeSeries, PstateUse, RegionJoules, SwitchingJoules,
};
use foretell_mpi::{EnergyReport, PowerModel};
use foretell_platform::{HostId, ModelKind, Platform};
use foretell_units::{Joule, Watt};

use crate::figures::{counted, few, percent, time};
use crate::run_options::RunOptions;

/// How many MPI calls the summary names.
const MOST_CALLS: usize = 4;

/// What a run found about energy.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub(crate) energy: Energy,
    pub(crate) series: Vec<NodeSeries>,
}

/// What nodes draw, if that is asked for; a warning if not all of them say so.
pub(crate) fn model(
    platform: &Platform,
    hosts: &[HostId],
    options: &RunOptions,
    warnings: &mut Vec<String>,
) -> Result<Option<PowerModel>> {
    let Some(request) = options.energy_request() else { return Ok(None) };
    let model = request.model(platform, hosts)?;
    if model.unknown() > 0 {
        let hosts = counted(model.unknown() as u64, "host");
        warnings.push(format!("nothing is said of the power of {hosts}; they count as 0 W"));
    }
    if model.knows_network() && platform.network().model != ModelKind::Hybrid {
        warnings.push(
            "only the hybrid network model knows which links messages cross: links and switches \
             count as unused"
                .to_owned(),
        );
    }
    Ok(Some(model))
}

impl Measured {
    /// Gives names to what meters said.
    pub(crate) fn of(report: &EnergyReport, seconds: f64, platform: &Platform) -> Self {
        let (energy, series) = Energy::of_report(report, seconds, platform);
        Self { energy, series }
    }
}

/// Lines of the summary.
pub(crate) fn lines(energy: &Energy) -> Vec<(&'static str, String)> {
    let share = |title, part| format!("{} {title}", percent(part, energy.joules));
    let mut parts = vec![
        share("computing", energy.computing_j),
        share("in MPI", energy.polling_j),
        share("of the nodes themselves", energy.nodes_own_j),
    ];
    let network = energy.network.as_ref();
    parts.extend(network.map(|part| share("of the network", part.links_j + part.switches_j)));
    let nodes = energy.node_j;
    let who = if network.is_some() { "the nodes " } else { "" };
    let (mean, peak) = (watts(energy.mean_w), watts(energy.peak_w));
    let mut lines = vec![
        ("energy", format!("{}: {}", joules(energy.joules), parts.join(", "))),
        ("power", format!("{mean} on average, {who}{peak} at most")),
        (
            "a node's energy",
            format!(
                "{} on average, {} to {}",
                joules(nodes.mean),
                joules(nodes.min),
                joules(nodes.max)
            ),
        ),
    ];
    if let Some(network) = network {
        lines.push(("network's energy", of_network(network)));
    }
    if let Some(most) = dearest(energy) {
        lines.push(("energy in MPI", most));
    }
    if let Some(most) = dearest_regions(energy) {
        lines.push(("energy of regions", most));
    }
    if let Some(switching) = energy.switching {
        let SwitchingJoules { boot_j, boot_s, shutdown_j, shutdown_s } = switching;
        let boot = format!("{} more in {} before the run", joules(boot_j), time(boot_s));
        let shutdown = format!("{} in {} after it", joules(shutdown_j), time(shutdown_s));
        lines.push(("boot, shutdown", format!("{boot}, {shutdown}")));
    }
    if energy.unused_nodes > 0 {
        let others = counted(energy.unused_nodes, "node");
        lines.push((
            "other nodes",
            format!("{} more on {others} without ranks", joules(energy.unused_j)),
        ));
    }
    lines
}

/// What links and switches took, and those that were not used.
fn of_network(network: &NetworkJoules) -> String {
    let ports = match network.ports {
        0 => String::new(),
        ports => format!(" with {} in use", counted(ports, "port")),
    };
    let switches = match network.switches {
        1 => "1 switch".to_owned(),
        count => format!("{count} switches"),
    };
    let mut told = format!(
        "{} of {}, {} of {switches}{ports}",
        joules(network.links_j),
        counted(network.links, "link"),
        joules(network.switches_j),
    );
    if network.unused_j > 0.0 {
        let _ = write!(told, "; {} more of what no message crossed", joules(network.unused_j));
    }
    told
}

/// Which pstates nodes were in, as governors and caps chose them.
pub(crate) fn pstates(chosen: &PstateUse) -> String {
    let all: f64 = chosen.seconds.iter().sum();
    let share = |(pstate, seconds): (usize, &f64)| {
        (*seconds > 0.0).then(|| format!("{} in {pstate}", percent(*seconds, all)))
    };
    let shares: Vec<String> = chosen.seconds.iter().enumerate().filter_map(share).collect();
    let mut told = counted(chosen.changes, "change");
    if !shares.is_empty() {
        let _ = write!(told, "; of the time {}", shares.join(", "));
    }
    if chosen.over_cap_s > 0.0 {
        let _ = write!(told, "; {} above the cap", percent(chosen.over_cap_s, all));
    }
    told
}

/// The calls that took most, if any took something.
fn dearest(energy: &Energy) -> Option<String> {
    let mut calls: Vec<_> = energy.per_call.iter().filter(|call| call.joules > 0.0).collect();
    // Equal ones keep their order, which is that of their first calls.
    calls.sort_by(|a, b| b.joules.total_cmp(&a.joules));
    let told = calls.iter().take(MOST_CALLS);
    let told = told.map(|call| format!("{} {}", percent(call.joules, energy.joules), call.call));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then_some(told)
}

/// The regions of the program that took most, if it has any.
fn dearest_regions(energy: &Energy) -> Option<String> {
    let mut regions: Vec<(&str, f64)> = energy.per_region.iter().map(region).collect();
    regions.retain(|(_, joules)| *joules > 0.0);
    regions.sort_by(|a, b| b.1.total_cmp(&a.1));
    let told = regions.iter().take(MOST_CALLS);
    let told = told.map(|(name, joules)| format!("{} {name}", percent(*joules, energy.joules)));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then_some(told)
}

fn region(region: &RegionJoules) -> (&str, f64) {
    (region.region.as_deref().unwrap_or("outside"), region.computing_j + region.polling_j)
}

/// The power of nodes over time; the last line of a node is the end of the run.
pub(crate) fn csv(series: &[NodeSeries], seconds: f64) -> String {
    let mut text = "node,date_s,watts\n".to_owned();
    for node in series {
        let end = node.changes.last().map(|(_, watts)| (seconds, *watts));
        for (date, watts) in node.changes.iter().copied().chain(end) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{},{date},{watts}", node.node);
        }
    }
    text
}

fn joules(value: f64) -> String {
    Joule::new(few(value)).to_string()
}

fn watts(value: f64) -> String {
    Watt::new(few(value)).to_string()
}

#[cfg(test)]
mod tests {
    use foretell_launch::{CallJoules, LinkJoules, NodeJoules, RankJoules, Readings};

    use super::*;

    #[test]
    fn the_series_ends_where_the_run_does() {
        let series = NodeSeries { node: "a".into(), changes: vec![(0.0, 95.0), (1.5, 200.0)] };
        assert_eq!(csv(&[series], 2.0), "node,date_s,watts\na,0,95\na,1.5,200\na,2,200\n");
    }

    #[test]
    fn the_summary_tells_shares_and_nodes_that_were_not_used() {
        let node = NodeJoules { node: "a".into(), joules: 200.0, own_j: 150.0 };
        let rank = RankJoules { computing_j: 40.0, polling_j: 10.0 };
        let call = |call: &str, joules| CallJoules { call: call.to_owned(), count: 3, joules };
        let region = |name: Option<&str>, computing_j| RegionJoules {
            region: name.map(str::to_owned),
            count: 1,
            computing_j,
            polling_j: 0.0,
        };
        let energy = Energy::of(Readings {
            seconds: 2.0,
            peak_w: 120.0,
            unused: (3, 600.0),
            nodes: vec![node],
            ranks: vec![rank],
            calls: vec![call("MPI_Send", 2.0), call("MPI_Recv", 8.0), call("MPI_Init", 0.0)],
            regions: vec![region(None, 5.0), region(Some("solve"), 45.0), region(Some("io"), 0.0)],
            switching: Some(SwitchingJoules {
                boot_j: 15_600.0,
                boot_s: 120.0,
                shutdown_j: 50.0,
                shutdown_s: 0.5,
            }),
            network: None,
        });
        let lines = lines(&energy);
        assert_eq!(
            lines[0].1,
            "200 J: 20.0 % computing, 5.0 % in MPI, 75.0 % of the nodes themselves"
        );
        assert_eq!(lines[1].1, "100 W on average, 120 W at most");
        assert_eq!(lines[3].1, "4.0 % MPI_Recv, 1.0 % MPI_Send");
        assert_eq!(lines[4].1, "22.5 % solve, 2.5 % outside");
        let expected = "15.6 kJ more in 120 s before the run, 50 J in 500 ms after it";
        assert_eq!(lines[5].1, expected);
        assert_eq!(lines[6].1, "600 J more on 3 nodes without ranks");
    }

    #[test]
    fn pstates_are_told_by_their_time() {
        let chosen = PstateUse { changes: 3, seconds: vec![6.0, 0.0, 2.0], over_cap_s: 1.0 };
        let expected = "3 changes; of the time 75.0 % in 0, 25.0 % in 2; 12.5 % above the cap";
        assert_eq!(pstates(&chosen), expected);
    }

    #[test]
    fn links_and_switches_are_a_part_of_their_own() {
        let link = |joules| LinkJoules { link: "l".into(), joules, idle_j: 1.0, use_s: 0.5 };
        let network = NetworkJoules {
            switches_j: 30.0,
            switches: 1,
            ports: 2,
            unused_links: 3,
            unused_j: 7.0,
            ..NetworkJoules::default()
        };
        let energy = Energy::of(Readings {
            seconds: 2.0,
            peak_w: 80.0,
            nodes: vec![NodeJoules { node: "a".into(), joules: 160.0, own_j: 160.0 }],
            ranks: vec![RankJoules { computing_j: 0.0, polling_j: 0.0 }],
            network: Some(network.with_links(vec![link(4.0), link(6.0)])),
            ..Readings::default()
        });
        let lines = lines(&energy);
        let expected = "200 J: 0.0 % computing, 0.0 % in MPI, 80.0 % of the nodes themselves, \
                        20.0 % of the network";
        assert_eq!(lines[0].1, expected);
        assert_eq!(lines[1].1, "100 W on average, the nodes 80 W at most");
        let expected = "10 J of 2 links, 30 J of 1 switch with 2 ports in use; 7 J more of what no \
                        message crossed";
        assert_eq!(lines[3].1, expected);
    }
}
