//! Zones: parts of a machine with one way of routing each, nested into a tree.

use rustc_hash::FxHashMap;

use crate::machine::{Link, LinkId, NodeSet};
use crate::spec::Properties;
use crate::topology::cluster::Cluster;
use crate::topology::graph::Graph;
use crate::topology::star::Star;

/// A host, router or inner zone: the zone it is a member of, and its place among the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    pub(crate) zone: u32,
    pub(crate) slot: u32,
}

/// One zone of the tree.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) name: String,
    pub(crate) properties: Properties,
    /// Whether it is identical nodes in a regular network.
    pub(crate) is_cluster: bool,
    /// This zone as a member of its parent.
    pub(crate) place: Option<Point>,
    /// Zones above this one.
    pub(crate) depth: u32,
    pub(crate) kind: Kind,
    pub(crate) bypasses: FxHashMap<(Point, Point), Bypass>,
    /// Id of the first computed link.
    pub(crate) first_link: u32,
}

/// How a zone routes.
#[derive(Debug)]
pub(crate) enum Kind {
    Empty,
    Graph(Graph),
    Star(Star),
    Cluster(Cluster),
}

/// A way that overrides routing.
#[derive(Debug)]
pub(crate) struct Bypass {
    pub(crate) links: Box<[(LinkId, f64)]>,
    pub(crate) gateways: Option<(Point, Point)>,
}

impl Zone {
    /// What a computed link, counted from the first of this zone, can do.
    pub(crate) fn computed_link(&self, index: u32) -> Link {
        match &self.kind {
            Kind::Star(star) => star.link(self.first_link + index),
            Kind::Cluster(cluster) => cluster.link(index),
            Kind::Empty | Kind::Graph(_) => unreachable!("only regular zones have computed links"),
        }
    }

    /// The name of a computed link.
    pub(crate) fn computed_link_name(&self, index: u32, sets: &[NodeSet]) -> String {
        match &self.kind {
            Kind::Star(star) => star.link_name(self.first_link + index, &self.name, sets),
            Kind::Cluster(cluster) => cluster.link_name(index, &self.name, sets),
            Kind::Empty | Kind::Graph(_) => unreachable!("only regular zones have computed links"),
        }
    }

    /// The computed link of this name, counted from the first of this zone.
    pub(crate) fn find_computed_link(&self, name: &str, sets: &[NodeSet]) -> Option<u32> {
        match &self.kind {
            Kind::Star(star) => {
                star.find_link(name, &self.name, sets).map(|id| id - self.first_link)
            }
            Kind::Cluster(cluster) => cluster.find_link(name, &self.name, sets),
            Kind::Empty | Kind::Graph(_) => None,
        }
    }
}
