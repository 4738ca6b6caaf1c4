//! Pstates that a program changes: the speed of a node, and what it draws.
//!
//! A change holds for the whole node, also for what other ranks on it are computing, and takes no
//! time itself.

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;

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

    /// Puts the rank's node into one of its pstates. What is under way goes on at the new speed,
    /// but calls of kernels that have begun end when they would have.
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
        if let Some(energy) = &mut state.energy {
            let platform = state.nodes.platform();
            let power = platform.node_power_in(host, energy.workload(), pstate);
            let power = power.map_err(|error| Error::BadArgument(error.to_string()))?;
            energy.set_power(host, power, state.kernel.now());
        }
        state.nodes.set_pstate(host, pstate, &mut state.kernel);
        let slowdown = state.nodes.slowdown(host);
        self.world.kernels.borrow_mut().set_slowdown(host, slowdown);
        Ok(())
    }
}
