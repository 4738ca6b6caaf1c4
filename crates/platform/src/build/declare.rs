//! First pass: every zone, host, router and link gets its number.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::machine::{
    DeclaredLink, Disk, HostId, HostSegment, HostSource, Link, LinkBlock, LinkId, NodeSet,
    SingleHost,
};
use crate::names::{Naming, NumberRange};
use crate::options;
use crate::settings::HostOverheads;
use crate::spec::{
    CabinetSpec, ClusterSpec, GeneralSpec, HostSpec, LinkSpec, Local, Member, NodeSpec,
    PlatformSpec, Routing, Sharing, Spanned, Topology, WireSpec, ZoneContent, ZoneSpec,
};
use crate::topology::cluster::{Cluster, Fabric, policy};
use crate::topology::dragonfly::{BadDragonfly, Dragonfly};
use crate::topology::fat_tree::{BadFatTree, FatTree, MAX_LEVELS};
use crate::topology::graph::Graph;
use crate::topology::grid::{BadGrid, Ends, Grid, MAX_DIMENSIONS};
use crate::topology::star::{Part, PartKind, Row, RowStyle, Spoke, Star};
use crate::zone::{Kind, Point, Zone};

use super::resolve::peer_links;
use super::{Builder, MAX_DEPTH, MAX_HOSTS, Named, property};

impl Builder {
    pub(super) fn declare(&mut self, spec: &PlatformSpec) {
        self.zone(&spec.root, None);
        let links = self.declared.len() as u64 + self.computed + 1;
        if links > u64::from(u32::MAX) {
            let message = format!("{links} links are more than can be numbered");
            return self.error(&spec.root.name.span, message);
        }
        self.shift_computed_links(self.declared.len() as u32);
        self.check_names();
        if let Some(storage) = &spec.storage {
            self.check_disk(storage, &spec.root.name.span, "the storage");
        }
    }

    fn zone(&mut self, spec: &ZoneSpec, place: Option<Point>) {
        let depth = place.map_or(0, |p| self.zones[p.zone as usize].depth + 1);
        if depth > MAX_DEPTH {
            let message = format!("zones are nested more than {MAX_DEPTH} deep");
            return self.error(&spec.name.span, message);
        }
        let id = self.zones.len() as u32;
        self.zones.push(Zone {
            name: spec.name.value.clone(),
            properties: spec.properties.clone(),
            is_cluster: matches!(spec.content, ZoneContent::Cluster(_)),
            place,
            depth,
            kind: Kind::Empty,
            bypasses: FxHashMap::default(),
            first_link: 0,
        });
        self.name(&spec.name, Named::Zone(id), "zone");
        let first_link = self.computed;
        let kind = match &spec.content {
            ZoneContent::Cluster(cluster) => self.cluster(id, spec, cluster),
            ZoneContent::General(general) => self.general(id, general),
        };
        self.zones[id as usize].kind = kind;
        // Inner zones have taken their blocks already: only regular zones own what they counted.
        let own = match &self.zones[id as usize].kind {
            Kind::Star(_) | Kind::Cluster(_) => self.computed > first_link,
            Kind::Empty | Kind::Graph(_) => false,
        };
        if own {
            let first = u32::try_from(first_link).unwrap_or(u32::MAX);
            self.zones[id as usize].first_link = first;
            self.blocks.push(LinkBlock { first, zone: id });
        }
    }

    fn cluster(&mut self, zone: u32, spec: &ZoneSpec, cluster: &ClusterSpec) -> Kind {
        self.check_node(&cluster.node, &spec.name);
        self.check_wire(&cluster.wire, &spec.name);
        let Some((fabric, cables_before)) = self.fabric(cluster) else {
            // The shape is wrong: hosts are still declared, so that routes find their names.
            self.set(zone, 0, &cluster.naming, &cluster.naming_span, &cluster.node, None);
            self.router(zone, spec, cluster);
            return Kind::Empty;
        };
        match fabric {
            None => self.star_cluster(zone, spec, cluster),
            Some(fabric) => {
                let group = match (&fabric, cluster.group_size) {
                    (Fabric::Dragonfly(fly), None) => Some(fly.group_size()),
                    (_, size) => size,
                };
                let mut built = Cluster {
                    set: 0,
                    fabric,
                    wire: cluster.wire,
                    limiter: cluster.limiter,
                    local: cluster.local,
                    first_link: u32::try_from(self.computed).unwrap_or(u32::MAX),
                    cables_before,
                };
                let naming = self.fitting(cluster, built.nodes());
                built.set = self.set(zone, 0, &naming, &cluster.naming_span, &cluster.node, group);
                self.computed += built.link_count();
                self.router(zone, spec, cluster);
                Kind::Cluster(built)
            }
        }
    }

    /// The names of the nodes a shape has place for.
    fn fitting(&mut self, cluster: &ClusterSpec, nodes: u32) -> Naming {
        let named = cluster.naming.count();
        if named < nodes as usize {
            self.error_with_help(
                &cluster.topology_span,
                format!("the topology has {nodes} nodes but only {named} are named"),
                "the product of the topology's sizes must be the number of nodes",
            );
        } else if named > nodes as usize {
            self.warn(
                &cluster.naming_span,
                format!("{named} nodes are named but the topology has only {nodes}"),
                "the last ones do not exist; SimGrid drops them silently",
            );
            return truncated(&cluster.naming, nodes);
        }
        cluster.naming.clone()
    }

    /// The shape of a cluster (`Some(None)` is a star) and the cables before it.
    fn fabric(&mut self, cluster: &ClusterSpec) -> Option<(Option<Fabric>, u64)> {
        let span = &cluster.topology_span;
        let grid = |ends, sizes: &[u32]| Grid::new(sizes, ends).map_err(grid_message);
        let built = match &cluster.topology {
            Topology::Star => return Some((None, 0)),
            Topology::Torus(sizes) => grid(Ends::Joined, sizes).map(Fabric::Grid),
            Topology::Mesh(sizes) => grid(Ends::Open, sizes).map(Fabric::Grid),
            Topology::FatTree(spec) => {
                FatTree::new(spec, self.fat_tree_nodes).map(Fabric::FatTree).map_err(tree_message)
            }
            Topology::Dragonfly(spec) => {
                Dragonfly::new(spec).map(Fabric::Dragonfly).map_err(fly_message)
            }
        };
        match built {
            Ok(fabric) => {
                if cluster.backbone.is_some() {
                    self.error(span, "only a star has a backbone");
                }
                let before = self.count_cables(&fabric);
                Some((Some(fabric), before))
            }
            Err(message) => {
                self.error(span, message);
                None
            }
        }
    }

    fn count_cables(&mut self, fabric: &Fabric) -> u64 {
        match fabric {
            Fabric::Grid(_) => 0,
            Fabric::FatTree(tree) => {
                let before = self.fat_tree_cables;
                self.fat_tree_cables += u64::from(tree.cables());
                self.fat_tree_nodes = self.fat_tree_nodes.wrapping_add(tree.nodes());
                before
            }
            Fabric::Dragonfly(fly) => {
                let before = self.dragonfly_cables;
                self.dragonfly_cables += u64::from(fly.cables());
                before
            }
        }
    }

    fn star_cluster(&mut self, zone: u32, spec: &ZoneSpec, cluster: &ClusterSpec) -> Kind {
        let (naming, span) = (&cluster.naming, &cluster.naming_span);
        let set = self.set(zone, 0, naming, span, &cluster.node, cluster.group_size);
        let row = self.row(Row {
            set,
            wire: cluster.wire,
            limiter: cluster.limiter,
            local: cluster.local,
            first_link: 0,
            style: RowStyle::Cluster,
        });
        let mut star = Star { own_backbone: cluster.backbone, ..Star::default() };
        if let Some(backbone) = cluster.backbone {
            let id = LinkId(u32::try_from(self.computed).unwrap_or(u32::MAX));
            star.backbone = Some((id, backbone.latency));
            self.computed += 1;
        }
        star.parts.push(Part { first_slot: 0, kind: PartKind::Row(row) });
        let slot = self.router(zone, spec, cluster);
        star.parts.push(Part { first_slot: slot, kind: PartKind::Spoke(Box::default()) });
        Kind::Star(star)
    }

    /// Numbers the links of a row.
    fn row(&mut self, mut row: Row) -> Row {
        row.first_link = u32::try_from(self.computed).unwrap_or(u32::MAX);
        let nodes = self.sets[row.set as usize].naming.count() as u64;
        self.computed += nodes * u64::from(row.links_per_node());
        row
    }

    /// Declares the router of a cluster in the slot after its nodes.
    fn router(&mut self, zone: u32, spec: &ZoneSpec, cluster: &ClusterSpec) -> u32 {
        let slot = self.sets.last().map_or(0, |set| set.naming.count() as u32);
        let name = cluster.router.clone().unwrap_or_else(|| {
            let (prefix, suffix) = (cluster.naming.prefix(), cluster.naming.suffix());
            let name = format!("{prefix}{}_router{suffix}", spec.name.value);
            Spanned::new(name, spec.name.span.clone())
        });
        self.name(&name, Named::Router(Point { zone, slot }), "router");
        slot
    }

    fn general(&mut self, zone: u32, spec: &GeneralSpec) -> Kind {
        spec.links.iter().for_each(|link| self.link(link));
        spec.backbone.iter().for_each(|link| self.link(link));
        let mut star = Star { vivaldi: spec.routing == Routing::Vivaldi, ..Star::default() };
        let group = self.group_count;
        let mut slot = 0;
        for member in &spec.members {
            let place = Point { zone, slot };
            let (kind, slots) = self.member(member, place, group, spec.routing);
            star.parts.push(Part { first_slot: slot, kind });
            slot += slots;
        }
        if self.singles.last().is_some_and(|s| s.group == group) {
            self.group_count = self.group_count.max(group + 1);
        }
        match spec.routing {
            Routing::None => Kind::Empty,
            Routing::Full => Kind::Graph(Graph::direct()),
            Routing::Floyd => Kind::Graph(Graph::all_pairs(slot as usize)),
            Routing::Dijkstra => Kind::Graph(Graph::per_source()),
            Routing::Star | Routing::Vivaldi => Kind::Star(star),
        }
    }

    fn member(
        &mut self,
        member: &Member,
        place: Point,
        group: u32,
        routing: Routing,
    ) -> (PartKind, u32) {
        let spoke =
            |coordinates| (PartKind::Spoke(Box::new(Spoke { coordinates, ..Spoke::default() })), 1);
        match member {
            Member::Host(host) => {
                self.place_known(routing, host.coordinates, &host.name);
                self.host(host, place, group);
                spoke(host.coordinates)
            }
            Member::Router(router) => {
                self.name(&router.name, Named::Router(place), "router");
                spoke(router.coordinates)
            }
            Member::Zone(inner) => {
                self.zone(inner, Some(place));
                spoke(None)
            }
            Member::Peer(peer) => {
                let host = HostSpec {
                    name: peer.name.clone(),
                    node: peer.node.clone(),
                    coordinates: Some(peer.coordinates),
                };
                self.host(&host, place, group);
                peer_links(peer).iter().for_each(|link| self.link(link));
                spoke(Some(peer.coordinates))
            }
            Member::Cabinet(cabinet) => self.cabinet(cabinet, place, routing),
        }
    }

    fn place_known(&mut self, routing: Routing, place: Option<[f64; 3]>, name: &Spanned<String>) {
        if routing == Routing::Vivaldi && place.is_none() {
            self.error_with_help(
                &name.span,
                format!("`{}` has no coordinates, which a Vivaldi zone needs", name.value),
                "give three numbers in milliseconds: coordinates=\"x y height\"",
            );
        }
    }

    fn cabinet(
        &mut self,
        cabinet: &CabinetSpec,
        place: Point,
        routing: Routing,
    ) -> (PartKind, u32) {
        if !matches!(routing, Routing::Star) {
            self.error_with_help(
                &cabinet.naming_span,
                "a cabinet needs a zone with routing=\"Cluster\"",
                "use a cluster instead, or change the routing of the zone",
            );
        }
        let (naming, span) = (&cabinet.naming, &cabinet.naming_span);
        let set = self.set(place.zone, place.slot, naming, span, &cabinet.node, None);
        let wire = WireSpec {
            bandwidth: cabinet.bandwidth,
            latency: cabinet.latency,
            sharing: Sharing::SplitDuplex,
        };
        let nodes = self.sets[set as usize].naming.count() as u32;
        let row = Row {
            set,
            wire,
            limiter: None,
            local: Local::Crossing,
            first_link: 0,
            style: RowStyle::Cabinet,
        };
        (PartKind::Row(self.row(row)), nodes)
    }

    fn host(&mut self, spec: &HostSpec, point: Point, group: u32) {
        self.check_node(&spec.node, &spec.name);
        let index = self.singles.len() as u32;
        let extends =
            self.segments.last().is_some_and(|s| matches!(s.source, HostSource::Singles(_)));
        if !extends {
            let source = HostSource::Singles(index);
            self.segments.push(HostSegment { first: self.host_count, source });
        }
        self.name(&spec.name, Named::Single(index), "host");
        self.singles.push(SingleHost {
            name: spec.name.value.clone(),
            node: spec.node.clone(),
            point,
            group,
            id: self.host_count,
        });
        self.host_overheads(&spec.node, self.host_count..self.host_count + 1, &spec.name.span);
        self.host_count += 1;
    }

    /// Adds a set of identical nodes and says which it is.
    fn set(
        &mut self,
        zone: u32,
        first_slot: u32,
        naming: &Naming,
        span: &Range<usize>,
        node: &NodeSpec,
        group_size: Option<u32>,
    ) -> u32 {
        let index = self.sets.len() as u32;
        let mut naming = naming.clone();
        let room = MAX_HOSTS - self.host_count.min(MAX_HOSTS);
        if naming.count() > room as usize {
            let message = format!("{} nodes are more than the {MAX_HOSTS} allowed", naming.count());
            self.error(span, message);
            naming = truncated(&naming, 1.min(room));
        }
        if naming.count() == 0 {
            self.error(span, "no node is named");
        }
        let count = naming.count() as u32;
        let first_host = self.host_count;
        if count > 0 {
            let source = HostSource::Set(index);
            self.segments.push(HostSegment { first: first_host, source });
        }
        let group_size = group_size.unwrap_or(count).max(1);
        let first_group = self.group_count;
        self.sets.push(NodeSet {
            naming,
            node: node.clone(),
            zone,
            first_slot,
            first_host,
            first_group,
            group_size,
        });
        self.set_spans.push(span.clone());
        self.group_count += count.div_ceil(group_size);
        self.host_overheads(node, first_host..first_host + count, span);
        self.host_count += count;
        index
    }

    /// Overheads that a host's properties set for it alone.
    fn host_overheads(&mut self, node: &NodeSpec, hosts: Range<u32>, span: &Range<usize>) {
        let mut read = |key: &str| {
            let text = property(&node.properties, key)?;
            let table = options::overheads(text);
            if let Err(why) = &table {
                self.error(span, format!("property `{key}` of this host: {why}"));
            }
            table.ok()
        };
        let (send, isend, receive) = (read("smpi/os"), read("smpi/ois"), read("smpi/or"));
        if send.is_some() || isend.is_some() || receive.is_some() {
            self.overheads.push(HostOverheads { hosts, send, isend, receive });
        }
    }

    fn link(&mut self, spec: &LinkSpec) {
        let LinkSpec { name, bandwidth, latency, sharing, .. } = spec;
        self.check_wire(
            &WireSpec { bandwidth: *bandwidth, latency: *latency, sharing: *sharing },
            name,
        );
        let link = Link { bandwidth: *bandwidth, latency: *latency, policy: policy(*sharing) };
        if *sharing != Sharing::SplitDuplex {
            self.declare_link(spec, name.value.clone(), link);
            return;
        }
        let up = self.declare_link(spec, format!("{}_UP", name.value), link);
        let down = self.declare_link(spec, format!("{}_DOWN", name.value), link);
        self.halves.insert(name.value.clone(), (up, down));
    }

    fn declare_link(&mut self, spec: &LinkSpec, name: String, link: Link) -> LinkId {
        let id = LinkId(self.declared.len() as u32);
        if self.declared_names.insert(name.clone(), id).is_some() {
            self.error(&spec.name.span, format!("link `{name}` is declared twice"));
        }
        self.declared.push(DeclaredLink { name, link, properties: spec.properties.clone() });
        id
    }

    fn name(&mut self, name: &Spanned<String>, named: Named, what: &str) {
        if self.names.insert(name.value.clone(), named).is_some() {
            let message = format!("{what} `{}`: this name is already in use", name.value);
            self.error(&name.span, message);
        }
    }

    pub(super) fn check_node(&mut self, node: &NodeSpec, name: &Spanned<String>) {
        let (span, of) = (&name.span, &name.value);
        if node.speeds.is_empty() || !node.speeds.iter().all(|s| s.is_finite() && *s > 0.0) {
            self.error(span, format!("the speed of `{of}` must be a positive number"));
        }
        if node.pstate >= node.speeds.len().max(1) {
            let message = format!(
                "`{of}` starts in pstate {} but has only {} of them",
                node.pstate,
                node.speeds.len()
            );
            self.error(span, message);
        }
        if node.cores == 0 {
            self.error(span, format!("`{of}` needs at least one core"));
        }
        if let Some(disk) = &node.disk {
            self.check_disk(disk, span, &format!("the disk of `{of}`"));
        }
    }

    /// Bandwidths must let something through, and a latency cannot be negative.
    pub(super) fn check_disk(&mut self, disk: &Disk, span: &Range<usize>, what: &str) {
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        if !is_positive(disk.read) || !is_positive(disk.write) {
            self.error(span, format!("{what} must read and write at positive bandwidths"));
        }
        if !(disk.latency.is_finite() && disk.latency >= 0.0) {
            self.error(span, format!("the latency of {what} must be zero or more"));
        }
    }

    fn check_wire(&mut self, wire: &WireSpec, name: &Spanned<String>) {
        if !(wire.bandwidth.is_finite() && wire.bandwidth > 0.0) {
            let message = format!("the bandwidth of `{}` must be a positive number", name.value);
            self.error(&name.span, message);
        }
        if !(wire.latency.is_finite() && wire.latency >= 0.0) {
            let message = format!("the latency of `{}` must be zero or more", name.value);
            self.error(&name.span, message);
        }
    }

    /// Moves computed links behind the declared ones, now that their number is known.
    fn shift_computed_links(&mut self, by: u32) {
        self.blocks.iter_mut().for_each(|block| block.first += by);
        for zone in &mut self.zones {
            zone.first_link += by;
            match &mut zone.kind {
                Kind::Cluster(cluster) => cluster.first_link += by,
                Kind::Star(star) => {
                    if let Some((id, _)) = &mut star.backbone {
                        id.0 += by;
                    }
                    for part in &mut star.parts {
                        if let PartKind::Row(row) = &mut part.kind {
                            row.first_link += by;
                        }
                    }
                }
                Kind::Empty | Kind::Graph(_) => {}
            }
        }
    }

    /// Computed names must not meet each other, nor names with a record of their own.
    fn check_names(&mut self) {
        let mut clashes = Vec::new();
        for (i, set) in self.sets.iter().enumerate() {
            if let Some(number) = set.naming.repeated() {
                clashes.push((i, format!("node number {number} is named twice")));
            }
            let earlier = self.sets[..i].iter().find_map(|other| other.naming.clash(&set.naming));
            if let Some(number) = earlier {
                let naming = &set.naming;
                let name = format!("{}{number}{}", naming.prefix(), naming.suffix());
                clashes.push((i, format!("host `{name}` is also in an earlier cluster")));
            }
            let single = self.singles.iter().find(|s| set.naming.find(&s.name).is_some());
            if let Some(single) = single {
                let message = format!("host `{}` is also declared by itself", single.name);
                clashes.push((i, message));
            }
        }
        for (set, message) in clashes {
            let span = self.set_spans[set].clone();
            self.error(&span, message);
        }
    }

    /// The host of this name, while the platform is under construction.
    pub(super) fn find_host(&self, name: &str) -> Option<HostId> {
        if let Some(Named::Single(index)) = self.names.get(name) {
            return Some(HostId(self.singles[*index as usize].id));
        }
        self.sets
            .iter()
            .find_map(|set| set.naming.find(name).map(|i| HostId(set.first_host + i as u32)))
    }
}

fn truncated(naming: &Naming, count: u32) -> Naming {
    let mut left = count;
    let mut ranges = Vec::new();
    for range in naming.ranges() {
        let take = left.min((range.last - range.first).saturating_add(1));
        if take > 0 {
            ranges.push(NumberRange { first: range.first, last: range.first + take - 1 });
            left -= take;
        }
    }
    Naming::new(naming.prefix(), naming.suffix(), &ranges)
}

fn grid_message(bad: BadGrid) -> String {
    match bad {
        BadGrid::NoDimension => "the grid has no dimension".to_owned(),
        BadGrid::TooManyDimensions => format!("a grid has at most {MAX_DIMENSIONS} dimensions"),
        BadGrid::EmptyDimension => "a dimension of size 0 holds no node".to_owned(),
        BadGrid::TooLarge => "the grid has more links than can be numbered".to_owned(),
    }
}

fn tree_message(bad: BadFatTree) -> String {
    match bad {
        BadFatTree::NoLevel => "a fat tree needs at least one level".to_owned(),
        BadFatTree::TooManyLevels => format!("a fat tree has at most {MAX_LEVELS} levels"),
        BadFatTree::UnequalLengths => {
            "children, parents and cables must be given for every level".to_owned()
        }
        BadFatTree::ZeroEntry => "all numbers of a fat tree must be positive".to_owned(),
        BadFatTree::TooLarge => "the fat tree has more links than can be numbered".to_owned(),
    }
}

fn fly_message(bad: BadDragonfly) -> String {
    match bad {
        BadDragonfly::ZeroEntry => "all numbers of a dragonfly must be positive".to_owned(),
        BadDragonfly::TooLarge => "the dragonfly has more links than can be numbered".to_owned(),
        BadDragonfly::TooManyGroups => {
            "a dragonfly has at most as many groups as routers per chassis".to_owned()
        }
    }
}
