//! Dimemas: latency on the sender's processor, then a transfer at a fixed bandwidth that needs one
//! of a limited number of buses and of links of both nodes.
//!
//! Labarta et al. 1996, "DiP: A parallel program development environment"; Badia et al. 2003,
//! "Dimemas: Predicting MPI applications behavior in Grid environments". A message of `k` bytes
//! takes its sender the latency of its node. Then it waits until an output link of its node, an
//! input link of the other and a bus are free for as long as it needs them, and holds them for
//! `k / bandwidth`. Messages within a node have figures of their own, links of their ranks
//! and local buses.
//!
//! Where the figures have formulas for collective operations, these take a fan-in and a fan-out among
//! the nodes, and both within the node that takes longest.
//!
//! What a message has it keeps while it waits for the rest (`dimemas/traffic.rs`). Where one of the
//! numbers of links of a node is told and the other is not, each link serves both ways. Links within
//! a node belong to ranks.
//!
//! A receive, or the wait for one, costs its rank the latency of the sender's node, whether or not
//! the message is there. A synchronous sender goes on as soon as the receive is there.

mod port;
mod traffic;

use foretell_kernel::{Kernel, Then};
use foretell_platform::{Dimemas as Figures, DimemasNode, DimemasPhases, HostId, NoRoute, Scope};

use crate::network::{Gathering, Message, Setting, TransferModel};

use traffic::{FREE, Traffic, Transfer};

/// Latencies below this are none, as in Dimemas.
const SHORTEST: f64 = 1e-9;

/// Dimemas' network.
#[derive(Debug)]
pub struct Dimemas {
    figures: Figures,
    traffic: Traffic,
    /// The buses between nodes.
    buses: u32,
    /// Ports and buses by host, as far as one was asked for.
    nodes: Vec<Node>,
    /// Ports by rank, for messages within a node.
    ranks: Vec<u32>,
    has_several_nodes: bool,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    port: u32,
    local_buses: u32,
}

/// A rank whose port nobody has asked for.
const UNKNOWN: u32 = FREE - 1;

impl Dimemas {
    /// The model with the given figures, for a machine with so many nodes.
    pub fn new(figures: Figures, nodes: usize) -> Self {
        let mut traffic = Traffic::default();
        let buses = traffic.add_buses(figures.buses);
        let (nodes, has_several_nodes) = (Vec::new(), nodes > 1);
        Self { figures, traffic, buses, nodes, ranks: Vec::new(), has_several_nodes }
    }

    fn node(&mut self, host: u32) -> Node {
        for next in self.nodes.len() as u32..=host {
            let DimemasNode { inputs, outputs, local_buses, .. } = self.figures.node(next);
            let port = self.traffic.add_port(inputs, outputs);
            self.nodes.push(Node { port, local_buses: self.traffic.add_buses(local_buses) });
        }
        self.nodes[host as usize]
    }

    /// The links of a rank to others of its node.
    fn local_port(&mut self, rank: u32, host: u32) -> u32 {
        let at = rank as usize;
        if self.ranks.len() <= at {
            self.ranks.resize(at + 1, UNKNOWN);
        }
        if self.ranks[at] == UNKNOWN {
            let DimemasNode { local_inputs, local_outputs, .. } = self.figures.node(host);
            self.ranks[at] = self.traffic.add_port(local_inputs, local_outputs);
        }
        self.ranks[at]
    }

    /// A message that is ready to go, and what it needs on its way.
    fn transfer(&mut self, message: Message, ranks: [u32; 2], number: u32) -> Transfer {
        let (from, to) = (message.from.0, message.to.0);
        let bytes = message.bytes as f64;
        if from != to {
            let ports = [self.node(from).port, self.node(to).port];
            let seconds = bytes / self.figures.bandwidth;
            return Transfer { ports, bus: self.buses, ..Transfer::new(number, seconds) };
        }
        let DimemasNode { local_inputs, local_outputs, local_bandwidth, .. } =
            self.figures.node(from);
        let bus = self.node(from).local_buses;
        let mut ports = [FREE; 2];
        // What a rank sends to itself needs no link.
        if ranks[0] != ranks[1] {
            ports = ranks.map(|rank| self.local_port(rank, from));
        }
        let serve_both_ways = local_inputs.is_none() || local_outputs.is_none();
        let begins_with_in = serve_both_ways && ranks[0] > ranks[1];
        let may_rob = false;
        let seconds = bytes / local_bandwidth;
        Transfer { ports, bus, may_rob, begins_with_in, ..Transfer::new(number, seconds) }
    }

    /// Whether anything is there only so many times.
    fn has_limits(&self) -> bool {
        let Figures { buses, nodes, .. } = &self.figures;
        let is_limited = |node: &DimemasNode| {
            let DimemasNode { inputs, outputs, local_buses, local_inputs, local_outputs, .. } =
                node;
            [inputs, outputs, local_buses, local_inputs, local_outputs]
                .into_iter()
                .any(Option::is_some)
        };
        buses.is_some() || nodes.is_empty() || nodes.iter().any(is_limited)
    }
}

impl TransferModel for Dimemas {
    fn start(
        &mut self,
        message: Message,
        _: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<(), NoRoute> {
        let Then::Notify(number) = then else {
            unreachable!("who waits for a message is told by its number")
        };
        let transfer = self.transfer(message, setting.ranks, number);
        self.traffic.send(transfer, setting.kernel);
        Ok(())
    }

    fn ended(&mut self, number: u32, kernel: &mut Kernel) {
        self.traffic.ended(number, kernel);
    }

    fn hears_of_ends(&self) -> bool {
        self.has_limits()
    }

    fn operate(&mut self, seconds: f64, numbers: Vec<u32>, kernel: &mut Kernel) {
        self.traffic.operate(self.buses, seconds, numbers, kernel);
    }

    fn collective_time(&self, operation: &Gathering<'_>) -> Option<f64> {
        let phases = self.figures.collectives.as_ref()?.of(operation.operation)?;
        let part = Part { phases, sent: operation.sent, received: operation.received };
        let nodes = || operation.hosts.chunk_by(|one, next| one == next);
        let within = nodes().map(|ranks| {
            let node = self.figures.node(ranks[0].0);
            part.times(ranks.len() as u32, None, node.local_latency, node.local_bandwidth)
        });
        // The node is sought by its time and its latencies together, and counts with its time.
        let longest = within.fold((0.0, 0.0), |longest: (f64, f64), (time, latency)| {
            if time + latency > longest.0 + longest.1 { (time, latency) } else { longest }
        });
        let between = match self.has_several_nodes {
            true => {
                let (count, latency) =
                    (nodes().count() as u32, self.figures.node(operation.root.0).latency);
                part.times(count, self.figures.buses, latency, self.figures.bandwidth).0
            }
            false => 0.0,
        };
        Some(between + longest.0)
    }

    fn send_overhead(&self, message: Message) -> f64 {
        let node = self.figures.node(message.from.0);
        paid(if message.from == message.to { node.local_latency } else { node.latency })
    }

    fn lets_ranks_take_turns(&self) -> bool {
        true
    }

    fn has_receive_startups(&self) -> bool {
        let any = |node: &DimemasNode| paid(node.latency.max(node.local_latency)) > 0.0;
        self.figures.nodes.iter().any(any)
    }

    /// The same latency as the sender's.
    fn receive_startup(&self, message: Message) -> f64 {
        self.send_overhead(message)
    }

    fn releases_senders_when_matched(&self) -> bool {
        true
    }

    /// The largest latency of what the ranks have between them.
    fn operation_startup(&self, host: HostId, spans_nodes: bool, shares_nodes: bool) -> f64 {
        let node = self.figures.node(host.0);
        let between = if spans_nodes { node.latency } else { 0.0 };
        let within = if shares_nodes { node.local_latency } else { 0.0 };
        paid(between.max(within))
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
    /// Its time among so many, with so many buses, and what of it is latency.
    fn times(self, partners: u32, buses: Option<u32>, latency: f64, bandwidth: f64) -> (f64, f64) {
        let Self { phases: DimemasPhases { fan_in, fan_out }, sent, received } = self;
        let both = [(fan_in, sent), (fan_out, received)];
        let times = both.map(|(phase, own)| {
            let bytes = phase.size.bytes(own, sent, received) as f64;
            let steps = phase.growth.steps(partners, buses) as f64;
            (steps * (latency + bytes / bandwidth), steps * latency)
        });
        (times[0].0 + times[1].0, times[0].1 + times[1].1)
    }
}

/// What a latency costs a processor.
fn paid(latency: f64) -> f64 {
    if latency < SHORTEST { 0.0 } else { latency }
}

#[cfg(test)]
mod tests;
