//! How far nodes are from each other.

use serde::Serialize;

use crate::machine::{HostId, Platform, Route};

/// Up to this many nodes every pair is looked at.
const ALL_PAIRS: usize = 300;

/// Beyond that, so many nodes are starting points…
const SOURCES: usize = 8;

/// … and so many are ends.
const ENDS: usize = 5000;

/// The way between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distance {
    /// Name of the first node.
    pub from: String,
    /// Name of the second.
    pub to: String,
    /// Seconds, before the factors of the model.
    pub latency: f64,
    /// Bytes per second of the narrowest link.
    pub bandwidth: f64,
    /// Links crossed.
    pub links: usize,
}

/// What a look at many pairs found.
#[derive(Debug, Default)]
pub(super) struct Distances {
    pub(super) nearest: Option<Distance>,
    pub(super) farthest: Option<Distance>,
    pub(super) local: Option<Distance>,
    pub(super) diameter: usize,
    pub(super) sampled: bool,
}

impl Distances {
    pub(super) fn of(platform: &Platform) -> Self {
        let count = platform.host_count();
        let mut found = Self { sampled: count > ALL_PAIRS, ..Self::default() };
        let mut best: [Option<(f64, HostId, HostId)>; 2] = [None, None];
        let mut route = Route::default();
        for from in sources(count) {
            for to in ends(count, from) {
                if from == to || platform.route(from, to, &mut route).is_err() {
                    continue;
                }
                found.diameter = found.diameter.max(route.links.len());
                let latency = route.latency;
                if best[0].is_none_or(|(least, ..)| latency < least) {
                    best[0] = Some((latency, from, to));
                }
                if best[1].is_none_or(|(most, ..)| latency > most) {
                    best[1] = Some((latency, from, to));
                }
            }
        }
        let [nearest, farthest] =
            best.map(|pair| pair.and_then(|(_, from, to)| distance(platform, from, to)));
        found.nearest = nearest;
        found.farthest = farthest;
        found.local = (count > 0).then(|| distance(platform, HostId(0), HostId(0))).flatten();
        found
    }
}

fn sources(count: usize) -> Vec<HostId> {
    let step = if count <= ALL_PAIRS { 1 } else { count.div_ceil(SOURCES) };
    (0..count as u32).step_by(step).map(HostId).collect()
}

/// The neighbours of a node and others from all over the machine.
fn ends(count: usize, from: HostId) -> impl Iterator<Item = HostId> {
    let step = if count <= ENDS { 1 } else { count.div_ceil(ENDS) };
    let near = from.0.saturating_sub(2)..(from.0 + 3).min(count as u32);
    let last = (count as u32).saturating_sub(1);
    near.chain((0..count as u32).step_by(step)).chain([last]).map(HostId)
}

fn distance(platform: &Platform, from: HostId, to: HostId) -> Option<Distance> {
    let mut route = Route::default();
    platform.route(from, to, &mut route).ok()?;
    let bandwidths = route.links.iter().map(|link| platform.link(*link).bandwidth);
    Some(Distance {
        from: platform.host_name(from),
        to: platform.host_name(to),
        latency: route.latency,
        bandwidth: bandwidths.fold(f64::INFINITY, f64::min),
        links: route.links.len(),
    })
}
