//! Who chooses the pstates of nodes while a program runs: governors, and caps on power.
//!
//! A governor *wants* a pstate: from time to time by the load of the node, or as soon as its ranks
//! begin or end to compute. So does a program that sets one. A cap lets the node be no faster than
//! its power allows under its present load, and is looked at again whenever that changes. What comes
//! of both is in force at once, unless the governor has a latency.
//!
//! Looks at the load are timers in the background: they keep no simulation going.

mod cap;

use foretell_kernel::{ActivityId, Kernel, Then};
use foretell_platform::{
    Governor, GovernorChoice, GovernorError, HostId, Platform, PowerError, Rule,
};

use crate::load::{Change, RankLoad};

pub use cap::CapError;
use cap::{ClusterCap, NodeCap};

/// What is asked of the pstates of a machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PstateControl {
    /// Whose governors count.
    pub governors: GovernorChoice,
    /// The most watts of each node, in place of what nodes say.
    pub node_cap: Option<f64>,
    /// The most watts of all nodes that ranks run on.
    pub cluster_cap: Option<f64>,
    /// The class of work whose power counts.
    pub workload: Option<String>,
}

/// Why pstates cannot be chosen as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// A governor makes no sense.
    #[error(transparent)]
    Governor(#[from] GovernorError),
    /// The power of a node cannot be told.
    #[error(transparent)]
    Power(#[from] PowerError),
    /// A cap cannot be held.
    #[error(transparent)]
    Cap(#[from] CapError),
}

/// Who chooses the pstates of the nodes that ranks run on.
#[derive(Debug)]
pub struct Pstates {
    nodes: Vec<Node>,
    ranks: Vec<Rank>,
    cluster: Option<ClusterCap>,
    /// What has changed since this was last asked.
    changed: Vec<(HostId, usize)>,
    changes: u64,
    warnings: Vec<String>,
    /// Numbers that the kernel notifies begin here.
    base: u32,
}

/// What was chosen during a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PstateReport {
    /// How often a node came into another pstate.
    pub changes: u64,
    /// Seconds of all nodes with ranks in each pstate.
    pub seconds: Vec<f64>,
    /// Seconds in which a node drew more than its cap, in the slowest pstate.
    pub over_cap: f64,
}

#[derive(Debug)]
struct Node {
    host: HostId,
    speeds: Vec<f64>,
    governor: Option<Governor>,
    waiting_is_busy: bool,
    cap: Option<NodeCap>,
    /// Its ranks.
    ranks: Vec<u32>,
    computing: u32,
    polling: u32,
    /// What the program or the governor wants, and what is in force.
    wanted: usize,
    pstate: usize,
    /// A decision that is to take effect later, and its timer.
    pending: Option<(usize, ActivityId)>,
    since: f64,
    seconds: Vec<f64>,
    over_cap: f64,
}

#[derive(Debug, Clone, Default)]
struct Rank {
    node: usize,
    load: RankLoad,
    is_busy: bool,
    since: f64,
    busy: f64,
}

/// The timers of a node: looks at its load, and decisions that take effect.
const LOOK: u32 = 0;
const EFFECT: u32 = 1;
const KINDS: u32 = 2;

impl Pstates {
    /// Who chooses for ranks on these hosts; none if nobody does.
    ///
    /// # Errors
    ///
    /// Fails if a governor does not fit its node, or a cap cannot be held even when idle.
    pub fn new(
        platform: &Platform,
        hosts: &[HostId],
        control: &PstateControl,
    ) -> Result<Option<Self>, ControlError> {
        let mut this = Self {
            nodes: Vec::new(),
            ranks: Vec::new(),
            cluster: None,
            changed: Vec::new(),
            changes: 0,
            warnings: Vec::new(),
            base: 0,
        };
        let mut places = vec![None; platform.host_count()];
        for (rank, host) in (0..).zip(hosts) {
            let place = &mut places[host.0 as usize];
            let node = match *place {
                Some(node) => node,
                None => {
                    this.nodes.push(Node::new(platform, *host, control)?);
                    *place.insert(this.nodes.len() - 1)
                }
            };
            this.nodes[node].ranks.push(rank);
            this.nodes[node].polling += 1;
            this.ranks.push(Rank { node, ..Rank::default() });
        }
        if let Some(watts) = control.cluster_cap {
            let loads = this.nodes.iter().map(|node| (node.host, node.computing, node.polling));
            let workload = control.workload.as_deref();
            this.cluster = Some(ClusterCap::new(platform, loads, workload, watts)?);
        }
        let is_controlled = |node: &Node| node.governor.is_some() || node.cap.is_some();
        if this.cluster.is_none() && !this.nodes.iter().any(is_controlled) {
            return Ok(None);
        }
        this.warnings
            .extend(this.nodes.iter().find_map(|node| node.cap.as_ref()?.warning(platform)));
        this.warnings.extend(this.cluster.as_ref().and_then(ClusterCap::warning));
        for rank in &mut this.ranks {
            rank.is_busy = this.nodes[rank.node].waiting_is_busy;
        }
        Ok(Some(this))
    }

    /// What the user should know beforehand.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Lets governors begin: those that wait for nothing choose, the others set their timers. The
    /// kernel will notify numbers from `base` on.
    pub fn begin(&mut self, kernel: &mut Kernel, base: u32) {
        self.base = base;
        for index in 0..self.nodes.len() {
            let node = &mut self.nodes[index];
            match node.governor.map(|governor| (governor, governor.rule)) {
                Some((governor, Rule::Performance)) => node.wanted = governor.fastest,
                Some((governor, Rule::Powersave)) => node.wanted = governor.slowest(),
                Some((_, Rule::CommunicationPhase { .. })) => self.follow_phase(index, kernel),
                Some((governor, _)) => self.schedule_look(index, governor.period, kernel),
                None => {}
            }
            self.settle(index, kernel.now());
        }
    }

    /// Takes note of what a rank begins or ends.
    pub fn note(&mut self, rank: u32, change: Change, kernel: &mut Kernel) {
        let (now, index) = (kernel.now(), self.ranks[rank as usize].node);
        let rank = &mut self.ranks[rank as usize];
        let node = &mut self.nodes[index];
        node.reach(now);
        rank.reach(now);
        let (computed_before, before) = (node.computing, (node.computing, node.polling));
        node.computing -= rank.load.computing;
        node.polling -= u32::from(rank.load.polls());
        rank.load.change(change);
        node.computing += rank.load.computing;
        node.polling += u32::from(rank.load.polls());
        rank.is_busy = rank.load.computing > 0 || (node.waiting_is_busy && rank.load.polls());
        if (computed_before > 0) != (node.computing > 0) {
            self.follow_phase(index, kernel);
        }
        let node = &self.nodes[index];
        let lowered = self
            .cluster
            .as_mut()
            .is_some_and(|cluster| cluster.change(index, before, (node.computing, node.polling)));
        match lowered {
            true => (0..self.nodes.len()).for_each(|index| self.settle(index, now)),
            false => self.settle(index, now),
        }
    }

    /// A timer of ours has ended: `number` counts from the base.
    pub fn notice(&mut self, number: u32, kernel: &mut Kernel) {
        let index = (number / KINDS) as usize;
        match number % KINDS {
            LOOK => self.look(index, kernel),
            _ => {
                if let Some((pstate, _)) = self.nodes[index].pending.take() {
                    self.nodes[index].wanted = pstate;
                }
            }
        }
        self.settle(index, kernel.now());
    }

    /// A rank wants its node to be in a pstate.
    pub fn request(&mut self, rank: u32, pstate: usize, kernel: &mut Kernel) {
        let index = self.ranks[rank as usize].node;
        if let Some((_, timer)) = self.nodes[index].pending.take() {
            kernel.cancel(timer);
        }
        self.nodes[index].wanted = pstate;
        self.settle(index, kernel.now());
    }

    /// Takes the nodes that have come into another pstate since this was last called.
    pub fn take_changed(&mut self) -> Vec<(HostId, usize)> {
        std::mem::take(&mut self.changed)
    }

    /// What was chosen, at the end of the run.
    pub fn conclude(mut self, date: f64) -> PstateReport {
        self.nodes.iter_mut().for_each(|node| node.reach(date));
        let count = self.nodes.iter().map(|node| node.seconds.len()).max().unwrap_or(0);
        let mut seconds = vec![0.0; count];
        for node in &self.nodes {
            seconds.iter_mut().zip(&node.seconds).for_each(|(all, own)| *all += own);
        }
        let over_cap = self.nodes.iter().map(|node| node.over_cap).sum();
        PstateReport { changes: self.changes, seconds, over_cap }
    }

    /// Looks at the load of the period that has passed.
    fn look(&mut self, index: usize, kernel: &mut Kernel) {
        let node = &self.nodes[index];
        let Some(governor) = node.governor else { return };
        let mut load: f64 = 0.0;
        for rank in &node.ranks {
            let rank = &mut self.ranks[*rank as usize];
            rank.reach(kernel.now());
            load = load.max(rank.busy / governor.period);
            rank.busy = 0.0;
        }
        let target = node.target(&governor, load.min(1.0));
        self.want(index, target, 0.0, kernel);
        self.schedule_look(index, governor.period, kernel);
    }

    /// Lets a node follow whether any of its ranks computes, if its governor does.
    fn follow_phase(&mut self, index: usize, kernel: &mut Kernel) {
        let node = &self.nodes[index];
        let Some(governor) = node.governor else { return };
        let Rule::CommunicationPhase { after } = governor.rule else { return };
        match node.computing {
            0 => self.want(index, governor.slowest(), after, kernel),
            _ => self.want(index, governor.fastest, 0.0, kernel),
        }
    }

    /// Lets a decision take effect after a while, if it is not withdrawn before.
    fn want(&mut self, index: usize, pstate: usize, pause: f64, kernel: &mut Kernel) {
        let node = &mut self.nodes[index];
        if node.pending.is_some_and(|(pending, _)| pending == pstate) {
            return;
        }
        if let Some((_, timer)) = node.pending.take() {
            kernel.cancel(timer);
        }
        let pause = pause + node.governor.map_or(0.0, |governor| governor.latency);
        if pstate == node.wanted {
            return;
        }
        if pause <= 0.0 {
            node.wanted = pstate;
            return;
        }
        let then = Then::Notify(self.base + KINDS * index as u32 + EFFECT);
        node.pending = Some((pstate, kernel.wait_in_background(kernel.now() + pause, then)));
    }

    fn schedule_look(&self, index: usize, period: f64, kernel: &mut Kernel) {
        let then = Then::Notify(self.base + KINDS * index as u32 + LOOK);
        kernel.wait_in_background(kernel.now() + period, then);
    }

    /// Puts a node into the pstate that is wanted, as far as caps allow it.
    fn settle(&mut self, index: usize, now: f64) {
        let floor = self.cluster.as_ref().map_or(0, |cluster| cluster.fastest());
        let node = &mut self.nodes[index];
        let last = node.speeds.len() - 1;
        let wanted = node.wanted.max(floor.min(last));
        let pstate = match &node.cap {
            Some(cap) => cap.fastest(wanted, node.computing, node.polling),
            None => wanted,
        };
        if pstate != node.pstate {
            node.reach(now);
            node.pstate = pstate;
            self.changes += 1;
            self.changed.push((node.host, pstate));
        }
    }
}

impl Node {
    fn new(platform: &Platform, id: HostId, control: &PstateControl) -> Result<Self, ControlError> {
        let host = platform.host(id);
        let workload = control.workload.as_deref();
        let governor = platform.governor(id, &control.governors)?;
        // Read here so that what is wrong with them is told before the run.
        let read = |pstate| platform.node_power_in(id, workload, pstate);
        let pstates = if governor.is_some() { host.speeds.len() } else { 0 };
        let powers: Vec<_> = (0..pstates).map(read).collect::<Result<_, PowerError>>()?;
        let polls = powers.iter().flatten().any(|power| power.polling.is_some());
        let waiting_is_busy = governor.is_some_and(|governor| {
            governor.samples() && governor.waiting_is_busy.unwrap_or(polls)
        });
        Ok(Self {
            host: id,
            speeds: host.speeds.to_vec(),
            governor,
            waiting_is_busy,
            cap: NodeCap::of(platform, id, workload, control.node_cap)?,
            ranks: Vec::new(),
            computing: 0,
            polling: 0,
            wanted: host.pstate,
            pstate: host.pstate,
            pending: None,
            since: 0.0,
            seconds: vec![0.0; host.speeds.len()],
            over_cap: 0.0,
        })
    }

    /// Adds up the time in the present pstate.
    fn reach(&mut self, date: f64) {
        let seconds = (date - self.since).max(0.0);
        self.since = self.since.max(date);
        self.seconds[self.pstate] += seconds;
        let is_over = |cap: &NodeCap| cap.is_exceeded(self.pstate, self.computing, self.polling);
        if self.cap.as_ref().is_some_and(is_over) {
            self.over_cap += seconds;
        }
    }

    /// The pstate that a governor chooses for a load.
    fn target(&self, governor: &Governor, load: f64) -> usize {
        let (fastest, slowest) = (governor.fastest, governor.slowest());
        // Where a decision is under way, the next one goes on from there.
        let now = self.pending.map_or(self.wanted, |(pstate, _)| pstate).clamp(fastest, slowest);
        match governor.rule {
            Rule::Performance => fastest,
            Rule::Powersave => slowest,
            Rule::CommunicationPhase { .. } => now,
            Rule::Ondemand { up } if load > up => fastest,
            Rule::Ondemand { .. } => {
                let (high, low) = (self.speeds[fastest], self.speeds[slowest]);
                let speed = low + load * (high - low);
                let distance = |pstate: &usize| (self.speeds[*pstate] - speed).abs();
                // Of two as close, the slower: what is searched for first wins.
                (fastest..=slowest)
                    .rev()
                    .min_by(|a, b| distance(a).total_cmp(&distance(b)))
                    .unwrap_or(slowest)
            }
            Rule::Conservative { up, step, .. } if load > up => {
                now.saturating_sub(step).max(fastest)
            }
            Rule::Conservative { down, step, .. } if load < down => (now + step).min(slowest),
            Rule::Conservative { .. } => now,
        }
    }
}

impl Rank {
    fn reach(&mut self, date: f64) {
        if self.is_busy {
            self.busy += (date - self.since).max(0.0);
        }
        self.since = date;
    }
}
