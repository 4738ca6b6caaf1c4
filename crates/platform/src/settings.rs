//! What the network of a platform costs: the model, its tables, and the constants around them.

use std::ops::Range;

use crate::dimemas::Dimemas;
use crate::machine::{HostId, Link, Policy};
use crate::tables::{MessageTables, Overheads};

/// The network settings of a platform. The default is the SMPI-compatible preset.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkSettings {
    /// Which model turns a message into time.
    pub model: ModelKind,
    /// Size-dependent figures of every message that `scoped` does not cover.
    pub tables: MessageTables,
    /// Other figures inside a node, inside a group, between groups; indexed by [`Scope`].
    pub scoped: [Option<Box<MessageTables>>; 3],
    /// Overheads of single hosts, by disjoint ranges of host ids in increasing order.
    pub per_host: Vec<HostOverheads>,
    /// What a bandwidth factor means where messages share links.
    pub factor_role: FactorRole,
    /// Weight of `1 / bandwidth` in a flow's share of its links.
    pub weight_s: f64,
    /// Largest TCP window in bytes, bounding a flow by `gamma / (2 latency)`; 0 for no bound.
    pub tcp_gamma: f64,
    /// Share of a flow's rate that its acknowledgements take on the way back; 0 for none.
    pub cross_traffic: f64,
    /// Bytes added to every payload on the wire.
    pub envelope: u64,
    /// The link of messages a host sends to itself when its zone has none of its own.
    pub loopback: Link,
    /// Seconds of one `MPI_Iprobe`.
    pub iprobe: f64,
    /// Seconds of one `MPI_Test`.
    pub test: f64,
    /// Seconds of one `MPI_Wtime`.
    pub wtime: f64,
    /// Seconds of `MPI_Init`.
    pub init: f64,
    /// Whether repeated failing polls lengthen their step.
    pub grow_polls: bool,
    /// Dates closer than this many seconds count as one.
    pub timing_precision: f64,
    /// Parameters of [`ModelKind::LogGps`].
    pub loggps: LogGps,
    /// Seconds of any message under [`ModelKind::Constant`].
    pub constant_latency: f64,
    /// Figures of [`ModelKind::Dimemas`].
    pub dimemas: Box<Dimemas>,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            model: ModelKind::Hybrid,
            tables: MessageTables::default(),
            scoped: [None, None, None],
            per_host: Vec::new(),
            factor_role: FactorRole::Efficiency,
            weight_s: 8775.0,
            tcp_gamma: 4_194_304.0,
            cross_traffic: 0.05,
            envelope: 16,
            loopback: Link { bandwidth: 1e10, latency: 0.0, policy: Policy::FatPipe },
            iprobe: 1e-4,
            test: 1e-4,
            wtime: 1e-8,
            init: 0.0,
            grow_polls: true,
            timing_precision: 1e-9,
            loggps: LogGps::default(),
            constant_latency: 1e-4,
            dimemas: Box::default(),
        }
    }
}

impl NetworkSettings {
    /// The tables that apply to messages of this scope.
    pub fn tables_of(&self, scope: Scope) -> &MessageTables {
        self.scoped[scope as usize].as_deref().unwrap_or(&self.tables)
    }

    /// The overheads set for this host alone, if any.
    pub fn overheads_of(&self, host: HostId) -> Option<&HostOverheads> {
        let after = self.per_host.partition_point(|o| o.hosts.start <= host.0);
        self.per_host[..after].last().filter(|o| o.hosts.contains(&host.0))
    }

    /// Seconds a blocking send of `bytes` costs its sender.
    pub fn send_overhead(&self, scope: Scope, host: HostId, bytes: u64) -> f64 {
        let own = self.overheads_of(host).and_then(|o| o.send.as_ref());
        own.unwrap_or(&self.tables_of(scope).send).at(bytes)
    }

    /// Seconds a non-blocking send of `bytes` costs its sender.
    pub fn isend_overhead(&self, scope: Scope, host: HostId, bytes: u64) -> f64 {
        let own = self.overheads_of(host).and_then(|o| o.isend.as_ref());
        own.unwrap_or(&self.tables_of(scope).isend).at(bytes)
    }

    /// Seconds a message of `bytes` costs its receiver once it is there.
    pub fn receive_overhead(&self, scope: Scope, host: HostId, bytes: u64) -> f64 {
        let own = self.overheads_of(host).and_then(|o| o.receive.as_ref());
        own.unwrap_or(&self.tables_of(scope).receive).at(bytes)
    }
}

/// The models a platform can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelKind {
    /// Flows that share links, with the protocol costs of the tables.
    #[default]
    Hybrid,
    /// Delays only, no sharing.
    LogGps,
    /// Every message takes the same time.
    Constant,
    /// Buses and links that a message holds, as Dimemas has them.
    Dimemas,
}

/// What a bandwidth factor means where messages share links. Alone on its way, a message takes the
/// same time either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FactorRole {
    /// A message makes less of its share: full links carry that much less. SimGrid's from 3.28 on.
    #[default]
    Efficiency,
    /// A message goes no faster by itself, whatever it could get: full links carry all they can.
    /// SimGrid's up to 3.27.
    Limit,
}

/// How far a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Between two processes of one node.
    Node = 0,
    /// Between two nodes of one group.
    Group = 1,
    /// Between two groups.
    Between = 2,
}

/// Overheads of a contiguous range of hosts; what is `None` follows the platform's tables.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostOverheads {
    /// Host ids this applies to.
    pub hosts: Range<u32>,
    /// Replaces [`MessageTables::send`].
    pub send: Option<Overheads>,
    /// Replaces [`MessageTables::isend`].
    pub isend: Option<Overheads>,
    /// Replaces [`MessageTables::receive`].
    pub receive: Option<Overheads>,
}

/// The LogGPS parameters, in seconds and bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogGps {
    /// L: time of flight.
    pub latency: f64,
    /// o: processor time of a send or a receive.
    pub overhead: f64,
    /// g: least time between two messages of one node.
    pub gap: f64,
    /// G: seconds per byte.
    pub gap_per_byte: f64,
    /// O: processor seconds per byte.
    pub overhead_per_byte: f64,
    /// S: from this many bytes on, sender and receiver wait for each other.
    pub rendezvous: u64,
}

impl Default for LogGps {
    fn default() -> Self {
        Self {
            latency: 2.5e-6,
            overhead: 1.5e-6,
            gap: 1e-6,
            gap_per_byte: 6e-9,
            overhead_per_byte: 0.0,
            rendezvous: 65535,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_without_tables_of_its_own_uses_the_common_ones() {
        let mut settings = NetworkSettings::default();
        let node = MessageTables { rendezvous_limit: 1, ..MessageTables::default() };
        settings.scoped[Scope::Node as usize] = Some(Box::new(node));
        assert_eq!(settings.tables_of(Scope::Node).rendezvous_limit, 1);
        assert_eq!(settings.tables_of(Scope::Group).rendezvous_limit, 65536);
    }

    #[test]
    fn overheads_of_one_host_leave_the_others_alone() {
        let mut settings = NetworkSettings::default();
        settings.tables.send = Overheads(vec![(0, 1.0, 0.0)]);
        settings.per_host = vec![HostOverheads {
            hosts: 2..4,
            send: Some(Overheads(vec![(0, 5.0, 0.0)])),
            ..HostOverheads::default()
        }];
        let send = |host| settings.send_overhead(Scope::Group, HostId(host), 8);
        assert_eq!([send(1), send(2), send(3), send(4)], [1.0, 5.0, 5.0, 1.0]);
        assert_eq!(settings.receive_overhead(Scope::Group, HostId(2), 8), 0.0);
    }
}
