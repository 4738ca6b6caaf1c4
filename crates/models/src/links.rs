//! The kernel's resources for links, made when a link is first used.

use foretell_kernel::{Kernel, ResourceId};
use foretell_platform::{LinkId, Platform, Policy};

/// From links of the platform to resources of the kernel.
///
/// An unused link costs eight bytes of zeroed memory, which the system does not even provide
/// until it is written. A used one costs its resource; what many links have in common is kept
/// once, so that looking a link up is one access to memory.
#[derive(Debug, Default)]
pub struct Links {
    /// For each link: its resource plus one, and its figures; zero for a link not used so far.
    slots: Vec<u64>,
    figures: Vec<Figures>,
    used: Vec<LinkId>,
    resources: Vec<ResourceId>,
    /// How often a figure has changed.
    version: u64,
}

/// What a link is worth now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Bytes per second.
    pub bandwidth: f64,
    /// Added to the platform's latency of this link by a profile.
    pub extra_latency: f64,
}

impl Links {
    /// The links of `platform`, none in use.
    pub fn new(platform: &Platform) -> Self {
        Self { slots: vec![0; platform.link_count()], ..Self::default() }
    }

    /// The resource of a link.
    pub fn resource(
        &mut self,
        link: LinkId,
        platform: &Platform,
        kernel: &mut Kernel,
    ) -> ResourceId {
        let slot = match self.slots[link.0 as usize] {
            0 => self.adopt(link, platform, kernel),
            slot => slot,
        };
        ResourceId(slot as u32 - 1)
    }

    /// The present figures of a link whose resource has been asked for.
    pub fn figures(&self, link: LinkId) -> Figures {
        self.figures[(self.slots[link.0 as usize] >> 32) as usize]
    }

    /// Changes the bandwidth of a link from now on.
    pub fn set_bandwidth(
        &mut self,
        link: LinkId,
        bandwidth: f64,
        platform: &Platform,
        kernel: &mut Kernel,
    ) {
        let resource = self.resource(link, platform, kernel);
        self.version += 1;
        self.set_figures(link, Figures { bandwidth, ..self.figures(link) });
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
        self.resource(link, platform, kernel);
        self.version += 1;
        let extra_latency = latency - platform.link(link).latency;
        self.set_figures(link, Figures { extra_latency, ..self.figures(link) });
    }

    /// Changes whenever the figures of a link do.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many links have been used.
    pub fn used(&self) -> usize {
        self.used.len()
    }

    /// The links that have been used, in the order of their first use.
    pub fn all_used(&self) -> &[LinkId] {
        &self.used
    }

    /// The same, each with its resource.
    pub fn resources(&self) -> impl Iterator<Item = (LinkId, ResourceId)> + '_ {
        self.used.iter().copied().zip(self.resources.iter().copied())
    }

    /// The link behind a resource, for those who observe the kernel.
    pub fn link_of(&self, resource: ResourceId) -> Option<LinkId> {
        // Resources are numbered in order of adoption.
        self.resources.binary_search(&resource).ok().map(|at| self.used[at])
    }

    #[cold]
    fn adopt(&mut self, link: LinkId, platform: &Platform, kernel: &mut Kernel) -> u64 {
        let spec = platform.link(link);
        let policy = match spec.policy {
            Policy::Shared => foretell_kernel::Policy::Shared,
            Policy::FatPipe => foretell_kernel::Policy::FatPipe,
        };
        let resource = kernel.add_resource(spec.bandwidth, policy);
        self.used.push(link);
        self.resources.push(resource);
        self.slots[link.0 as usize] = u64::from(resource.0) + 1;
        self.set_figures(link, Figures { bandwidth: spec.bandwidth, extra_latency: 0.0 });
        self.slots[link.0 as usize]
    }

    fn set_figures(&mut self, link: LinkId, figures: Figures) {
        // A platform has few different links; the latest kind is the likeliest.
        let kind = self.figures.iter().rposition(|known| *known == figures).unwrap_or_else(|| {
            self.figures.push(figures);
            self.figures.len() - 1
        });
        let slot = &mut self.slots[link.0 as usize];
        *slot = (kind as u64) << 32 | (*slot & 0xFFFF_FFFF);
    }
}
