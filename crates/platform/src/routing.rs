//! The way between two hosts through the tree of zones.

use crate::machine::{LinkId, Platform, Route};
use crate::topology::graph::Graph;
use crate::zone::{Bypass, Kind, Point, Zone};

/// No way between two points.
#[derive(Debug)]
pub(crate) struct Unreachable;

/// The zone in which two points, or the zones around them, are members.
struct Meeting {
    zone: u32,
    from: u32,
    to: u32,
}

impl Platform {
    /// Appends the links from one point to another.
    ///
    /// Recursion goes strictly down the tree: gateways lie inside the zone they belong to.
    pub(crate) fn connect(
        &self,
        from: Point,
        to: Point,
        route: &mut Route,
    ) -> Result<(), Unreachable> {
        let meeting = self.meet(from, to);
        let zone = &self.zones[meeting.zone as usize];
        if !zone.bypasses.is_empty()
            && let Some(bypass) = self.bypass(meeting.zone, from, to)
        {
            return self.take_bypass(bypass, from, to, route);
        }
        if from.zone == meeting.zone && to.zone == meeting.zone {
            return self.connect_members(zone, meeting.from, meeting.to, route);
        }
        let (exit, entry) = self.gateways(zone, meeting.from, meeting.to)?;
        if from.zone != meeting.zone {
            let exit = exit.ok_or(Unreachable)?;
            if exit != from {
                self.connect(from, exit, route)?;
            }
        }
        self.connect_members(zone, meeting.from, meeting.to, route)?;
        if to.zone != meeting.zone {
            let entry = entry.ok_or(Unreachable)?;
            if entry != to {
                self.connect(entry, to, route)?;
            }
        }
        Ok(())
    }

    /// Climbs from both points until they are members of one zone.
    fn meet(&self, from: Point, to: Point) -> Meeting {
        let (mut a, mut b) = (from, to);
        while a.zone != b.zone {
            if self.depth(a) >= self.depth(b) {
                a = self.around(a);
            } else {
                b = self.around(b);
            }
        }
        Meeting { zone: a.zone, from: a.slot, to: b.slot }
    }

    fn depth(&self, point: Point) -> u32 {
        self.zones[point.zone as usize].depth
    }

    /// The zone around a point, as a point.
    fn around(&self, point: Point) -> Point {
        self.zones[point.zone as usize].place.expect("two points meet at the root at the latest")
    }

    /// The `steps`-th zone around a point, as a point, as long as it lies inside `limit`.
    fn zone_around(&self, point: Point, steps: u32, limit: u32) -> Option<Point> {
        let mut here = point;
        for _ in 0..=steps {
            if here.zone == limit {
                return None;
            }
            here = self.around(here);
        }
        Some(here)
    }

    fn bypass(&self, zone: u32, from: Point, to: Point) -> Option<&Bypass> {
        let bypasses = &self.zones[zone as usize].bypasses;
        if from.zone == zone && to.zone == zone {
            return bypasses.get(&(from, to));
        }
        let lookup = |out: u32, into: u32| {
            let key = (self.zone_around(from, out, zone)?, self.zone_around(to, into, zone)?);
            bypasses.get(&key)
        };
        // The innermost pair of zones wins, as in SimGrid: pairs in order of their larger step.
        let steps = self.depth(from).max(self.depth(to)) - self.zones[zone as usize].depth;
        (0..steps).find_map(|most| {
            (0..most)
                .find_map(|less| lookup(less, most).or_else(|| lookup(most, less)))
                .or_else(|| lookup(most, most))
        })
    }

    fn take_bypass(
        &self,
        bypass: &Bypass,
        from: Point,
        to: Point,
        route: &mut Route,
    ) -> Result<(), Unreachable> {
        if let Some((exit, _)) = bypass.gateways {
            self.connect(from, exit, route)?;
        }
        bypass.links.iter().for_each(|(link, latency)| route.push(*link, *latency));
        if let Some((_, entry)) = bypass.gateways {
            self.connect(entry, to, route)?;
        }
        Ok(())
    }

    /// Where two members that are zones are left and entered.
    fn gateways(
        &self,
        zone: &Zone,
        from: u32,
        to: u32,
    ) -> Result<(Option<Point>, Option<Point>), Unreachable> {
        match &zone.kind {
            Kind::Empty | Kind::Cluster(_) => Err(Unreachable),
            Kind::Star(star) => Ok(star.gateways(from, to)),
            Kind::Graph(graph) => {
                let last = graph.last_edge(from, to).ok_or(Unreachable)?;
                let mut first = last;
                while first.from != from {
                    first = graph.last_edge(from, first.from).ok_or(Unreachable)?;
                }
                Ok((first.gateways.map(|g| g.0), last.gateways.map(|g| g.1)))
            }
        }
    }

    fn connect_members(
        &self,
        zone: &Zone,
        from: u32,
        to: u32,
        route: &mut Route,
    ) -> Result<(), Unreachable> {
        let loopback = (self.loopback(), self.network().loopback.latency);
        match &zone.kind {
            Kind::Empty => Err(Unreachable),
            Kind::Star(star) => {
                star.route(from, to, loopback, route);
                Ok(())
            }
            Kind::Cluster(cluster) => {
                cluster.route(from, to, loopback, route);
                Ok(())
            }
            Kind::Graph(graph) if from == to => {
                match graph.between(from, to) {
                    Some(edge) => edge.links.iter().for_each(|(id, lat)| route.push(*id, *lat)),
                    None => route.push(loopback.0, loopback.1),
                }
                Ok(())
            }
            Kind::Graph(graph) => self.follow(graph, from, to, route),
        }
    }

    /// Walks a shortest path backwards, then turns it round: no memory is needed.
    fn follow(
        &self,
        graph: &Graph,
        from: u32,
        to: u32,
        route: &mut Route,
    ) -> Result<(), Unreachable> {
        let start = route.links.len();
        let mut here = to;
        let mut exit: Option<Point> = None;
        while here != from {
            let edge = graph.last_edge(from, here).ok_or(Unreachable)?;
            // Between two legs that touch a zone at different gateways, the zone is crossed.
            if let (Some((_, entry)), Some(exit)) = (edge.gateways, exit)
                && entry != exit
            {
                let inner = route.links.len();
                self.connect(entry, exit, route)?;
                route.links[inner..].reverse();
            }
            edge.links.iter().rev().for_each(|(link, latency)| route.push(*link, *latency));
            exit = edge.gateways.map(|g| g.0);
            here = edge.from;
        }
        route.links[start..].reverse();
        Ok(())
    }
}

/// A list of links with their latencies, as routes keep them.
pub(crate) type Links = Box<[(LinkId, f64)]>;
