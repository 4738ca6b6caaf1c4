//! `[[override]]`: nodes that differ from the rest.

use rustc_hash::FxHashMap;

use super::nodes;
use super::power::PowerTable;
use super::section::Section;
use super::tables;
use crate::machine::Disk;
use crate::names::Naming;
use crate::settings::HostOverheads;
use crate::spec::{
    Member, NodeOverride, NodeSpec, PlatformSpec, Properties, Spanned, ZoneContent, ZoneSpec,
};
use crate::tables::Overheads;

/// Reads the overrides of a file into the platform they are about.
pub(super) fn overrides(file: &Section<'_>, spec: &mut PlatformSpec) {
    let sections = file.sections("override");
    if sections.is_empty() {
        return;
    }
    let hosts = Hosts::of(&spec.root);
    let mut nodes: FxHashMap<u32, NodeOverride> = FxHashMap::default();
    let mut costs: FxHashMap<u32, [Option<Overheads>; 3]> = FxHashMap::default();
    for section in sections {
        let change = Change::read(&section);
        for name in names(&section) {
            let Some((id, node)) = hosts.find(&name.value) else {
                let message = format!("there is no node `{}`", name.value);
                section.mistakes.error(name.span, message);
                continue;
            };
            if change.is_for_node() {
                let host = nodes.entry(id).or_insert_with(|| NodeOverride { name, node });
                change.apply(&mut host.node);
            }
            if change.overheads.iter().any(Option::is_some) {
                let own = costs.entry(id).or_default();
                for (own, new) in own.iter_mut().zip(&change.overheads) {
                    *own = new.clone().or_else(|| own.take());
                }
            }
        }
        section.finish();
    }
    let mut nodes: Vec<_> = nodes.into_iter().collect();
    nodes.sort_by_key(|(id, _)| *id);
    spec.overrides = nodes.into_iter().map(|(_, node)| node).collect();
    spec.network.per_host = joined(costs);
}

/// What an override changes.
struct Change {
    speeds: Option<Vec<f64>>,
    pstate: Option<usize>,
    cores: Option<u32>,
    disk: Option<Disk>,
    power: Option<PowerTable>,
    properties: Properties,
    overheads: [Option<Overheads>; 3],
}

impl Change {
    fn read(section: &Section<'_>) -> Self {
        let speeds = section.value("speed").and_then(|value| nodes::speeds(&value));
        let pstate = section.value("pstate");
        let pstate = pstate.and_then(|value| match &speeds {
            Some(speeds) => nodes::pstate(&value, speeds),
            None => value.whole(0..1 << 16).map(|pstate| pstate as usize),
        });
        let cores = section.value("cores").and_then(|value| nodes::cores(&value));
        let disk = section.section("disk").and_then(nodes::disk);
        let (power, mut properties) = (PowerTable::read(section), nodes::properties(section));
        nodes::governor(section, &mut properties);
        let overheads = tables::overheads(section);
        Self { speeds, pstate, cores, disk, power, properties, overheads }
    }

    fn is_for_node(&self) -> bool {
        let is_faster = self.speeds.is_some() || self.pstate.is_some();
        let says_more = self.power.is_some() || !self.properties.is_empty();
        is_faster || self.cores.is_some() || self.disk.is_some() || says_more
    }

    fn apply(&self, node: &mut NodeSpec) {
        if let Some(speeds) = &self.speeds {
            node.speeds.clone_from(speeds);
        }
        node.cores = self.cores.unwrap_or(node.cores);
        node.disk = self.disk.or(node.disk);
        node.pstate = self.pstate.unwrap_or(node.pstate).min(node.speeds.len() - 1);
        for (key, value) in &self.properties {
            node.properties.retain(|(known, _)| known != key);
            node.properties.push((key.clone(), value.clone()));
        }
        if let Some(power) = &self.power {
            power.apply(node.cores, &mut node.properties);
        }
    }
}

fn names(section: &Section<'_>) -> Vec<Spanned<String>> {
    section.require(&["nodes"]);
    let Some(value) = section.value("nodes") else { return Vec::new() };
    if value.is_text() {
        return value.name().into_iter().collect();
    }
    value.list().unwrap_or_default().iter().filter_map(|name| name.name()).collect()
}

/// The hosts of a platform by name, numbered in file order.
struct Hosts<'a> {
    sets: Vec<(u32, &'a Naming, &'a NodeSpec)>,
    singles: FxHashMap<&'a str, (u32, &'a NodeSpec)>,
    count: u32,
}

impl<'a> Hosts<'a> {
    fn of(root: &'a ZoneSpec) -> Self {
        let mut hosts = Self { sets: Vec::new(), singles: FxHashMap::default(), count: 0 };
        hosts.add(root);
        hosts
    }

    fn add(&mut self, zone: &'a ZoneSpec) {
        let general = match &zone.content {
            ZoneContent::Cluster(cluster) => return self.add_set(&cluster.naming, &cluster.node),
            ZoneContent::General(general) => general,
        };
        for member in &general.members {
            match member {
                Member::Zone(zone) => self.add(zone),
                Member::Cabinet(row) => self.add_set(&row.naming, &row.node),
                Member::Host(host) => self.add_single(&host.name.value, &host.node),
                Member::Peer(peer) => self.add_single(&peer.name.value, &peer.node),
                Member::Router(_) => {}
            }
        }
    }

    fn add_set(&mut self, naming: &'a Naming, node: &'a NodeSpec) {
        self.sets.push((self.count, naming, node));
        self.count = self.count.saturating_add(naming.count() as u32);
    }

    fn add_single(&mut self, name: &'a str, node: &'a NodeSpec) {
        self.singles.insert(name, (self.count, node));
        self.count = self.count.saturating_add(1);
    }

    fn find(&self, name: &str) -> Option<(u32, NodeSpec)> {
        if let Some((id, node)) = self.singles.get(name) {
            return Some((*id, (*node).clone()));
        }
        self.sets.iter().find_map(|(first, naming, node)| {
            naming.find(name).map(|index| (first + index as u32, (*node).clone()))
        })
    }
}

/// Overheads by host as overheads by ranges of hosts.
fn joined(costs: FxHashMap<u32, [Option<Overheads>; 3]>) -> Vec<HostOverheads> {
    let mut costs: Vec<_> = costs.into_iter().collect();
    costs.sort_by_key(|(id, _)| *id);
    let mut ranges: Vec<HostOverheads> = Vec::new();
    for (id, [send, isend, receive]) in costs {
        let new = HostOverheads { hosts: id..id + 1, send, isend, receive };
        match ranges.last_mut() {
            Some(last) if last.hosts.end == id && same_costs(last, &new) => last.hosts.end = id + 1,
            _ => ranges.push(new),
        }
    }
    ranges
}

fn same_costs(a: &HostOverheads, b: &HostOverheads) -> bool {
    (&a.send, &a.isend, &a.receive) == (&b.send, &b.isend, &b.receive)
}
