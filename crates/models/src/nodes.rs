//! Computation: the cores of a node, shared by the processes on it.
//!
//! `p` busy processes on `n` cores of speed `s` progress each at `s` while `p <= n`, else at
//! `s n / p`.

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
    /// Speed of a core at its power state, before any profile.
    nominal: f64,
}

impl Nodes {
    /// The nodes of `platform`, all idle.
    pub fn new(platform: Rc<Platform>) -> Self {
        Self { slots: vec![0; platform.host_count()], platform, used: Vec::new() }
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
        let Used { cores, core, count, nominal } = self.of(host, kernel);
        kernel.set_capacity(core, nominal * ratio);
        kernel.set_capacity(cores, nominal * ratio * count);
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
        let used = Used { cores, core, count, nominal };
        self.used.push(used);
        self.slots[host.0 as usize] = self.used.len() as u32;
        used
    }
}
