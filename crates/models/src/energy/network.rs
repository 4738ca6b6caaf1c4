//! The energy of links and switches.
//!
//! A link draws its idle power all the time and `busy - idle` more for the share of it that is
//! used; the integral of that share is what the kernel meters (`seconds_of_use`), so that nothing
//! is sampled. Only links that a message crossed count, and the switches of the parts of the
//! machine that they belong to; the others are told apart.

use std::collections::{BTreeMap, BTreeSet};

use foretell_kernel::{Kernel, ResourceId};
use foretell_platform::{LinkId, NetworkPower};

use super::Series;
use crate::Network;

/// Why no figure can be wrong here.
const READ_BEFORE: &str = "all figures of the network were read when the model was made";

/// The energy of the network.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetworkEnergy {
    /// Every link that a message crossed and of which a power is known.
    pub links: Vec<LinkEnergy>,
    /// Joules of those links.
    pub links_joules: f64,
    /// Joules of the switches of the parts of the machine that messages crossed, and of the ports
    /// that were in use there.
    pub switches_joules: f64,
    /// How many switches those are.
    pub switches: u64,
    /// How many ports, if they draw something.
    pub ports: u64,
    /// Links that nobody used, and their joules with those of switches that nobody used.
    pub unused_links: u64,
    /// Joules of those.
    pub unused_joules: f64,
    /// The power of links and of switches over time, if that was asked for.
    pub series: Option<(Series, Series)>,
}

/// The energy of one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkEnergy {
    /// Which.
    pub link: LinkId,
    /// All of its joules.
    pub joules: f64,
    /// Those that it would have taken without any message.
    pub idle_joules: f64,
    /// For how many seconds of full use its messages would have kept it busy.
    pub seconds_of_use: f64,
}

impl NetworkEnergy {
    /// Links and switches together.
    pub fn joules(&self) -> f64 {
        self.links_joules + self.switches_joules
    }
}

/// The meter of the network.
#[derive(Debug)]
pub(super) struct NetworkMeter {
    power: NetworkPower,
    /// What links have drawn beyond their idle power, over time.
    series: Option<Series>,
    /// When and at how many joules the series ends so far.
    sampled: (f64, f64),
}

impl NetworkMeter {
    pub(super) fn new(power: NetworkPower, keeps_series: bool) -> Self {
        Self { power, series: keeps_series.then(Series::default), sampled: (0.0, 0.0) }
    }

    /// Adds the time since the last sample to the series, if that is not too short a step of it.
    pub(super) fn sample(&mut self, network: &Network, kernel: &Kernel, date: f64) {
        let Some(series) = &self.series else { return };
        let seconds = date - self.sampled.0;
        if seconds > 0.0 && seconds >= series.shortest() {
            let links = used(network, kernel, 0.0);
            self.add(date, links.iter().map(LinkEnergy::dynamic).sum());
        }
    }

    fn add(&mut self, date: f64, joules: f64) {
        let seconds = date - self.sampled.0;
        if let Some(series) = &mut self.series
            && seconds > 0.0
        {
            series.add(seconds, (joules - self.sampled.1).max(0.0) / seconds);
            self.sampled = (date, joules);
        }
    }

    /// Reads the meter at the end of a run of so many seconds.
    pub(super) fn conclude(
        mut self,
        network: &Network,
        kernel: &Kernel,
        seconds: f64,
    ) -> NetworkEnergy {
        let links = used(network, kernel, seconds);
        self.add(seconds, links.iter().map(LinkEnergy::dynamic).sum());
        let idle: f64 = links.iter().map(|link| link.idle_joules).sum();
        let all_idle = self.power.idle_watts * seconds;
        let platform = network.platform();
        let parts: BTreeSet<_> =
            network.used_links().iter().filter_map(|link| platform.part_of(*link)).collect();
        let mut found = NetworkEnergy {
            links_joules: links.iter().map(|link| link.joules).sum(),
            unused_links: self.power.links.saturating_sub(links.len() as u64),
            // Whether a link is used is not known before the end: the rest is a difference.
            unused_joules: (all_idle - idle).max(0.0),
            links,
            ..NetworkEnergy::default()
        };
        let mut watts = 0.0;
        for switches in &self.power.switches {
            if parts.contains(&switches.part) {
                found.switches += switches.count;
                watts += switches.watts;
            } else {
                found.unused_joules += switches.watts * seconds;
            }
        }
        if self.power.has_ports {
            let cables = cables(network);
            found.ports = cables.values().map(|(ports, _)| u64::from(*ports)).sum();
            watts += cables.values().map(|(_, watts)| watts).sum::<f64>();
        }
        found.switches_joules = watts * seconds;
        found.series = self.series.map(|dynamic| {
            let idle_watts = if seconds > 0.0 { idle / seconds } else { 0.0 };
            let mut switches = Series::default();
            switches.add(seconds, watts);
            (dynamic.raised(idle_watts), switches)
        });
        found
    }
}

impl LinkEnergy {
    fn dynamic(&self) -> f64 {
        self.joules - self.idle_joules
    }
}

/// The links that messages crossed so far and of which a power is known.
fn used(network: &Network, kernel: &Kernel, seconds: f64) -> Vec<LinkEnergy> {
    let platform = network.platform();
    let uses = kernel.seconds_of_use();
    let energy = |(link, resource): (LinkId, ResourceId)| {
        let power = platform.link_power(link).expect(READ_BEFORE)?;
        let seconds_of_use = uses.get(resource.0 as usize).copied().unwrap_or(0.0);
        let idle_joules = power.idle * seconds;
        let joules = idle_joules + (power.busy - power.idle) * seconds_of_use;
        Some(LinkEnergy { link, joules, idle_joules, seconds_of_use })
    };
    network.used_resources().filter_map(energy).collect()
}

/// Ports and watts of the cables in use, each cable once.
fn cables(network: &Network) -> BTreeMap<LinkId, (u32, f64)> {
    let platform = network.platform();
    let cable = |link: &LinkId| {
        let cable = platform.cable(*link).expect(READ_BEFORE)?;
        Some((cable.first, (cable.ports, cable.port_watts)))
    };
    network.used_links().iter().filter_map(cable).collect()
}
