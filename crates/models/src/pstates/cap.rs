//! Caps on power: of a node, and of all nodes together.

use foretell_platform::{HostId, NodePower, Platform, PowerError};

use super::ControlError;

/// Rounding must not make a cap too low that is exactly what a node draws.
const SLACK: f64 = 1.0 + 1e-12;

/// Why a cap cannot be held.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CapError {
    /// Even an idle node draws more.
    #[error(
        "a cap of {cap} W cannot be held: host {host} draws {idle} W when idle, in its slowest \
         pstate; give at least that"
    )]
    Idle {
        /// The cap.
        cap: f64,
        /// The host.
        host: String,
        /// What it draws.
        idle: f64,
    },
    /// Even all nodes idle draw more.
    #[error(
        "a cap of {cap} W cannot be held: the {nodes} nodes that ranks run on draw {idle} W when \
         idle, in their slowest pstates; give at least that, or use fewer nodes"
    )]
    AllIdle {
        /// The cap.
        cap: f64,
        /// How many nodes.
        nodes: usize,
        /// What they draw.
        idle: f64,
    },
    /// Nobody knows what a node draws.
    #[error(
        "a cap on power needs the power of host {0}, of which the platform says nothing; give its \
         nodes `[nodes.power]`, or the property `wattage_per_state`"
    )]
    Unknown(String),
}

/// The cap of one node.
#[derive(Debug)]
pub(super) struct NodeCap {
    host: HostId,
    watts: f64,
    /// What the node draws in each pstate.
    powers: Vec<NodePower>,
}

impl NodeCap {
    /// The cap that is asked for, or that of the host; none if there is neither.
    pub(super) fn of(
        platform: &Platform,
        host: HostId,
        workload: Option<&str>,
        asked: Option<f64>,
    ) -> Result<Option<Self>, ControlError> {
        let Some(watts) =
            asked.map_or_else(|| platform.power_cap(host), |watts| Ok(Some(watts)))?
        else {
            return Ok(None);
        };
        let powers = powers(platform, host, workload)?;
        let idle = powers.iter().map(|power| power.idle).fold(f64::INFINITY, f64::min);
        if idle > watts * SLACK {
            let host = platform.host_name(host);
            return Err(CapError::Idle { cap: watts, host, idle }.into());
        }
        Ok(Some(Self { host, watts, powers }))
    }

    /// The fastest pstate from `wanted` on in which a load stays under the cap; else the slowest.
    pub(super) fn fastest(&self, wanted: usize, computing: u32, polling: u32) -> usize {
        let last = self.powers.len() - 1;
        (wanted..=last)
            .find(|pstate| !self.is_exceeded(*pstate, computing, polling))
            .unwrap_or(last)
    }

    pub(super) fn is_exceeded(&self, pstate: usize, computing: u32, polling: u32) -> bool {
        self.powers[pstate].drawn(computing, polling) > self.watts * SLACK
    }

    /// What to say if a busy node cannot hold it.
    pub(super) fn warning(&self, platform: &Platform) -> Option<String> {
        let last = self.powers.last()?;
        let busy = last.drawn(last.cores, 0);
        (busy > self.watts * SLACK).then(|| {
            format!(
                "a cap of {} W does not hold under full load: host {} then draws {busy} W in its \
                 slowest pstate",
                self.watts,
                platform.host_name(self.host)
            )
        })
    }
}

/// A cap on all nodes that ranks run on: none of them is faster than a common pstate.
#[derive(Debug)]
pub(super) struct ClusterCap {
    watts: f64,
    nodes: Vec<Vec<NodePower>>,
    /// What all draw together if none is faster than each pstate.
    totals: Vec<f64>,
    fastest: usize,
}

impl ClusterCap {
    pub(super) fn new(
        platform: &Platform,
        loads: impl Iterator<Item = (HostId, u32, u32)>,
        workload: Option<&str>,
        watts: f64,
    ) -> Result<Self, ControlError> {
        let (mut nodes, mut idle) = (Vec::new(), 0.0);
        let mut started = Vec::new();
        for (host, computing, polling) in loads {
            let powers = powers(platform, host, workload)?;
            idle += powers.iter().map(|power| power.idle).fold(f64::INFINITY, f64::min);
            nodes.push(powers);
            started.push((computing, polling));
        }
        if idle > watts * SLACK {
            return Err(CapError::AllIdle { cap: watts, nodes: nodes.len(), idle }.into());
        }
        let count = nodes.iter().map(Vec::len).max().unwrap_or(1);
        let mut cap = Self { watts, nodes, totals: vec![0.0; count], fastest: 0 };
        for (node, load) in started.into_iter().enumerate() {
            cap.add(node, load, 1.0);
        }
        cap.choose();
        Ok(cap)
    }

    /// The pstate that no node may be faster than.
    pub(super) fn fastest(&self) -> usize {
        self.fastest
    }

    /// A node has another load; tells whether the common pstate is another one now.
    pub(super) fn change(&mut self, node: usize, before: (u32, u32), after: (u32, u32)) -> bool {
        self.add(node, before, -1.0);
        self.add(node, after, 1.0);
        self.choose()
    }

    fn add(&mut self, node: usize, (computing, polling): (u32, u32), sign: f64) {
        let powers = &self.nodes[node];
        for (pstate, total) in self.totals.iter_mut().enumerate() {
            let power = &powers[pstate.min(powers.len() - 1)];
            *total += sign * power.drawn(computing, polling);
        }
    }

    fn choose(&mut self) -> bool {
        let last = self.totals.len() - 1;
        // Sums of many changes are a little off.
        let most = self.watts * (1.0 + 1e-9);
        let fastest = self.totals.iter().position(|total| *total <= most).unwrap_or(last);
        std::mem::replace(&mut self.fastest, fastest) != fastest
    }

    /// What to say if busy nodes cannot hold it.
    pub(super) fn warning(&self) -> Option<String> {
        let busy = |powers: &Vec<NodePower>| powers.last().map_or(0.0, |it| it.drawn(it.cores, 0));
        let busy: f64 = self.nodes.iter().map(busy).sum();
        (busy > self.watts * SLACK).then(|| {
            format!(
                "a cap of {} W on all nodes does not hold under full load: they then draw {busy} W \
                 in their slowest pstates",
                self.watts
            )
        })
    }
}

fn powers(
    platform: &Platform,
    host: HostId,
    workload: Option<&str>,
) -> Result<Vec<NodePower>, ControlError> {
    let power = |pstate| platform.node_power_in(host, workload, pstate);
    let found: Result<Option<Vec<_>>, PowerError> =
        (0..platform.host(host).speeds.len()).map(power).collect();
    found?.ok_or_else(|| CapError::Unknown(platform.host_name(host)).into())
}
