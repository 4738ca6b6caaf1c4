//! Second pass: routes, gateways, host links and profiles find what they name.

use foretell_diagnostics::nearest;

use crate::machine::{Link, LinkId};
use crate::profile::{Profile, ProfileTarget};
use crate::routing::Links;
use crate::spec::{
    Direction, GeneralSpec, HostLinkSpec, LinkSpec, LinkUse, Member, PeerSpec, PlatformSpec,
    ProfileKind, ProfileSpec, RouteSpec, Routing, Sharing, Spanned, ZoneContent, ZoneSpec,
};
use crate::topology::graph::Edge;
use crate::zone::{Bypass, Kind, Point};

use super::{Builder, Named};

impl Builder {
    pub(super) fn resolve(&mut self, spec: &PlatformSpec) {
        let mut next = 0;
        self.resolve_zone(&spec.root, &mut next);
        spec.profiles.iter().for_each(|profile| self.profile(profile));
        for (index, node) in (0..).zip(&spec.overrides) {
            self.check_node(&node.node, &node.name);
            match self.find_host(&node.name.value) {
                Some(host) => drop(self.overrides.insert(host.0, index)),
                None => self.unknown("host", &node.name, self.similar_name(&node.name.value)),
            }
        }
    }

    /// Visits zones in the order in which they were declared.
    fn resolve_zone(&mut self, spec: &ZoneSpec, next: &mut u32) {
        let id = *next;
        if self.zones.get(id as usize).is_none_or(|zone| zone.name != spec.name.value) {
            return;
        }
        *next += 1;
        let ZoneContent::General(general) = &spec.content else { return };
        for member in &general.members {
            if let Member::Zone(inner) = member {
                self.resolve_zone(inner, next);
            }
        }
        self.resolve_members(id, general);
    }

    fn resolve_members(&mut self, zone: u32, spec: &GeneralSpec) {
        if matches!(spec.routing, Routing::Star | Routing::Vivaldi) {
            self.resolve_star(zone, spec);
        } else {
            for link in &spec.host_links {
                let message = "a host_link needs a zone with routing=\"Cluster\"";
                self.error(&link.host.span, message);
            }
        }
        for route in &spec.routes {
            self.route(zone, route, spec.routing);
        }
        for route in &spec.bypasses {
            self.bypass(zone, route);
        }
    }

    fn resolve_star(&mut self, zone: u32, spec: &GeneralSpec) {
        let backbone = spec.backbone.as_ref().and_then(|link| {
            let id = *self.declared_names.get(&link.name.value)?;
            Some((id, link.latency))
        });
        if let Kind::Star(star) = &mut self.zones[zone as usize].kind {
            star.backbone = backbone;
        }
        for link in &spec.host_links {
            self.host_link(zone, link, backbone);
        }
        for (slot, member) in slots(self, zone, spec) {
            match member {
                Member::Peer(peer) => self.peer(zone, slot, peer),
                Member::Zone(inner) => self.star_gateway(zone, slot, inner),
                _ => {}
            }
        }
    }

    fn host_link(&mut self, zone: u32, spec: &HostLinkSpec, backbone: Option<(LinkId, f64)>) {
        let place = self.point(&spec.host, "host");
        let up = self.link_named(&spec.up, Direction::Plain);
        let down = self.link_named(&spec.down, Direction::Plain);
        let (Some(place), Some(up), Some(down)) = (place, up, down) else { return };
        let (up, down) = (self.with_latency(up.0), self.with_latency(down.0));
        let spoke = match &mut self.zones[zone as usize].kind {
            Kind::Star(star) if place.zone == zone => star.spoke_mut(place.slot),
            _ => None,
        };
        let Some(spoke) = spoke else {
            let message = format!("`{}` is not a single host of this zone", spec.host.value);
            return self.error(&spec.host.span, message);
        };
        spoke.up = [Some(up), backbone].into_iter().flatten().collect();
        spoke.down = [backbone, Some(down)].into_iter().flatten().collect();
    }

    /// The access links of a peer were declared with its zone.
    fn peer(&mut self, zone: u32, slot: u32, spec: &PeerSpec) {
        let [up, down] = peer_links(spec).map(|link| self.declared_names.get(&link.name.value));
        let (Some(up), Some(down)) = (up.copied(), down.copied()) else { return };
        if let Kind::Star(star) = &mut self.zones[zone as usize].kind
            && let Some(spoke) = star.spoke_mut(slot)
        {
            spoke.up = vec![(up, 0.0)];
            spoke.down = vec![(down, 0.0)];
        }
    }

    /// In a Vivaldi zone, an inner zone is entered through the router that bears its name.
    fn star_gateway(&mut self, zone: u32, slot: u32, inner: &ZoneSpec) {
        let name = format!("router_{}", inner.name.value);
        let gateway = match self.names.get(&name) {
            Some(Named::Router(point)) => *point,
            _ => {
                let message = format!("no way into zone `{}` from a star", inner.name.value);
                let help = format!("name one of its routers `{name}`");
                return self.error_with_help(&inner.name.span, message, help);
            }
        };
        if let Kind::Star(star) = &mut self.zones[zone as usize].kind
            && let Some(spoke) = star.spoke_mut(slot)
        {
            spoke.gateway = Some(gateway);
        }
    }

    fn route(&mut self, zone: u32, spec: &RouteSpec, routing: Routing) {
        // Everything is looked at, so that all mistakes of a route are told.
        let ends = self.ends(zone, spec);
        let links = self.links(&spec.links);
        let Some((from, to)) = ends else { return };
        let gateways = self.route_gateways(spec, from, to);
        let (Some(gateways), Some((there, back))) = (gateways, links) else { return };
        let Kind::Graph(graph) = &mut self.zones[zone as usize].kind else {
            let message = format!("a zone with routing {routing:?} takes no routes");
            return self.error(&spec.span, message);
        };
        let forward = Edge { from: from.slot, to: to.slot, links: there, gateways };
        let mut again = (!graph.add(forward)).then_some((&spec.from, &spec.to));
        if spec.symmetrical && from != to {
            let gateways = gateways.map(|(exit, entry)| (entry, exit));
            let backward = Edge { from: to.slot, to: from.slot, links: back, gateways };
            if !graph.add(backward) {
                again = again.or(Some((&spec.to, &spec.from)));
            }
        }
        if let Some((from, to)) = again {
            self.error_with_help(
                &spec.span,
                format!("there is already a route from `{}` to `{}`", from.value, to.value),
                "routes are symmetrical unless they say symmetrical=\"NO\"",
            );
        }
    }

    fn bypass(&mut self, zone: u32, spec: &RouteSpec) {
        let (Some(from), Some(to)) = (self.any_point(&spec.from), self.any_point(&spec.to)) else {
            return;
        };
        let gateways = self.route_gateways(spec, from, to);
        let links = self.links(&spec.links);
        let (Some(gateways), Some((links, _))) = (gateways, links) else { return };
        let bypasses = &mut self.zones[zone as usize].bypasses;
        if bypasses.insert((from, to), Bypass { links, gateways }).is_some() {
            let (from, to) = (&spec.from.value, &spec.to.value);
            let message = format!("there is already a bypass from `{from}` to `{to}`");
            self.error(&spec.span, message);
        }
    }

    /// Both ends of a route, as members of the zone it is declared in.
    fn ends(&mut self, zone: u32, spec: &RouteSpec) -> Option<(Point, Point)> {
        let mut end = |name: &Spanned<String>| {
            let point = self.any_point(name)?;
            if point.zone != zone {
                let inside = &self.zones[point.zone as usize].name;
                let message = format!("`{}` is in zone `{inside}`, not in this one", name.value);
                self.error(&name.span, message);
                return None;
            }
            Some(point)
        };
        let (from, to) = (end(&spec.from), end(&spec.to));
        Some((from?, to?))
    }

    /// The gateways of a route: both, or none if its ends are no zones.
    #[expect(clippy::option_option, reason = "outside: a mistake; inside: none needed")]
    fn route_gateways(
        &mut self,
        spec: &RouteSpec,
        from: Point,
        to: Point,
    ) -> Option<Option<(Point, Point)>> {
        let zones = [&spec.from, &spec.to].map(|end| self.zone_named(&end.value));
        let Some((exit, entry)) = &spec.gateways else {
            let mut missing = [(&spec.from, zones[0]), (&spec.to, zones[1])]
                .into_iter()
                .filter(|(_, zone)| zone.is_some());
            return match missing.next() {
                None => Some(None),
                Some((end, _)) => {
                    self.error_with_help(
                        &end.span,
                        format!("`{}` is a zone", end.value),
                        "a route between zones is a <zoneRoute> with gw_src and gw_dst",
                    );
                    None
                }
            };
        };
        let exit = self.gateway(exit, zones[0], from, &spec.from);
        let entry = self.gateway(entry, zones[1], to, &spec.to);
        Some(Some((exit?, entry?)))
    }

    /// A gateway, which must lie inside the zone it opens (or be the member itself).
    fn gateway(
        &mut self,
        name: &Spanned<String>,
        zone: Option<u32>,
        member: Point,
        end: &Spanned<String>,
    ) -> Option<Point> {
        let point = self.point(name, "gateway")?;
        let fits = match zone {
            Some(zone) => self.is_inside(point, zone),
            None => point == member,
        };
        if !fits {
            let inside = self.zones[point.zone as usize].name.clone();
            let message =
                format!("gateway `{}` is in zone `{inside}`, not in `{}`", name.value, end.value);
            self.error(&name.span, message);
            return None;
        }
        Some(point)
    }

    fn is_inside(&self, point: Point, zone: u32) -> bool {
        let mut here = Some(point);
        while let Some(point) = here {
            if point.zone == zone {
                return true;
            }
            here = self.zones[point.zone as usize].place;
        }
        false
    }

    fn zone_named(&self, name: &str) -> Option<u32> {
        match self.names.get(name) {
            Some(Named::Zone(zone)) => Some(*zone),
            _ => None,
        }
    }

    /// A host, router or zone.
    fn any_point(&mut self, name: &Spanned<String>) -> Option<Point> {
        if let Some(zone) = self.zone_named(&name.value) {
            let place = self.zones[zone as usize].place;
            if place.is_none() {
                let message = format!("`{}` is the outermost zone", name.value);
                self.error(&name.span, message);
            }
            return place;
        }
        self.point(name, "host, router or zone")
    }

    /// A host or router.
    fn point(&mut self, name: &Spanned<String>, what: &str) -> Option<Point> {
        let found = match self.names.get(&name.value) {
            Some(Named::Single(index)) => Some(self.singles[*index as usize].point),
            Some(Named::Router(point)) => Some(*point),
            Some(Named::Zone(_)) => {
                let message = format!("`{}` is a zone; a host or router is needed", name.value);
                self.error(&name.span, message);
                return None;
            }
            None => self.sets.iter().find_map(|set| {
                let slot = set.first_slot + set.naming.find(&name.value)? as u32;
                Some(Point { zone: set.zone, slot })
            }),
        };
        if found.is_none() {
            let help = self.similar_name(&name.value);
            self.unknown(what, name, help);
        }
        found
    }

    fn similar_name(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        nearest(name, names).map(|near| format!("did you mean `{near}`?"))
    }

    fn unknown(&mut self, what: &str, name: &Spanned<String>, help: Option<String>) {
        let message = format!("there is no {what} `{}`", name.value);
        let diagnostic = foretell_diagnostics::Diagnostic::error(name.span.clone(), message);
        self.diagnostics.push(diagnostic.with_help_if(help));
    }

    /// The links of a route, and those of the way back in its order.
    fn links(&mut self, uses: &[LinkUse]) -> Option<(Links, Links)> {
        let found: Vec<_> =
            uses.iter().map(|used| self.link_named(&used.link, used.direction)).collect();
        let found: Option<Vec<_>> = found.into_iter().collect();
        let found = found?;
        let there = found.iter().map(|(there, _)| self.with_latency(*there)).collect();
        let back = found.iter().rev().map(|(_, back)| self.with_latency(*back)).collect();
        Some((there, back))
    }

    fn with_latency(&self, id: LinkId) -> (LinkId, f64) {
        (id, self.link_of(id).latency)
    }

    fn link_of(&self, id: LinkId) -> Link {
        if let Some(declared) = self.declared.get(id.0 as usize) {
            return declared.link;
        }
        let after = self.blocks.partition_point(|block| block.first <= id.0);
        let block = self.blocks[after - 1];
        self.zones[block.zone as usize].computed_link(id.0 - block.first)
    }

    /// A link there, and the link to take on the way back.
    fn link_named(
        &mut self,
        name: &Spanned<String>,
        direction: Direction,
    ) -> Option<(LinkId, LinkId)> {
        let halves = self.halves.get(&name.value).copied();
        match (halves, direction) {
            (Some((up, down)), Direction::Up) => return Some((up, down)),
            (Some((up, down)), Direction::Down) => return Some((down, up)),
            (Some(_), Direction::Plain) => {
                self.error_with_help(
                    &name.span,
                    format!("link `{}` is split-duplex: say which half", name.value),
                    "add direction=\"UP\" or direction=\"DOWN\"",
                );
                return None;
            }
            (None, _) => {}
        }
        let Some(id) = self.find_link(&name.value) else {
            let mut names: Vec<&str> = self.declared_names.keys().map(String::as_str).collect();
            names.extend(self.halves.keys().map(String::as_str));
            names.sort_unstable();
            let help = nearest(&name.value, names).map(|near| format!("did you mean `{near}`?"));
            self.unknown("link", name, help);
            return None;
        };
        if direction != Direction::Plain {
            self.error_with_help(
                &name.span,
                format!("link `{}` is not split-duplex and has no direction", name.value),
                "declare it with sharing_policy=\"SPLITDUPLEX\", or leave out the direction",
            );
            return None;
        }
        Some((id, id))
    }

    fn find_link(&self, name: &str) -> Option<LinkId> {
        if let Some(id) = self.declared_names.get(name) {
            return Some(*id);
        }
        self.blocks.iter().find_map(|block| {
            let zone = &self.zones[block.zone as usize];
            let index = zone.find_computed_link(name, &self.sets)?;
            Some(LinkId(block.first + index))
        })
    }

    fn profile(&mut self, spec: &ProfileSpec) {
        let element = &spec.element;
        let targets: Vec<ProfileTarget> = match spec.kind {
            ProfileKind::HostSpeed | ProfileKind::HostState => {
                let Some(host) = self.find_host(&element.value) else {
                    let help = self.similar_name(&element.value);
                    return self.unknown("host", element, help);
                };
                vec![match spec.kind {
                    ProfileKind::HostSpeed => ProfileTarget::HostSpeed(host),
                    _ => ProfileTarget::HostState(host),
                }]
            }
            kind => {
                let Some(links) = self.profiled_links(&element.value) else {
                    return self.unknown("link", element, None);
                };
                let target = |link| match kind {
                    ProfileKind::LinkBandwidth => ProfileTarget::LinkBandwidth(link),
                    ProfileKind::LinkLatency => ProfileTarget::LinkLatency(link),
                    _ => ProfileTarget::LinkState(link),
                };
                links.into_iter().map(target).collect()
            }
        };
        for target in targets {
            let (events, repeat_after) = (spec.events.clone(), spec.repeat_after);
            self.profiles.push(Profile { target, events, repeat_after });
        }
    }

    /// One link, or both halves of a split one.
    fn profiled_links(&self, name: &str) -> Option<Vec<LinkId>> {
        if let Some((up, down)) = self.halves.get(name) {
            return Some(vec![*up, *down]);
        }
        self.find_link(name).map(|id| vec![id])
    }
}

/// The two links between a peer and the rest of its zone, up first.
pub(super) fn peer_links(spec: &PeerSpec) -> [LinkSpec; 2] {
    let link = |ending: &str, bandwidth| LinkSpec {
        name: Spanned::new(format!("link_{}_{ending}", spec.name.value), spec.name.span.clone()),
        bandwidth,
        latency: 0.0,
        sharing: Sharing::Shared,
        properties: Vec::new(),
    };
    [link("UP", spec.bandwidth_out), link("DOWN", spec.bandwidth_in)]
}

/// The members of a zone with their slots.
fn slots<'a>(builder: &Builder, zone: u32, spec: &'a GeneralSpec) -> Vec<(u32, &'a Member)> {
    let Kind::Star(star) = &builder.zones[zone as usize].kind else { return Vec::new() };
    star.parts.iter().map(|part| part.first_slot).zip(&spec.members).collect()
}
