//! The same machine with a faster or slower network.

use crate::spec::{Local, Member, PlatformSpec, ProfileKind, ZoneContent, ZoneSpec};

/// What the figures of a network are multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkFactors {
    /// Of all bandwidths.
    pub bandwidth: f64,
    /// Of all latencies.
    pub latency: f64,
}

impl Default for NetworkFactors {
    fn default() -> Self {
        Self { bandwidth: 1.0, latency: 1.0 }
    }
}

impl PlatformSpec {
    /// Multiplies the figures of all links, and those of models that know no links.
    pub fn scale_network(&mut self, factors: NetworkFactors) {
        let NetworkFactors { bandwidth, latency } = factors;
        zone(&mut self.root, factors);
        let network = &mut self.network;
        network.loopback.bandwidth *= bandwidth;
        network.loopback.latency *= latency;
        network.loggps.latency *= latency;
        network.loggps.gap_per_byte /= bandwidth;
        network.constant_latency *= latency;
        network.dimemas.bandwidth *= bandwidth;
        for node in &mut network.dimemas.nodes {
            node.latency *= latency;
            node.local_latency *= latency;
            node.local_bandwidth *= bandwidth;
        }
        for profile in &mut self.profiles {
            let factor = match profile.kind {
                ProfileKind::LinkBandwidth => bandwidth,
                ProfileKind::LinkLatency => latency,
                _ => continue,
            };
            profile.events.iter_mut().for_each(|(_, value)| *value *= factor);
        }
    }
}

fn zone(spec: &mut ZoneSpec, factors: NetworkFactors) {
    let NetworkFactors { bandwidth, latency } = factors;
    match &mut spec.content {
        ZoneContent::Cluster(cluster) => {
            cluster.wire.bandwidth *= bandwidth;
            cluster.wire.latency *= latency;
            if let Some(backbone) = &mut cluster.backbone {
                backbone.bandwidth *= bandwidth;
                backbone.latency *= latency;
            }
            cluster.limiter.iter_mut().for_each(|limiter| *limiter *= bandwidth);
            if let Local::Own { bandwidth: own, latency: wait } = &mut cluster.local {
                *own *= bandwidth;
                *wait *= latency;
            }
        }
        ZoneContent::General(general) => {
            for link in general.links.iter_mut().chain(&mut general.backbone) {
                link.bandwidth *= bandwidth;
                link.latency *= latency;
            }
            for member in &mut general.members {
                match member {
                    Member::Zone(inner) => zone(inner, factors),
                    Member::Cabinet(cabinet) => {
                        cabinet.bandwidth *= bandwidth;
                        cabinet.latency *= latency;
                    }
                    Member::Peer(peer) => {
                        peer.bandwidth_in *= bandwidth;
                        peer.bandwidth_out *= bandwidth;
                        peer.coordinates.iter_mut().for_each(|place| *place *= latency);
                    }
                    Member::Host(_) | Member::Router(_) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HostId, Platform, Route};

    #[test]
    fn every_preset_can_have_a_faster_network() {
        for preset in crate::PRESETS {
            let usual = Platform::named(preset.name).unwrap();
            let mut spec = usual.spec().clone();
            spec.scale_network(NetworkFactors { bandwidth: 2.0, latency: 0.5 });
            let fast = Platform::build(spec).unwrap();
            let (from, to) = (HostId(0), HostId(usual.host_count() as u32 - 1));
            let latency = |platform: &Platform| {
                let mut route = Route::default();
                platform.route(from, to, &mut route).unwrap();
                route.latency
            };
            let (before, after) = (latency(&usual), latency(&fast));
            assert!((after - before / 2.0).abs() < 1e-15, "{}", preset.name);
        }
    }
}
