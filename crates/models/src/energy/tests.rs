//! Meters against sums done by hand.

use super::*;

/// A node as in figure 2 of Heinrich et al.: 12 cores, all-core power of HPL.
const TAURUS: NodePower = NodePower {
    off: 8.0,
    idle: 110.0,
    fixed: 92.0,
    computing: 122.0,
    polling: Some(96.0),
    second_socket: 0.0,
    cores: 12,
};

fn model(nodes: &[NodePower]) -> PowerModel {
    let nodes = nodes.iter().map(|node| Some(*node)).collect();
    PowerModel {
        nodes,
        network: None,
        workload: None,
        keeps_series: true,
        unused_are_off: false,
        switching: None,
    }
}

fn parts(report: &EnergyReport) -> f64 {
    let own: f64 = report.nodes.iter().map(|node| node.own_joules).sum();
    own + report.ranks.iter().map(RankEnergy::joules).sum::<f64>()
}

#[test]
fn power_is_the_line_through_one_core_and_all_cores() {
    // Figure 2: each further core adds the same, from one to all; none at all is off the line.
    for cores in 1..=12_u32 {
        let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0); 12]);
        (0..cores).for_each(|rank| energy.note(rank, Change::Computes, 0.0));
        (cores..12).for_each(|rank| energy.note(rank, Change::Ends, 0.0));
        let report = energy.conclude(10.0);
        let expected = 92.0 + 122.0 * f64::from(cores) / 12.0;
        assert!((report.mean_watts - expected).abs() < 1e-9, "{cores} cores: {report:?}");
    }
    assert_eq!(TAURUS.watts(0, 0), 110.0);
    assert!((TAURUS.watts(12, 0) - 214.0).abs() < 1e-9);
}

#[test]
fn ranks_that_wait_poll_until_they_end() {
    let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0); 12]);
    (0..12).for_each(|rank| energy.note(rank, Change::Ends, 2.0));
    let report = energy.conclude(3.0);
    assert!((report.joules - (2.0 * 188.0 + 110.0)).abs() < 1e-9);
    assert!((report.peak_watts - 188.0).abs() < 1e-9);
    assert!((report.ranks[0].polling - 2.0 * 8.0).abs() < 1e-9);
}

#[test]
fn without_a_figure_for_polling_a_rank_that_waits_is_idle() {
    let node = NodePower { polling: None, ..TAURUS };
    let report = Energy::new(&model(&[node]), &[HostId(0); 12]).conclude(5.0);
    assert_eq!((report.joules, report.ranks[3].joules()), (550.0, 0.0));
}

#[test]
fn more_computations_than_cores_share_what_the_cores_draw() {
    let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0); 24]);
    (0..24).for_each(|rank| energy.note(rank, Change::Computes, 0.0));
    let report = energy.conclude(1.0);
    assert!((report.joules - 214.0).abs() < 1e-9);
    assert!((report.ranks[7].computing - 122.0 / 24.0).abs() < 1e-9);
}

#[test]
fn sleepers_and_nodes_that_are_off_draw_what_they_should() {
    let mut energy = Energy::new(&model(&[TAURUS, TAURUS]), &[HostId(0)]);
    energy.note(0, Change::Leaves, 0.0);
    energy.note(0, Change::Returns, 1.0);
    energy.switch(HostId(0), false, 1.0);
    energy.switch(HostId(1), false, 1.0);
    let report = energy.conclude(2.0);
    assert!((report.joules - (110.0 + 8.0)).abs() < 1e-9);
    assert_eq!((report.unused_nodes, report.unused_joules), (1, 118.0));
}

#[test]
fn a_power_that_lasts_for_no_time_is_no_peak() {
    let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0)]);
    energy.note(0, Change::Computes, 1.0);
    energy.note(0, Change::Computed, 1.0);
    let report = energy.conclude(2.0);
    assert_eq!(report.peak_watts, TAURUS.watts(0, 1));
}

#[test]
fn the_series_of_a_node_holds_its_energy() {
    let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0)]);
    energy.note(0, Change::Computes, 1.0);
    energy.note(0, Change::Computed, 3.0);
    let report = energy.conclude(4.0);
    let mut changes: Vec<_> = report.nodes[0].series.as_ref().unwrap().changes().collect();
    changes.push((4.0, 0.0));
    let joules: f64 = changes.windows(2).map(|pair| (pair[1].0 - pair[0].0) * pair[0].1).sum();
    assert!((joules - report.joules).abs() < 1e-9);
    assert!((parts(&report) - report.joules).abs() < 1e-9 * report.joules);
}

#[test]
fn polling_goes_to_the_call_that_a_rank_is_in() {
    let mut energy = Energy::new(&model(&[TAURUS]), &[HostId(0); 2]);
    energy.enter(0, "MPI_Recv", 1.0);
    energy.enter(0, "MPI_Recv", 2.0);
    energy.note(0, Change::Computes, 3.0);
    energy.note(0, Change::Computed, 4.0);
    energy.enter(0, "MPI_Barrier", 6.0);
    (0..2).for_each(|rank| energy.note(rank, Change::Ends, 7.0));
    let report = energy.conclude(7.0);
    let told: Vec<_> =
        report.calls.iter().map(|call| (call.name, call.count, call.joules)).collect();
    // Each of the twelve cores adds 8 W while it polls; rank 1 makes no call at all.
    let expected = [("MPI_Init", 0, 8.0 + 56.0), ("MPI_Recv", 2, 32.0), ("MPI_Barrier", 1, 8.0)];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (found, expected) in told.iter().zip(expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() < 1e-9, "{told:?}");
    }
}

#[test]
fn a_second_socket_is_the_nodes_own() {
    let node = NodePower { second_socket: 10.0, ..TAURUS };
    let mut energy = Energy::new(&model(&[node]), &[HostId(0); 12]);
    (0..7).for_each(|rank| energy.note(rank, Change::Computes, 0.0));
    (7..12).for_each(|rank| energy.note(rank, Change::Ends, 0.0));
    energy.note(6, Change::Computed, 1.0);
    energy.note(6, Change::Ends, 1.0);
    let report = energy.conclude(2.0);
    assert!((report.nodes[0].own_joules - (102.0 + 92.0)).abs() < 1e-9, "{report:?}");
    assert!((parts(&report) - report.joules).abs() < 1e-9 * report.joules);
}
