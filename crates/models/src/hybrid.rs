//! The hybrid model: LogGPS-like protocol around flows that share links.
//!
//! A message waits `latency factor * L`, then moves at `bandwidth factor * x`, where the shares
//! `x` of all flows solve a weighted max-min problem: weight `L + sum of S / C` over the links,
//! bound by the narrowest link and by `gamma / 2L`, and acknowledgements that take a twentieth on
//! the way back. Degomme et al. 2017 (SMPI), section 3.2; Velho et al. 2013 for the weights.

use foretell_kernel::{ActivityId, ResourceId, Then, Transfer};
use foretell_platform::{NoRoute, Route, Scope};

use crate::network::{Message, Setting, TransferModel};

/// Flow-level sharing with calibrated factors.
#[derive(Debug, Default)]
pub struct Hybrid {
    route: Route,
    uses: Vec<(ResourceId, f64)>,
}

impl TransferModel for Hybrid {
    fn start(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<ActivityId, NoRoute> {
        let platform = setting.platform;
        let settings = platform.network();
        let tables = settings.tables_of(scope);
        let size = message.bytes + settings.envelope;
        platform.route(message.from, message.to, &mut self.route)?;
        let mut latency = self.route.latency;
        let mut narrowest = f64::INFINITY;
        let mut inverse_bandwidths = 0.0;
        self.uses.clear();
        for link in &self.route.links {
            let resource = setting.links.resource(*link, platform, setting.kernel);
            let used = setting.links.figures(*link);
            latency += used.extra_latency;
            // A link that is down stops the flow by its capacity, not by these.
            if used.bandwidth > 0.0 {
                narrowest = narrowest.min(used.bandwidth);
                inverse_bandwidths += 1.0 / used.bandwidth;
            }
            self.uses.push((resource, 1.0));
        }
        if settings.cross_traffic > 0.0 {
            platform.route(message.to, message.from, &mut self.route)?;
            for link in &self.route.links {
                let resource = setting.links.resource(*link, platform, setting.kernel);
                self.uses.push((resource, settings.cross_traffic));
            }
        }
        let delay = latency * tables.latency_factor.at(size, 1.0);
        let transfer = Transfer {
            uses: &self.uses,
            delay,
            amount: size as f64,
            efficiency: tables.bandwidth_factor.at(size, 1.0),
            // Flows without delay have no round trip to weigh them by.
            weight: if delay > 0.0 { latency + settings.weight_s * inverse_bandwidths } else { 1.0 },
            bound: bound(narrowest, settings.tcp_gamma, latency),
        };
        Ok(setting.kernel.transfer(&transfer, then))
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
