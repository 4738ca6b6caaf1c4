//! Figures of Dimemas' network, for [`ModelKind::Dimemas`](crate::ModelKind).

mod collectives;

pub use collectives::{
    DimemasCollectives, DimemasGrowth, DimemasPhase, DimemasPhases, DimemasSize,
};

/// What messages cost in Dimemas' model.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimemas {
    /// Bytes per second of a message between nodes; infinite for none at all.
    pub bandwidth: f64,
    /// How many messages may move between nodes at a time; none for any number.
    pub buses: Option<u32>,
    /// Nodes by their hosts' numbers; the last is what all further ones are like.
    pub nodes: Vec<DimemasNode>,
    /// Where ranks run, if the machine says so.
    pub mapping: DimemasMapping,
    /// What collective operations cost; if nothing, what the messages cost that they are made of.
    pub collectives: Option<Box<DimemasCollectives>>,
}

/// One node of Dimemas' model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DimemasNode {
    /// Seconds of processor time that a message to another node takes its sender.
    pub latency: f64,
    /// How many messages may come in at a time; none for any number. If either this or the next is
    /// none, each link serves both ways.
    pub inputs: Option<u32>,
    /// How many may go out.
    pub outputs: Option<u32>,
    /// Seconds of processor time of a message within the node.
    pub local_latency: f64,
    /// Bytes per second of such a message.
    pub local_bandwidth: f64,
    /// How many of them may move at a time; none for any number.
    pub local_buses: Option<u32>,
    /// How many of them may come in to a rank at a time; none for any number.
    pub local_inputs: Option<u32>,
    /// How many may go out of a rank.
    pub local_outputs: Option<u32>,
}

/// Where ranks run, as a configuration of Dimemas has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DimemasMapping {
    /// Node by node, as many ranks as each has processors.
    #[default]
    Fill,
    /// So many ranks on each node.
    PerNode(u32),
    /// Rank after rank to node after node.
    Interleaved,
    /// The node of each rank.
    Listed(Vec<u32>),
}

impl Default for Dimemas {
    fn default() -> Self {
        let (nodes, mapping) = (vec![DimemasNode::default()], DimemasMapping::Fill);
        Self { bandwidth: 250e6, buses: None, nodes, mapping, collectives: None }
    }
}

impl Default for DimemasNode {
    fn default() -> Self {
        Self {
            latency: 8e-6,
            inputs: Some(1),
            outputs: Some(1),
            local_latency: 0.0,
            local_bandwidth: f64::INFINITY,
            local_buses: None,
            local_inputs: None,
            local_outputs: None,
        }
    }
}

impl Dimemas {
    /// The node of a host.
    pub fn node(&self, host: u32) -> DimemasNode {
        let own = self.nodes.get(host as usize).or(self.nodes.last());
        own.copied().unwrap_or_default()
    }
}
