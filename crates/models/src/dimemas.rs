//! Dimemas: latency on the sender's processor, then a transfer at a fixed bandwidth that needs one
//! of a limited number of buses and of links of both nodes.
//!
//! Labarta et al. 1996, "DiP: A parallel program development environment"; Badia et al. 2003,
//! "Dimemas: Predicting MPI applications behavior in Grid environments". A message of `k` bytes
//! takes its sender the latency of its node. Then it waits until an output link of its node, an
//! input link of the other and a bus are free for as long as it needs them, and holds them for
//! `k / bandwidth`. Messages within a node have figures of their own and need a local bus alone.
//!
//! Where the figures have formulas for collective operations, these take a fan-in and a fan-out among
//! the nodes, and both within the node that takes longest.
//!
//! Resources are given in the order in which messages ask. One that asks later may go first, but
//! only if that delays none before it; Dimemas itself lets it go as soon as it can.

mod timeline;

use foretell_kernel::{ActivityId, Then};
use foretell_platform::{Dimemas as Figures, DimemasPhases, NoRoute, Scope};

use crate::network::{Gathering, Message, Setting, TransferModel};

use timeline::Timeline;

/// Dimemas' network.
#[derive(Debug)]
pub struct Dimemas {
    figures: Figures,
    buses: Timeline,
    /// Links and local buses by host.
    nodes: Vec<Node>,
    has_several_nodes: bool,
}

#[derive(Debug, Clone, Default)]
struct Node {
    inputs: Timeline,
    outputs: Timeline,
    local: Timeline,
}

impl Dimemas {
    /// The model with the given figures, for a machine with so many nodes.
    pub fn new(figures: Figures, nodes: usize) -> Self {
        let buses = Timeline::new(figures.buses);
        Self { figures, buses, nodes: Vec::new(), has_several_nodes: nodes > 1 }
    }

    fn make_room(&mut self, host: u32) {
        for next in self.nodes.len() as u32..=host {
            let figures = self.figures.node(next);
            self.nodes.push(Node {
                inputs: Timeline::new(figures.inputs),
                outputs: Timeline::new(figures.outputs),
                local: Timeline::new(figures.local_buses),
            });
        }
    }

    /// When a message that is ready now has arrived.
    fn arrival(&mut self, message: Message, now: f64) -> f64 {
        let (from, to) = (message.from.0, message.to.0);
        self.make_room(from.max(to));
        let bytes = message.bytes as f64;
        if from == to {
            let time = bytes / self.figures.node(from).local_bandwidth;
            return reserve(&mut [&mut self.nodes[from as usize].local], now, time);
        }
        let time = bytes / self.figures.bandwidth;
        let Ok([out, into]) = self.nodes.get_disjoint_mut([from as usize, to as usize]) else {
            unreachable!("the nodes differ, and there is room for both")
        };
        reserve(&mut [&mut out.outputs, &mut into.inputs, &mut self.buses], now, time)
    }
}

impl TransferModel for Dimemas {
    fn start(
        &mut self,
        message: Message,
        _: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<ActivityId, NoRoute> {
        let now = setting.kernel.now();
        let arrival = self.arrival(message, now);
        Ok(setting.kernel.wait(arrival - now, then))
    }

    fn collective_time(&self, operation: &Gathering<'_>) -> Option<f64> {
        let phases = self.figures.collectives.as_ref()?.of(operation.operation)?;
        let part = Part { phases, sent: operation.sent, received: operation.received };
        let nodes = || operation.hosts.chunk_by(|one, next| one == next);
        let within = nodes().map(|ranks| {
            let node = self.figures.node(ranks[0].0);
            part.time(ranks.len() as u32, None, node.local_latency, node.local_bandwidth)
        });
        let between = match self.has_several_nodes {
            true => {
                let (count, latency) =
                    (nodes().count() as u32, self.figures.node(operation.root.0).latency);
                part.time(count, self.figures.buses, latency, self.figures.bandwidth)
            }
            false => 0.0,
        };
        Some(between + within.fold(0.0, f64::max))
    }

    fn send_overhead(&self, message: Message) -> f64 {
        let node = self.figures.node(message.from.0);
        if message.from == message.to { node.local_latency } else { node.latency }
    }

    /// Only synchronous sends meet their receivers.
    fn rendezvous_limit(&self) -> Option<u64> {
        Some(u64::MAX)
    }
}

/// What a collective operation does in some place.
#[derive(Debug, Clone, Copy)]
struct Part {
    phases: DimemasPhases,
    sent: u64,
    received: u64,
}

impl Part {
    /// Its time among so many, with so many buses.
    fn time(self, partners: u32, buses: Option<u32>, latency: f64, bandwidth: f64) -> f64 {
        let Self { phases: DimemasPhases { fan_in, fan_out }, sent, received } = self;
        let both = [(fan_in, sent), (fan_out, received)];
        let times = both.map(|(phase, own)| {
            let bytes = phase.size.bytes(own, sent, received) as f64;
            phase.growth.steps(partners, buses) as f64 * (latency + bytes / bandwidth)
        });
        times[0] + times[1]
    }
}

/// Takes all resources for so long, as early as they are free together; gives the end.
fn reserve(resources: &mut [&mut Timeline], now: f64, time: f64) -> f64 {
    let mut start = now;
    loop {
        let latest = resources.iter().map(|one| one.earliest(start, time)).fold(start, f64::max);
        if latest <= start {
            break;
        }
        start = latest;
    }
    for one in resources {
        one.take(now, start, start + time);
    }
    start + time
}

#[cfg(test)]
mod tests {
    use foretell_platform::{DimemasCollectives, DimemasGrowth, DimemasNode, HostId};

    use super::*;

    /// A megabyte per second, so that a message of so many megabytes takes as many seconds.
    fn model(buses: Option<u32>, links: Option<u32>) -> Dimemas {
        let node = DimemasNode {
            latency: 0.25,
            inputs: links,
            outputs: links,
            local_latency: 0.125,
            local_bandwidth: 4e6,
            local_buses: Some(1),
        };
        let nodes = vec![node];
        Dimemas::new(Figures { bandwidth: 1e6, buses, nodes, ..Figures::default() }, 16)
    }

    fn message(from: u32, to: u32, megabytes: u64) -> Message {
        Message { from: HostId(from), to: HostId(to), bytes: megabytes * 1_000_000 }
    }

    #[test]
    fn one_message_takes_its_latency_and_its_bytes() {
        let mut model = model(None, None);
        assert_eq!(model.send_overhead(message(0, 1, 2)), 0.25);
        assert_eq!(model.arrival(message(0, 1, 2), 10.0), 12.0);
    }

    #[test]
    fn two_messages_share_one_bus_in_turn_and_two_buses_not_at_all() {
        let mut one = model(Some(1), None);
        assert_eq!(one.arrival(message(0, 1, 2), 0.0), 2.0);
        assert_eq!(one.arrival(message(2, 3, 1), 0.5), 3.0);
        let mut two = model(Some(2), None);
        two.arrival(message(0, 1, 2), 0.0);
        assert_eq!(two.arrival(message(2, 3, 1), 0.5), 1.5);
        assert_eq!(two.arrival(message(4, 5, 1), 0.5), 2.5);
    }

    #[test]
    fn links_of_a_node_are_held_by_one_message_at_a_time() {
        // Two into one node, two out of one node, and one that meets neither.
        let mut model = model(None, Some(1));
        assert_eq!(model.arrival(message(0, 9, 2), 0.0), 2.0);
        assert_eq!(model.arrival(message(1, 9, 2), 0.0), 4.0);
        assert_eq!(model.arrival(message(0, 5, 1), 0.0), 3.0);
        assert_eq!(model.arrival(message(9, 4, 3), 0.0), 3.0);
    }

    #[test]
    fn messages_within_a_node_have_figures_of_their_own() {
        let mut model = model(Some(1), Some(1));
        model.arrival(message(0, 1, 100), 0.0);
        assert_eq!(model.send_overhead(message(0, 0, 1)), 0.125);
        assert_eq!(model.arrival(message(0, 0, 4), 0.0), 1.0);
        assert_eq!(model.arrival(message(0, 0, 4), 0.0), 2.0);
        assert_eq!(model.arrival(message(3, 3, 4), 0.0), 1.0);
    }

    #[test]
    fn a_later_message_goes_first_if_it_delays_nobody() {
        let mut model = model(Some(1), Some(1));
        assert_eq!(model.arrival(message(0, 1, 4), 0.0), 4.0);
        // Waits for the bus until 4, and holds it until 6.
        assert_eq!(model.arrival(message(2, 3, 2), 0.0), 6.0);
        assert_eq!(model.arrival(message(4, 5, 1), 1.0), 7.0);
    }

    #[test]
    fn infinite_bandwidth_takes_no_time() {
        let mut model = Dimemas::new(Figures { bandwidth: f64::INFINITY, ..Figures::default() }, 2);
        assert_eq!(model.arrival(message(0, 1, 100), 3.0), 3.0);
        assert_eq!(model.arrival(message(0, 1, 100), 3.0), 3.0);
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
            let gathering = Gathering {
                operation: "allgather",
                root: HostId(0),
                hosts: &hosts,
                sent,
                received,
            };
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
        let barrier = Gathering {
            operation: "barrier",
            root: HostId(0),
            hosts: &hosts,
            sent: 0,
            received: 0,
        };
        assert_eq!(model.collective_time(&barrier), Some(1.0));
        assert_eq!(model.collective_time(&Gathering { operation: "exscan", ..barrier }), None);
    }
}
