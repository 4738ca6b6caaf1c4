//! Closed forms, and what Dimemas 5.5.0 itself says of the same messages.

use foretell_kernel::{Kernel, Then};
use foretell_platform::{DimemasCollectives, DimemasGrowth, DimemasNode, HostId};

use super::*;

/// A megabyte per second, so that a message of so many megabytes takes as many seconds.
fn model(buses: Option<u32>, links: Option<u32>) -> Dimemas {
    with_links(buses, links, links)
}

fn with_links(buses: Option<u32>, inputs: Option<u32>, outputs: Option<u32>) -> Dimemas {
    let node = DimemasNode {
        latency: 0.25,
        inputs,
        outputs,
        local_latency: 0.125,
        local_bandwidth: 4e6,
        local_buses: Some(1),
        ..DimemasNode::default()
    };
    let nodes = vec![node];
    Dimemas::new(Figures { bandwidth: 1e6, buses, nodes, ..Figures::default() }, 16)
}

fn message(from: u32, to: u32, megabytes: u64) -> Message {
    Message { from: HostId(from), to: HostId(to), bytes: megabytes * 1_000_000 }
}

/// The date on which a message is ready, its nodes and its megabytes.
type Sent = (f64, u32, u32, u64);

/// When each of these messages arrives, from one rank of a node to one of another.
fn arrivals(model: &mut Dimemas, messages: &[Sent]) -> Vec<f64> {
    let ranks = |&(_, from, to, _): &Sent| [from, to];
    let ranked: Vec<_> = messages.iter().map(|one| (*one, ranks(one))).collect();
    arrivals_of(model, &ranked)
}

fn arrivals_of(model: &mut Dimemas, messages: &[(Sent, [u32; 2])]) -> Vec<f64> {
    const READY: u32 = 1000;
    let mut kernel = Kernel::new(1e-9);
    for (number, ((date, ..), _)) in (0..).zip(messages) {
        kernel.wait(*date, Then::Notify(READY + number));
    }
    let mut found = vec![f64::NAN; messages.len()];
    let mut fired = Vec::new();
    while kernel.advance(&mut fired) {
        for then in fired.drain(..) {
            let Then::Notify(number) = then else { unreachable!() };
            if let Some(place) = number.checked_sub(READY) {
                let ((_, from, to, megabytes), ranks) = messages[place as usize];
                let transfer = model.transfer(message(from, to, megabytes), ranks, place);
                model.traffic.send(transfer, &mut kernel);
            } else {
                model.traffic.ended(number, &mut kernel);
                found[number as usize] = kernel.now();
            }
        }
    }
    found
}

#[test]
fn one_message_takes_its_latency_and_its_bytes() {
    let mut model = model(None, None);
    assert_eq!(model.send_overhead(message(0, 1, 2)), 0.25);
    assert_eq!(model.receive_startup(message(0, 1, 2)), 0.25);
    assert_eq!(arrivals(&mut model, &[(10.0, 0, 1, 2)]), [12.0]);
}

#[test]
fn two_messages_share_one_bus_in_turn_and_two_buses_not_at_all() {
    let messages = [(0.0, 0, 1, 2), (0.5, 2, 3, 1), (0.5, 4, 5, 1)];
    assert_eq!(arrivals(&mut model(Some(1), None), &messages), [2.0, 3.0, 4.0]);
    assert_eq!(arrivals(&mut model(Some(2), None), &messages), [2.0, 1.5, 2.5]);
}

#[test]
fn links_of_a_node_are_held_by_one_message_at_a_time() {
    // Two into one node, one out of the first of them, and one that meets neither.
    let messages = [(0.0, 0, 9, 2), (0.0, 1, 9, 2), (0.0, 0, 5, 1), (0.0, 9, 4, 3)];
    assert_eq!(arrivals(&mut model(None, Some(1)), &messages), [2.0, 4.0, 3.0, 3.0]);
}

#[test]
fn a_message_that_could_go_takes_the_link_of_one_that_waits() {
    // The second waits for the way into node 9. The third leaves by its link meanwhile, and the
    // second has it back at 3: it comes after the fourth, whose link in is free at 2.
    let messages = [(0.0, 0, 9, 2), (0.0, 1, 9, 2), (1.0, 1, 5, 2), (1.5, 2, 9, 4)];
    assert_eq!(arrivals(&mut model(None, Some(1)), &messages), [2.0, 8.0, 3.0, 6.0]);
}

#[test]
fn a_message_keeps_its_links_while_it_waits_for_a_bus() {
    // The second has both of its links and no bus. The third could go at once but for its link.
    let messages = [(0.0, 0, 1, 4), (0.0, 2, 3, 2), (1.0, 2, 5, 1)];
    assert_eq!(arrivals(&mut model(Some(1), Some(1)), &messages), [4.0, 6.0, 7.0]);
}

#[test]
fn one_number_of_links_is_for_both_ways() {
    // Node 1 has one link for what comes and what goes.
    let messages = [(0.0, 0, 1, 2), (0.5, 1, 2, 1)];
    assert_eq!(arrivals(&mut with_links(None, Some(1), None), &messages), [2.0, 3.0]);
    assert_eq!(arrivals(&mut with_links(None, None, Some(1)), &messages), [2.0, 3.0]);
    assert_eq!(arrivals(&mut model(None, Some(1)), &messages), [2.0, 1.5]);
}

#[test]
fn messages_within_a_node_have_figures_of_their_own() {
    let mut model = model(Some(1), Some(1));
    assert_eq!(model.send_overhead(message(0, 0, 1)), 0.125);
    let messages = [
        ((0.0, 0, 1, 100), [0, 9]),
        ((0.0, 0, 0, 4), [0, 1]),
        ((0.0, 0, 0, 4), [2, 3]),
        ((0.0, 3, 3, 4), [4, 5]),
    ];
    assert_eq!(arrivals_of(&mut model, &messages), [100.0, 1.0, 2.0, 1.0]);
}

#[test]
fn links_within_a_node_belong_to_ranks() {
    let mut model = model(None, None);
    let node = &mut model.figures.nodes[0];
    (node.local_buses, node.local_inputs, node.local_outputs) = (None, Some(1), Some(1));
    // Two out of rank 0, one into rank 1, and one to itself that needs none.
    let messages = [
        ((0.0, 0, 0, 4), [0, 1]),
        ((0.0, 0, 0, 4), [0, 2]),
        ((0.0, 0, 0, 4), [3, 1]),
        ((0.0, 0, 0, 4), [0, 0]),
    ];
    assert_eq!(arrivals_of(&mut model, &messages), [1.0, 2.0, 2.0, 1.0]);
}

#[test]
fn a_collective_operation_waits_for_all_buses_and_keeps_them() {
    let mut model = model(Some(2), None);
    let mut kernel = Kernel::new(1e-9);
    let send = |model: &mut Dimemas, kernel: &mut Kernel, number, from, to, megabytes| {
        let transfer = model.transfer(message(from, to, megabytes), [from, to], number);
        model.traffic.send(transfer, kernel);
    };
    send(&mut model, &mut kernel, 0, 0, 1, 2);
    // Keeps the bus that is free; the message behind it waits for its end.
    model.operate(3.0, vec![10, 11], &mut kernel);
    send(&mut model, &mut kernel, 1, 2, 3, 1);
    let (mut found, mut fired) = (Vec::new(), Vec::new());
    while kernel.advance(&mut fired) {
        for then in fired.drain(..) {
            let Then::Notify(number) = then else { unreachable!() };
            model.ended(number, &mut kernel);
            found.push((number, kernel.now()));
        }
    }
    assert_eq!(found, [(0, 2.0), (10, 5.0), (11, 5.0), (1, 6.0)]);
}

#[test]
fn infinite_bandwidth_takes_no_time() {
    let mut model = Dimemas::new(Figures { bandwidth: f64::INFINITY, ..Figures::default() }, 2);
    assert_eq!(arrivals(&mut model, &[(3.0, 0, 1, 100), (3.0, 0, 1, 100)]), [3.0, 3.0]);
}

#[test]
fn a_rank_spends_the_largest_latency_before_what_it_does_not_wait_for() {
    let model = model(None, None);
    let startup = |spans, shares| model.operation_startup(HostId(0), spans, shares);
    assert_eq!(
        [startup(true, true), startup(false, true), startup(false, false)],
        [0.25, 0.125, 0.0]
    );
}

/// Hosts of a gathering: so many ranks on each.
fn hosts(ranks: &[usize]) -> Vec<HostId> {
    let on = |(host, ranks): (u32, &usize)| vec![HostId(host); *ranks];
    (0..).zip(ranks).flat_map(on).collect()
}

#[test]
fn collectives_take_a_fan_in_and_a_fan_out_between_and_within_nodes() {
    let check = |growth, buses, ranks: &[usize], expected: f64| {
        let mut model = model(buses, None);
        model.figures.collectives = Some(Box::new(DimemasCollectives::all(growth)));
        let hosts = hosts(ranks);
        let (sent, received) = (2_000_000, 4_000_000);
        let gathering =
            Gathering { operation: "allgather", root: HostId(0), hosts: &hosts, sent, received };
        assert_eq!(model.collective_time(&gathering), Some(expected), "{growth:?} {ranks:?}");
    };
    // A step between nodes takes 0.25 + 2 s in, 0.25 + 4 s out; within one 0.625 and 1.125 s.
    let (between, within) = (2.25 + 4.25, 0.625 + 1.125);
    check(DimemasGrowth::Absent, None, &[4; 4], 0.0);
    check(DimemasGrowth::Constant, None, &[4; 4], between + within);
    check(DimemasGrowth::Linear, None, &[4, 2, 1], 2.0 * between + 3.0 * within);
    check(DimemasGrowth::Logarithmic, None, &[4; 5], 3.0 * between + 2.0 * within);
    check(DimemasGrowth::Logarithmic, Some(1), &[4; 5], 4.0 * between + 2.0 * within);
    check(DimemasGrowth::Logarithmic, Some(1), &[1; 8], 7.0 * between);
}

#[test]
fn a_machine_of_one_node_has_no_network_to_cross() {
    let collectives = Some(Box::new(DimemasCollectives::all(DimemasGrowth::Constant)));
    let node = DimemasNode { local_latency: 0.5, ..DimemasNode::default() };
    let figures = Figures { nodes: vec![node], collectives, ..Figures::default() };
    let model = Dimemas::new(figures, 1);
    let hosts = [HostId(0); 3];
    let barrier =
        Gathering { operation: "barrier", root: HostId(0), hosts: &hosts, sent: 0, received: 0 };
    assert_eq!(model.collective_time(&barrier), Some(1.0));
    assert_eq!(model.collective_time(&Gathering { operation: "exscan", ..barrier }), None);
}
