//! Bandwidth between two halves of a machine.

use super::innermost;
use crate::machine::Policy;
use crate::spec::{ClusterSpec, Topology, ZoneContent, ZoneSpec};
use crate::topology::FatTreeSpec;

/// Bytes per second, one way, over the narrowest cut into two halves. `None` where the shape has
/// no formula.
pub(super) fn bisection(zone: &ZoneSpec) -> Option<f64> {
    let ZoneContent::Cluster(cluster) = &innermost(zone).content else { return None };
    let nodes = cluster.naming.count() as f64;
    if nodes < 2.0 {
        return None;
    }
    // What one half of the nodes can send at most.
    let card = cluster.limiter.map_or(cluster.wire.bandwidth, |l| l.min(cluster.wire.bandwidth));
    let sent = (nodes / 2.0).floor() * card;
    Some(cables(cluster, nodes)?.min(sent))
}

fn cables(cluster: &ClusterSpec, nodes: f64) -> Option<f64> {
    let wire = cluster.wire.bandwidth;
    match &cluster.topology {
        Topology::Star => match cluster.backbone {
            Some(backbone) if backbone.policy == Policy::Shared => Some(backbone.bandwidth),
            _ => Some(f64::INFINITY),
        },
        // The cut across the longest dimension; rings are cut twice.
        Topology::Torus(dims) => {
            let longest = f64::from(*dims.iter().max()?);
            Some(2.0 * nodes / longest * wire)
        }
        Topology::Mesh(dims) => {
            let longest = f64::from(*dims.iter().max()?);
            Some(nodes / longest * wire)
        }
        // Half of the cables of the thinnest level lead out of one half of the tree.
        Topology::FatTree(tree) => (0..tree.down.len())
            .map(|level| {
                let cables = tree_width(tree, level)
                    * u64::from(tree.up[level])
                    * u64::from(tree.cables[level]);
                cables as f64 / 2.0 * wire
            })
            .reduce(f64::min),
        Topology::Dragonfly(fly) if fly.groups > 1 => {
            let half = fly.groups / 2;
            let pairs = f64::from(half) * f64::from(fly.groups - half);
            Some(pairs * f64::from(fly.blue) * wire)
        }
        Topology::Dragonfly(_) => None,
    }
}

/// Nodes (level 0) or switches at a level of a fat tree.
pub(super) fn tree_width(tree: &FatTreeSpec, level: usize) -> u64 {
    let parallel: u64 = tree.up[..level].iter().map(|up| u64::from(*up)).product();
    let subtrees: u64 = tree.down[level..].iter().map(|down| u64::from(*down)).product();
    parallel.saturating_mul(subtrees)
}
