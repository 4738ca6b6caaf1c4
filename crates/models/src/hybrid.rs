//! The hybrid model: LogGPS-like protocol around flows that share links.
//!
//! A message waits `latency factor * L`, then moves at `bandwidth factor * x`, where the shares
//! `x` of all flows solve a weighted max-min problem: weight `L + sum of S / C` over the links,
//! bound by the narrowest link and by `gamma / 2L`, and acknowledgements that take a twentieth on
//! the way back. Degomme et al. 2017 (SMPI), section 3.2; Velho et al. 2013 for the weights.

use foretell_kernel::{ActivityId, ResourceId, Then, Transfer};
use foretell_platform::{HostId, NoRoute, Platform, Route, Scope};
use smallvec::SmallVec;

use crate::network::{Message, Setting, TransferModel};

/// Flow-level sharing with calibrated factors.
#[derive(Debug, Default)]
pub struct Hybrid {
    route: Route,
    /// Ways found lately, each at a place given by its ends. Programs send to few partners, again
    /// and again. Empty on large machines, where the ways in use would only push each other out.
    ways: Vec<Way>,
    /// A way that is not kept.
    passing: Way,
    /// The links' version that `ways` is true for.
    version: u64,
}

/// All that a message needs to know of the links between two hosts.
#[derive(Debug, Clone, Default)]
struct Way {
    ends: Option<(HostId, HostId)>,
    latency: f64,
    narrowest: f64,
    inverse_bandwidths: f64,
    uses: SmallVec<[(ResourceId, f64); 4]>,
}

impl Hybrid {
    /// The model for a machine.
    pub fn new(platform: &Platform) -> Self {
        const LARGEST: usize = 2048;
        let hosts = platform.host_count();
        let places = if hosts <= LARGEST { (4 * hosts).next_power_of_two() } else { 0 };
        Self { ways: vec![Way::default(); places], ..Self::default() }
    }

    /// The way of a message, from memory or found anew.
    fn way(&mut self, message: Message, setting: &mut Setting<'_>) -> Result<&Way, NoRoute> {
        if self.version != setting.links.version() {
            self.version = setting.links.version();
            self.ways.iter_mut().for_each(|way| way.ends = None);
        }
        let Message { from, to, .. } = message;
        let mixed = (u64::from(from.0) << 32 | u64::from(to.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> 40) as usize & self.ways.len().wrapping_sub(1);
        let way = self.ways.get_mut(place).unwrap_or(&mut self.passing);
        if way.ends != Some((from, to)) {
            way.find(from, to, &mut self.route, setting)?;
        }
        Ok(way)
    }
}

impl Way {
    fn find(
        &mut self,
        from: HostId,
        to: HostId,
        route: &mut Route,
        setting: &mut Setting<'_>,
    ) -> Result<(), NoRoute> {
        let platform = setting.platform;
        self.ends = None;
        platform.route(from, to, route)?;
        (self.latency, self.narrowest, self.inverse_bandwidths) =
            (route.latency, f64::INFINITY, 0.0);
        self.uses.clear();
        for link in &route.links {
            let resource = setting.links.resource(*link, platform, setting.kernel);
            let figures = setting.links.figures(*link);
            self.latency += figures.extra_latency;
            // A link that is down stops the flow by its capacity, not by these.
            if figures.bandwidth > 0.0 {
                self.narrowest = self.narrowest.min(figures.bandwidth);
                self.inverse_bandwidths += 1.0 / figures.bandwidth;
            }
            self.uses.push((resource, 1.0));
        }
        let backwards = platform.network().cross_traffic;
        if backwards > 0.0 {
            platform.route(to, from, route)?;
            for link in &route.links {
                let resource = setting.links.resource(*link, platform, setting.kernel);
                self.uses.push((resource, backwards));
            }
        }
        self.ends = Some((from, to));
        Ok(())
    }
}

impl TransferModel for Hybrid {
    fn start(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<ActivityId, NoRoute> {
        let settings = setting.platform.network();
        let tables = settings.tables_of(scope);
        let size = message.bytes + settings.envelope;
        let way = self.way(message, setting)?;
        let delay = way.latency * tables.latency_factor.at(size, 1.0);
        let weight = way.latency + settings.weight_s * way.inverse_bandwidths;
        let transfer = Transfer {
            uses: &way.uses,
            delay,
            amount: size as f64,
            efficiency: tables.bandwidth_factor.at(size, 1.0),
            // Flows without delay have no round trip to weigh them by.
            weight: if delay > 0.0 { weight } else { 1.0 },
            bound: bound(way.narrowest, settings.tcp_gamma, way.latency),
        };
        Ok(setting.kernel.transfer(&transfer, then))
    }

    fn lone_transfer(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
    ) -> Result<Option<f64>, NoRoute> {
        let settings = setting.platform.network();
        let tables = settings.tables_of(scope);
        let size = message.bytes + settings.envelope;
        let way = self.way(message, setting)?;
        let delay = way.latency * tables.latency_factor.at(size, 1.0);
        let highest = bound(way.narrowest, settings.tcp_gamma, way.latency);
        // The acknowledgements of the opposite message take their part.
        let rate = highest.min(way.narrowest / (1.0 + settings.cross_traffic));
        let efficiency = tables.bandwidth_factor.at(size, 1.0);
        Ok(Some(delay + size as f64 / (rate * efficiency)))
    }
}

/// The highest rate of a flow. A gamma of zero lifts every bound, as in SimGrid: the links
/// themselves still limit the flow.
fn bound(narrowest: f64, gamma: f64, latency: f64) -> f64 {
    if latency <= 0.0 {
        narrowest
    } else if gamma > 0.0 {
        narrowest.min(gamma / (2.0 * latency))
    } else {
        f64::INFINITY
    }
}
