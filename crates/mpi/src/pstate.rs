//! Pstates that a program, a governor or a cap changes: the speed of a node, and what it draws.
//!
//! A change holds for the whole node, also for what other ranks on it are computing, and takes no
//! time itself.

use std::collections::BTreeSet;

use foretell_models::Change;
use foretell_platform::{HostId, ProfileTarget};

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::observer::Happening;
use crate::world::{PSTATE, State};

impl Comm {
    /// How many pstates the rank's node has.
    pub fn pstates(&self) -> usize {
        let host = self.host();
        self.world.state.borrow().nodes.platform().host(host).speeds.len()
    }

    /// The pstate that the rank's node is in.
    pub fn pstate(&self) -> usize {
        self.world.state.borrow().nodes.pstate(self.host())
    }

    /// How much longer computations take than in the pstate that the node began with.
    pub fn slowdown(&self) -> f64 {
        self.world.state.borrow().nodes.slowdown(self.host())
    }

    /// Wants the rank's node to be in one of its pstates. What is under way goes on at the new
    /// speed, but calls of kernels that have begun end when they would have. Where a governor
    /// chooses, that holds until it chooses again; where power is capped, the node may have to be
    /// slower.
    ///
    /// # Errors
    ///
    /// Fails if the node has no such pstate, or its power in it cannot be read.
    pub fn set_pstate(&self, pstate: usize) -> Result<()> {
        let (host, count) = (self.host(), self.pstates());
        if pstate >= count {
            return Err(Error::BadArgument(format!(
                "the node has {count} pstates, from 0 on; there is no pstate {pstate}"
            )));
        }
        self.tell(Event::Untold("changes of pstates"));
        let state = &mut *self.world.state.borrow_mut();
        if let Some(pstates) = &mut state.pstates {
            pstates.request(self.me, pstate, &mut state.kernel);
            state.follow_pstates();
            return Ok(());
        }
        let known = state.nodes.platform().clone();
        if let Some(energy) = &state.energy {
            let power = known.node_power_in(host, energy.workload(), pstate);
            power.map_err(|error| Error::BadArgument(error.to_string()))?;
        }
        state.put_in_pstate(host, pstate);
        Ok(())
    }
}

impl State {
    /// Lets those begin who choose pstates.
    pub(crate) fn begin_pstates(&mut self) {
        if let Some(pstates) = &mut self.pstates {
            pstates.begin(&mut self.kernel, PSTATE);
            self.follow_pstates();
        }
    }

    /// Tells them what a rank begins or ends.
    #[cold]
    pub(crate) fn note_load(&mut self, rank: u32, change: Change) {
        if let Some(pstates) = &mut self.pstates {
            pstates.note(rank, change, &mut self.kernel);
            self.follow_pstates();
        }
    }

    /// A timer of theirs has ended.
    pub(crate) fn notice_pstates(&mut self, number: u32) {
        if let Some(pstates) = &mut self.pstates {
            pstates.notice(number, &mut self.kernel);
            self.follow_pstates();
        }
    }

    /// Puts nodes into the pstates that were chosen.
    fn follow_pstates(&mut self) {
        let changed = self.pstates.as_mut().map(|pstates| pstates.take_changed());
        for (host, pstate) in changed.into_iter().flatten() {
            self.put_in_pstate(host, pstate);
        }
    }

    fn put_in_pstate(&mut self, host: HostId, pstate: usize) {
        if let Some(energy) = &mut self.energy {
            let platform = self.nodes.platform();
            let power = platform.node_power_in(host, energy.workload(), pstate);
            // What cannot be read has been told before: by the program's call, or at the start.
            energy.set_power(host, power.ok().flatten(), self.kernel.now());
            self.observe_power(host);
        }
        self.nodes.set_pstate(host, pstate, &mut self.kernel);
        self.observe_speed(host);
        self.has_changed_pstates = true;
    }

    /// Tells who watches how fast the cores of a node are now.
    fn observe_speed(&mut self, host: HostId) {
        if self.observer.is_some() {
            let pstate = self.nodes.pstate(host).min(u16::MAX.into()) as u16;
            let speed = self.nodes.core_speed(host, &self.kernel);
            self.observe(Happening::Runs { host, pstate, speed });
        }
    }

    /// Tells who watches how fast the nodes of ranks are whose speed may change.
    pub(crate) fn observe_speeds(&mut self) {
        if self.observer.is_none() {
            return;
        }
        let platform = self.nodes.platform().clone();
        let slowed: BTreeSet<HostId> =
            platform.profiles().iter().filter_map(|profile| host_of(profile.target)).collect();
        let may_change =
            |host: &HostId| platform.host(*host).speeds.len() > 1 || slowed.contains(host);
        let hosts: BTreeSet<HostId> = self.hosts.iter().copied().filter(may_change).collect();
        hosts.into_iter().for_each(|host| self.observe_speed(host));
    }

    /// Tells who watches what a profile has made of a node.
    pub(crate) fn observe_profile(&mut self, profile: u32) {
        let target = self.nodes.platform().profiles()[profile as usize].target;
        host_of(target).into_iter().for_each(|host| self.observe_speed(host));
    }
}

/// The node whose speed a profile changes, if it does.
fn host_of(target: ProfileTarget) -> Option<HostId> {
    match target {
        ProfileTarget::HostSpeed(host) | ProfileTarget::HostState(host) => Some(host),
        _ => None,
    }
}
