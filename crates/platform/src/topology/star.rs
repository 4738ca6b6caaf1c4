//! Stars: every member has its own way to the centre and back.

use crate::machine::{Link, LinkId, NodeSet, Policy, Route};
use crate::spec::{Local, Sharing, WireSpec};
use crate::zone::Point;

use super::cluster::policy;

/// A star of rows of identical nodes and of single members.
#[derive(Debug, Default)]
pub(crate) struct Star {
    /// In slot order.
    pub(crate) parts: Vec<Part>,
    /// A link all messages cross once at the centre.
    pub(crate) backbone: Option<(LinkId, f64)>,
    /// The backbone, if it is numbered with the rows rather than declared.
    pub(crate) own_backbone: Option<Link>,
    /// Whether coordinates add latency.
    pub(crate) vivaldi: bool,
}

/// Consecutive slots of a star.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) first_slot: u32,
    pub(crate) kind: PartKind,
}

#[derive(Debug)]
pub(crate) enum PartKind {
    Row(Row),
    Spoke(Box<Spoke>),
}

/// Identical nodes. Links are numbered node by node: cable (one or two), limiter, loopback.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) set: u32,
    pub(crate) wire: WireSpec,
    pub(crate) limiter: Option<f64>,
    pub(crate) local: Local,
    /// Id of the first link of the first node.
    pub(crate) first_link: u32,
    pub(crate) style: RowStyle,
}

/// How the links of a row are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowStyle {
    /// `<zone>_link_<number>…`
    Cluster,
    /// `link_<host>…`
    Cabinet,
}

/// A member with declared links.
#[derive(Debug, Default)]
pub(crate) struct Spoke {
    pub(crate) up: Vec<(LinkId, f64)>,
    pub(crate) down: Vec<(LinkId, f64)>,
    /// Where a member that is a zone is entered and left.
    pub(crate) gateway: Option<Point>,
    /// Milliseconds.
    pub(crate) coordinates: Option<[f64; 3]>,
}

impl Row {
    /// Links of one node.
    pub(crate) fn links_per_node(&self) -> u32 {
        let own = matches!(self.local, Local::Own { .. });
        self.cable_links() + u32::from(self.limiter.is_some()) + u32::from(own)
    }

    fn cable_links(&self) -> u32 {
        if self.wire.sharing == Sharing::SplitDuplex { 2 } else { 1 }
    }

    fn id(&self, node: u32, which: u32) -> LinkId {
        LinkId(self.first_link + node * self.links_per_node() + which)
    }

    fn limiter_id(&self, node: u32) -> Option<LinkId> {
        self.limiter.map(|_| self.id(node, self.cable_links()))
    }

    fn link(&self, which: u32) -> Link {
        if which < self.cable_links() {
            let WireSpec { bandwidth, latency, sharing } = self.wire;
            return Link { bandwidth, latency, policy: policy(sharing) };
        }
        match (which - self.cable_links(), self.limiter, self.local) {
            (0, Some(bandwidth), _) => Link { bandwidth, latency: 0.0, policy: Policy::Shared },
            (_, _, Local::Own { bandwidth, latency }) => {
                Link { bandwidth, latency, policy: Policy::FatPipe }
            }
            _ => unreachable!("a node has no link past its loopback"),
        }
    }

    fn ending(&self, which: u32) -> &'static str {
        match (self.wire.sharing, which) {
            (Sharing::SplitDuplex, 0) => "_UP",
            (Sharing::SplitDuplex, 1) => "_DOWN",
            (_, 0) => "",
            (_, n) if n == self.cable_links() && self.limiter.is_some() => "_limiter",
            _ => "_loopback",
        }
    }

    fn stem(&self, node: u32, zone: &str, sets: &[NodeSet]) -> String {
        let naming = &sets[self.set as usize].naming;
        match self.style {
            RowStyle::Cluster => format!("{zone}_link_{}", naming.number(node as usize)),
            RowStyle::Cabinet => format!("link_{}", naming.name(node as usize)),
        }
    }

    fn find_link(&self, name: &str, zone: &str, sets: &[NodeSet]) -> Option<u32> {
        let naming = &sets[self.set as usize].naming;
        (0..self.links_per_node()).find_map(|which| {
            let stem = name.strip_suffix(self.ending(which))?;
            let node = match self.style {
                RowStyle::Cluster => {
                    let number = stem.strip_prefix(zone)?.strip_prefix("_link_")?;
                    naming.find(&format!("{}{number}{}", naming.prefix(), naming.suffix()))?
                }
                RowStyle::Cabinet => naming.find(stem.strip_prefix("link_")?)?,
            };
            Some(self.id(node as u32, which).0)
        })
    }
}

impl Star {
    fn part(&self, slot: u32) -> (&Part, u32) {
        let index = self.parts.partition_point(|part| part.first_slot <= slot) - 1;
        (&self.parts[index], slot - self.parts[index].first_slot)
    }

    /// The member with declared links at a slot.
    pub(crate) fn spoke_mut(&mut self, slot: u32) -> Option<&mut Spoke> {
        let index = self.parts.partition_point(|part| part.first_slot <= slot).checked_sub(1)?;
        match &mut self.parts[index].kind {
            PartKind::Spoke(spoke) => Some(spoke),
            PartKind::Row(_) => None,
        }
    }

    /// Where the members at two slots are left and entered.
    pub(crate) fn gateways(&self, from: u32, to: u32) -> (Option<Point>, Option<Point>) {
        let gateway = |slot| match &self.part(slot).0.kind {
            PartKind::Spoke(spoke) => spoke.gateway,
            PartKind::Row(_) => None,
        };
        (gateway(from), gateway(to))
    }

    /// Appends the links from one slot to another.
    pub(crate) fn route(&self, from: u32, to: u32, loopback: (LinkId, f64), route: &mut Route) {
        if from == to
            && let PartKind::Row(row) = &self.part(from).0.kind
        {
            let node = self.part(from).1;
            match row.local {
                Local::Own { latency, .. } => {
                    return route.push(row.id(node, row.links_per_node() - 1), latency);
                }
                Local::Platform => return route.push(loopback.0, loopback.1),
                Local::Crossing => {}
            }
        }
        let mut way = Way { start: route.links.len(), route };
        self.climb(from, &mut way);
        self.descend(to, &mut way);
        if self.vivaldi {
            way.route.latency += self.distance(from, to);
        }
    }

    fn climb(&self, slot: u32, way: &mut Way<'_>) {
        let (part, node) = self.part(slot);
        match &part.kind {
            PartKind::Row(row) => {
                row.limiter_id(node).into_iter().for_each(|limiter| way.add(limiter, 0.0));
                way.add(row.id(node, 0), row.wire.latency);
                self.cross(way);
            }
            PartKind::Spoke(spoke) => spoke.up.iter().for_each(|(id, lat)| way.add(*id, *lat)),
        }
    }

    fn descend(&self, slot: u32, way: &mut Way<'_>) {
        let (part, node) = self.part(slot);
        match &part.kind {
            PartKind::Row(row) => {
                self.cross(way);
                way.add(row.id(node, row.cable_links() - 1), row.wire.latency);
                row.limiter_id(node).into_iter().for_each(|limiter| way.add(limiter, 0.0));
            }
            PartKind::Spoke(spoke) => spoke.down.iter().for_each(|(id, lat)| way.add(*id, *lat)),
        }
    }

    fn cross(&self, way: &mut Way<'_>) {
        if let Some((backbone, latency)) = self.backbone {
            way.add(backbone, latency);
        }
    }

    /// Seconds between two members by their coordinates: the plane, plus the height of each.
    fn distance(&self, from: u32, to: u32) -> f64 {
        let place = |slot| match &self.part(slot).0.kind {
            PartKind::Spoke(spoke) => spoke.coordinates.unwrap_or_default(),
            PartKind::Row(_) => [0.0; 3],
        };
        let (a, b) = (place(from), place(to));
        let plane = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        (plane + a[2].abs() + b[2].abs()) / 1000.0
    }

    /// What the link with this id, numbered with this star, can do.
    pub(crate) fn link(&self, id: u32) -> Link {
        match self.row_of(id) {
            Some(row) => row.link((id - row.first_link) % row.links_per_node()),
            None => self.own_backbone.expect("a link of a star is of a row or its backbone"),
        }
    }

    pub(crate) fn link_name(&self, id: u32, zone: &str, sets: &[NodeSet]) -> String {
        let Some(row) = self.row_of(id) else { return format!("{zone}_backbone") };
        let (node, which) = (
            (id - row.first_link) / row.links_per_node(),
            (id - row.first_link) % row.links_per_node(),
        );
        row.stem(node, zone, sets) + row.ending(which)
    }

    /// The id of the link of this name, if it is numbered with this star.
    pub(crate) fn find_link(&self, name: &str, zone: &str, sets: &[NodeSet]) -> Option<u32> {
        if self.own_backbone.is_some() && name.strip_prefix(zone) == Some("_backbone") {
            return self.backbone.map(|(id, _)| id.0);
        }
        self.rows().find_map(|row| row.find_link(name, zone, sets))
    }

    /// Whether a link numbered with this star draws power: cables and the backbone do.
    pub(crate) fn draws(&self, id: u32) -> bool {
        self.row_of(id).is_none() || self.first_of_cable(id).is_some()
    }

    /// How many links numbered with it do.
    pub(crate) fn drawing_links(&self, sets: &[NodeSet]) -> u64 {
        let of_row =
            |row: &Row| sets[row.set as usize].naming.count() as u64 * u64::from(row.cable_links());
        self.rows().map(of_row).sum::<u64>() + u64::from(self.own_backbone.is_some())
    }

    /// The first link of the cable that a link belongs to, if it is one of a cable.
    pub(crate) fn first_of_cable(&self, id: u32) -> Option<u32> {
        let row = self.row_of(id)?;
        let which = (id - row.first_link) % row.links_per_node();
        (which < row.cable_links()).then_some(id - which)
    }

    fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Row(row) => Some(row),
            PartKind::Spoke(_) => None,
        })
    }

    fn row_of(&self, id: u32) -> Option<&Row> {
        let own =
            self.own_backbone.and(self.backbone).is_some_and(|(backbone, _)| backbone.0 == id);
        if own { None } else { self.rows().rev().find(|row| row.first_link <= id) }
    }
}

/// A route under construction on which no link occurs twice: up and down may share some.
struct Way<'a> {
    start: usize,
    route: &'a mut Route,
}

impl Way<'_> {
    fn add(&mut self, link: LinkId, latency: f64) {
        if !self.route.links[self.start..].contains(&link) {
            self.route.push(link, latency);
        }
    }
}
