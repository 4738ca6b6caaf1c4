//! Dated changes of the machine while a simulation runs.
//!
//! Each profile of the platform has at most one event pending in the kernel, in the background:
//! profiles alone do not keep a simulation going.

use std::rc::Rc;

use foretell_kernel::{Kernel, Then};
use foretell_platform::{HostId, Platform, ProfileTarget};

use crate::{Network, Nodes};

/// The profiles of a platform, and how far each has been played.
pub struct Profiles {
    platform: Rc<Platform>,
    /// For each profile: the index of the next event, and the date at which its turn began.
    next: Vec<(usize, f64)>,
}

impl Profiles {
    /// The profiles of `platform`; [`Profiles::begin`] sets them going.
    pub fn new(platform: Rc<Platform>) -> Self {
        let next = vec![(0, 0.0); platform.profiles().len()];
        Self { platform, next }
    }

    /// Schedules the first event of each profile. The kernel will notify `base + index`.
    pub fn begin(&self, kernel: &mut Kernel, base: u32) {
        for index in 0..self.next.len() {
            self.schedule(index, kernel, base);
        }
    }

    /// Plays the due event of profile `index` and schedules its next one. Tells whether that
    /// switched a host on or off.
    pub fn play(
        &mut self,
        index: usize,
        kernel: &mut Kernel,
        network: &mut Network,
        nodes: &mut Nodes,
        base: u32,
    ) -> Option<(HostId, bool)> {
        let profile = &self.platform.profiles()[index];
        let (event, start) = self.next[index];
        let (date, value) = profile.events[event];
        let mut switched = None;
        match profile.target {
            ProfileTarget::HostSpeed(host) => nodes.set_ratio(host, value, kernel),
            // A host that is off does not compute; its work waits until it is on again.
            ProfileTarget::HostState(host) => {
                nodes.set_ratio(host, if value > 0.0 { 1.0 } else { 0.0 }, kernel);
                switched = Some((host, value > 0.0));
            }
            ProfileTarget::LinkBandwidth(link) => network.set_bandwidth(link, value, kernel),
            ProfileTarget::LinkLatency(link) => network.set_latency(link, value, kernel),
            ProfileTarget::LinkState(link) => {
                let bandwidth = if value > 0.0 { self.platform.link(link).bandwidth } else { 0.0 };
                network.set_bandwidth(link, bandwidth, kernel);
            }
        }
        self.next[index] = match profile.repeat_after {
            Some(pause) if event + 1 == profile.events.len() => (0, start + date + pause),
            _ => (event + 1, start),
        };
        self.schedule(index, kernel, base);
        switched
    }

    fn schedule(&self, index: usize, kernel: &mut Kernel, base: u32) {
        let (event, start) = self.next[index];
        if let Some((date, _)) = self.platform.profiles()[index].events.get(event) {
            kernel.wait_in_background(start + date, Then::Notify(base + index as u32));
        }
    }
}
