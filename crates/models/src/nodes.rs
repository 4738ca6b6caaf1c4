//! Computation: the cores of a node, shared by the processes on it.
//!
//! `p` busy processes on `n` cores of speed `s` progress each at `s` while `p <= n`, else at
//! `s n / p`. A node has a speed for each of its pstates, which may change while a program runs.

use std::rc::Rc;

use foretell_kernel::{ActivityId, Execution, Kernel, Policy, ResourceId, Then};
use foretell_platform::{HostId, Platform};

/// The nodes of one simulation; a node costs memory once something is computed on it.
pub struct Nodes {
    platform: Rc<Platform>,
    /// Index into `used` plus one.
    slots: Vec<u32>,
    used: Vec<Used>,
}

#[derive(Debug, Clone, Copy)]
struct Used {
    cores: ResourceId,
    core: ResourceId,
    count: f64,
    pstate: usize,
    /// Speed of a core at its power state, before any profile.
    nominal: f64,
    /// What a profile makes of that.
    ratio: f64,
}

impl Nodes {
    /// The nodes of `platform`, all idle.
    pub fn new(platform: Rc<Platform>) -> Self {
        Self { slots: vec![0; platform.host_count()], platform, used: Vec::new() }
    }

    /// The machine that they belong to.
    pub fn platform(&self) -> &Rc<Platform> {
        &self.platform
    }

    /// Starts a sequential computation of `flops` operations on `host`.
    pub fn execute(
        &mut self,
        host: HostId,
        flops: f64,
        kernel: &mut Kernel,
        then: Then,
    ) -> ActivityId {
        let Used { cores, core, .. } = self.of(host, kernel);
        kernel.execute(&Execution { cores, core, amount: flops }, then)
    }

    /// The speed of one core now, in operations per second.
    pub fn core_speed(&self, host: HostId, kernel: &Kernel) -> f64 {
        match self.slots[host.0 as usize] {
            0 => self.platform.host(host).speed(),
            slot => kernel.capacity(self.used[slot as usize - 1].core),
        }
    }

    /// Lets the host run at `ratio` of its nominal speed from now on, also what is under way.
    pub fn set_ratio(&mut self, host: HostId, ratio: f64, kernel: &mut Kernel) {
        let used = self.of(host, kernel);
        self.change(host, Used { ratio, ..used }, kernel);
    }

    /// Puts the host into one of its pstates from now on, also what is under way.
    pub fn set_pstate(&mut self, host: HostId, pstate: usize, kernel: &mut Kernel) {
        let used = self.of(host, kernel);
        let nominal = self.platform.host(host).speeds[pstate];
        self.change(host, Used { pstate, nominal, ..used }, kernel);
    }

    /// The pstate that the host is in.
    pub fn pstate(&self, host: HostId) -> usize {
        match self.slots[host.0 as usize] {
            0 => self.platform.host(host).pstate,
            slot => self.used[slot as usize - 1].pstate,
        }
    }

    /// How much longer computations take in the pstate that the host is in than in its first.
    pub fn slowdown(&self, host: HostId) -> f64 {
        let spec = self.platform.host(host);
        spec.speed() / spec.speeds[self.pstate(host)]
    }

    fn change(&mut self, host: HostId, used: Used, kernel: &mut Kernel) {
        self.used[self.slots[host.0 as usize] as usize - 1] = used;
        let speed = used.nominal * used.ratio;
        kernel.set_capacity(used.core, speed);
        kernel.set_capacity(used.cores, speed * used.count);
    }

    fn of(&mut self, host: HostId, kernel: &mut Kernel) -> Used {
        let slot = self.slots[host.0 as usize];
        if slot > 0 {
            return self.used[slot as usize - 1];
        }
        let spec = self.platform.host(host);
        let (nominal, count) = (spec.speed(), f64::from(spec.cores));
        let cores = kernel.add_resource(nominal * count, Policy::Shared);
        let core = kernel.add_resource(nominal, Policy::FatPipe);
        let used = Used { cores, core, count, pstate: spec.pstate, nominal, ratio: 1.0 };
        self.used.push(used);
        self.slots[host.0 as usize] = self.used.len() as u32;
        used
    }
}
