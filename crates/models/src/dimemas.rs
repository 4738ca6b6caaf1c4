//! Dimemas: latency on the sender's processor, then a transfer at a fixed bandwidth that needs one
//! of a limited number of buses and of links of both nodes.
//!
//! Labarta et al. 1996, "DiP: A parallel program development environment"; Badia et al. 2003,
//! "Dimemas: Predicting MPI applications behavior in Grid environments". A message of `k` bytes
//! takes its sender the latency of its node. Then it waits until an output link of its node, an
//! input link of the other and a bus are free for as long as it needs them, and holds them for
//! `k / bandwidth`. Messages within a node have figures of their own and need a local bus alone.
//!
//! Resources are given in the order in which messages ask. One that asks later may go first, but
//! only if that delays none before it; Dimemas itself lets it go as soon as it can.

use foretell_kernel::{ActivityId, Then};
use foretell_platform::{Dimemas as Figures, NoRoute, Scope};

use crate::network::{Message, Setting, TransferModel};

/// Dimemas' network.
#[derive(Debug)]
pub struct Dimemas {
    figures: Figures,
    buses: Timeline,
    /// Links and local buses by host.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    inputs: Timeline,
    outputs: Timeline,
    local: Timeline,
}

impl Dimemas {
    /// The model with the given figures.
    pub fn new(figures: Figures) -> Self {
        let buses = Timeline::new(figures.buses);
        Self { figures, buses, nodes: Vec::new() }
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

    fn send_overhead(&self, message: Message) -> f64 {
        let node = self.figures.node(message.from.0);
        if message.from == message.to { node.local_latency } else { node.latency }
    }

    /// Only synchronous sends meet their receivers.
    fn rendezvous_limit(&self) -> Option<u64> {
        Some(u64::MAX)
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

/// When the units of a resource are taken.
#[derive(Debug, Clone, Default)]
struct Timeline {
    /// How many units there are; none for any number.
    units: Option<u32>,
    /// From when to when one of them is taken, by the begin.
    taken: Vec<(f64, f64)>,
}

impl Timeline {
    fn new(units: Option<u32>) -> Self {
        Self { units, taken: Vec::new() }
    }

    /// The first date from `start` on at which a unit is free for so long.
    fn earliest(&self, mut start: f64, time: f64) -> f64 {
        let Some(units) = self.units else { return start };
        loop {
            let end = start + time;
            let meets = |(from, to): &&(f64, f64)| *from < end && *to > start;
            let in_use = |date: f64| {
                let holds = |(from, to): &&(f64, f64)| *from <= date && *to > date;
                self.taken.iter().filter(holds).count() as u32
            };
            let met = || self.taken.iter().filter(meets);
            let is_full = in_use(start) >= units
                || met().any(|(from, _)| *from > start && in_use(*from) >= units);
            if !is_full || time <= 0.0 {
                return start;
            }
            // Nothing changes before the first of those ends.
            let next = met().map(|(_, to)| *to).fold(f64::INFINITY, f64::min);
            start = next;
        }
    }

    fn take(&mut self, now: f64, start: f64, end: f64) {
        self.taken.retain(|(_, to)| *to > now);
        if self.units.is_some() && end > start {
            let at = self.taken.partition_point(|(from, _)| *from <= start);
            self.taken.insert(at, (start, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use foretell_platform::{DimemasNode, HostId};

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
        Dimemas::new(Figures { bandwidth: 1e6, buses, nodes, ..Figures::default() })
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
        let mut model = Dimemas::new(Figures { bandwidth: f64::INFINITY, ..Figures::default() });
        assert_eq!(model.arrival(message(0, 1, 100), 3.0), 3.0);
        assert_eq!(model.arrival(message(0, 1, 100), 3.0), 3.0);
    }
}
