//! The kernel's resources for links, made when a link is first used.

use foretell_kernel::{Kernel, ResourceId};
use foretell_platform::{LinkId, Platform, Policy};

/// From links of the platform to resources of the kernel.
///
/// An unused link costs four bytes of zeroed memory, which the system does not even provide until
/// it is written.
#[derive(Debug, Default)]
pub struct Links {
    /// Index into `used` plus one; zero for a link not used so far.
    slots: Vec<u32>,
    used: Vec<Used>,
}

/// A link in use.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// The kernel's name for it.
    pub resource: ResourceId,
    /// Bytes per second, as it is now.
    pub bandwidth: f64,
    /// Added to the platform's latency of this link by a profile.
    pub extra_latency: f64,
    link: LinkId,
}

impl Links {
    /// The links of `platform`, none in use.
    pub fn new(platform: &Platform) -> Self {
        Self { slots: vec![0; platform.link_count()], used: Vec::new() }
    }

    /// The link as the kernel knows it.
    pub fn of(&mut self, link: LinkId, platform: &Platform, kernel: &mut Kernel) -> Used {
        match self.slots[link.0 as usize] {
            0 => self.adopt(link, platform, kernel),
            slot => self.used[slot as usize - 1],
        }
    }

    /// Changes the bandwidth of a link from now on.
    pub fn set_bandwidth(
        &mut self,
        link: LinkId,
        bandwidth: f64,
        platform: &Platform,
        kernel: &mut Kernel,
    ) {
        let resource = self.of(link, platform, kernel).resource;
        self.used[self.slots[link.0 as usize] as usize - 1].bandwidth = bandwidth;
        kernel.set_capacity(resource, bandwidth);
    }

    /// Changes the latency of a link for the messages that start from now on.
    pub fn set_latency(
        &mut self,
        link: LinkId,
        latency: f64,
        platform: &Platform,
        kernel: &mut Kernel,
    ) {
        self.of(link, platform, kernel);
        self.used[self.slots[link.0 as usize] as usize - 1].extra_latency =
            latency - platform.link(link).latency;
    }

    /// How many links have been used.
    pub fn used(&self) -> usize {
        self.used.len()
    }

    /// The link behind a resource, for those who observe the kernel.
    pub fn link_of(&self, resource: ResourceId) -> Option<LinkId> {
        self.used.iter().find(|used| used.resource == resource).map(|used| used.link)
    }

    #[cold]
    fn adopt(&mut self, link: LinkId, platform: &Platform, kernel: &mut Kernel) -> Used {
        let spec = platform.link(link);
        let policy = match spec.policy {
            Policy::Shared => foretell_kernel::Policy::Shared,
            Policy::FatPipe => foretell_kernel::Policy::FatPipe,
        };
        let resource = kernel.add_resource(spec.bandwidth, policy);
        let used = Used { resource, bandwidth: spec.bandwidth, extra_latency: 0.0, link };
        self.used.push(used);
        self.slots[link.0 as usize] = self.used.len() as u32;
        used
    }
}
