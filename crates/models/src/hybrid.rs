//! The hybrid model: LogGPS-like protocol around flows that share links.
//!
//! A message waits `latency factor * L`, then moves at `bandwidth factor * x`, where the shares
//! `x` of all flows solve a weighted max-min problem: weight `L + sum of S / C` over the links,
//! bound by the narrowest link and by `gamma / 2L`, and acknowledgements that take a twentieth on
//! the way back. Where factors are limits, it moves at `x` and is bound by `bandwidth factor`
//! times its narrowest link. Degomme et al. 2017 (SMPI), section 3.2; Velho et al. 2013 for the
//! weights.

mod ways;

use foretell_kernel::{Then, Transfer};
use foretell_platform::{FactorRole, HostId, NoRoute, Platform, Scope};

use crate::network::{Message, Setting, TransferModel};

use ways::Ways;

/// Flow-level sharing with calibrated factors.
#[derive(Debug)]
pub struct Hybrid {
    ways: Ways,
    latest: Factors,
}

/// What the tables of a scope say of messages of one size: those of a program mostly have the same.
#[derive(Debug, Clone, Copy)]
struct Factors {
    scope: Scope,
    size: u64,
    latency: f64,
    bandwidth: f64,
}

impl Factors {
    fn of(platform: &Platform, scope: Scope, size: u64) -> Self {
        let tables = platform.network().tables_of(scope);
        let latency = tables.latency_factor.at(size, 1.0);
        Self { scope, size, latency, bandwidth: tables.bandwidth_factor.at(size, 1.0) }
    }
}

impl Hybrid {
    /// The model for a machine.
    pub fn new(platform: &Platform) -> Self {
        Self { ways: Ways::of(platform), latest: Factors::of(platform, Scope::Group, 0) }
    }

    /// The factors of a message.
    #[inline]
    fn factors(&mut self, platform: &Platform, scope: Scope, size: u64) -> Factors {
        if (self.latest.scope, self.latest.size) != (scope, size) {
            self.latest = Factors::of(platform, scope, size);
        }
        self.latest
    }
}

impl TransferModel for Hybrid {
    fn start(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<(), NoRoute> {
        let settings = setting.platform.network();
        let size = message.bytes + settings.envelope;
        let factors = self.factors(setting.platform, scope, size);
        let way = self.ways.between(message.from, message.to, setting)?;
        let delay = way.latency * factors.latency;
        let weight = way.latency + settings.weight_s * way.inverse_bandwidths;
        let highest = bound(way.narrowest, settings.tcp_gamma, way.latency);
        let (efficiency, bound) =
            applied(factors.bandwidth, settings.factor_role, highest, way.narrowest);
        let transfer = Transfer {
            uses: way.uses,
            delay,
            amount: size as f64,
            efficiency,
            // Flows without delay have no round trip to weigh them by.
            weight: if delay > 0.0 { weight } else { 1.0 },
            bound,
        };
        setting.kernel.transfer(&transfer, then);
        Ok(())
    }

    fn foresee(&self, from: HostId, to: HostId) {
        self.ways.foresee(from, to);
    }

    fn lone_transfer(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
    ) -> Result<Option<f64>, NoRoute> {
        let settings = setting.platform.network();
        let size = message.bytes + settings.envelope;
        let factors = self.factors(setting.platform, scope, size);
        let way = self.ways.between(message.from, message.to, setting)?;
        let delay = way.latency * factors.latency;
        let highest = bound(way.narrowest, settings.tcp_gamma, way.latency);
        // The acknowledgements of the opposite message take their part.
        let room = way.narrowest / (1.0 + settings.cross_traffic);
        let (efficiency, bound) =
            applied(factors.bandwidth, settings.factor_role, highest, way.narrowest);
        Ok(Some(delay + size as f64 / (bound.min(room) * efficiency)))
    }
}

/// What a flow makes of its share, and the highest share it takes, with a bandwidth factor.
fn applied(factor: f64, role: FactorRole, highest: f64, narrowest: f64) -> (f64, f64) {
    match role {
        FactorRole::Efficiency => (factor, highest),
        FactorRole::Limit => (1.0, highest.min(factor * narrowest)),
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
