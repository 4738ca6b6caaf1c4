//! Definitions of an archive: names, regions, who the ranks are, communicators.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bytes::{Body, Window, Wrong};
use super::contexts::{Contexts, Line};
use super::events::Spot;
use super::meters::Gauges;
use crate::mistake::Problem;
use crate::timed::otf2::{MARK, PLACE_NAME, PROGRAM};
use crate::timed::{Cast, Class, Place};

/// A number of something that is not defined.
const NONE: u64 = u64::MAX;
/// Ranks that an archive may have: beyond any machine.
const MOST_RANKS: usize = 1 << 27;

/// What is defined for all ranks.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) ticks: u64,
    pub(super) offset: u64,
    strings: FxHashMap<u64, String>,
    regions: FxHashMap<u64, Region>,
    groups: BTreeMap<u64, Group>,
    /// Lists of locations that are ranks of MPI. EZTrace gives another group the same number.
    lists: Vec<Vec<u64>>,
    /// Whether EZTrace wrote this: requests are not told to be complete, and sizes are those that
    /// calls are given.
    pub(super) is_of_eztrace: bool,
    /// Whether we wrote it.
    pub(super) is_ours: bool,
    comms: FxHashMap<u64, Comm>,
    /// The communicators of windows.
    windows: FxHashMap<u64, u64>,
    /// The communicators of open files, and the kinds of access they are for.
    files: FxHashMap<u64, (u64, u8)>,
    /// Names of kinds of access to files.
    paradigms: FxHashMap<u8, u64>,
    /// The groups of locations that locations belong to, and the nodes that those belong to.
    locations: FxHashMap<u64, u64>,
    processes: FxHashMap<u64, u64>,
    /// Locations that are threads in which something happens.
    threads: Vec<u64>,
    /// How many streams of accelerators there are in which something happens.
    pub(super) streams: u64,
    nodes: BTreeMap<u64, u64>,
    /// Locations that tell of a node, with the groups that they belong to, and what metrics mean.
    meters: Vec<(u64, u64)>,
    pub(super) gauges: Gauges,
    pub(super) contexts: Contexts,
    /// The attribute that says where in the source a call stands.
    pub(super) place: Option<u64>,
    /// The locations of ranks, in order.
    pub(super) ranks: Vec<u64>,
    /// The first communicator of all ranks in order: others are copies of it, on which messages do
    /// not meet those of the world.
    pub(super) world: Option<u64>,
}

/// A part of a program.
#[derive(Debug, Clone, Copy)]
struct Region {
    name: u64,
    is_mpi: bool,
    is_mark: bool,
}

/// What it is for a rank to be in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is in a call, and does not compute.
    Call,
    /// It is in a part of the program.
    Part,
    /// It marks this very date, as programs of ours do.
    Mark,
}

#[derive(Debug)]
struct Group {
    kind: u8,
    paradigm: u8,
    members: Vec<u64>,
}

/// What a communicator is made of, by the numbers of groups.
#[derive(Debug, Clone, Copy)]
enum Comm {
    Of(u64),
    Between(u64, u64),
}

/// The ranks of a communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Members<'a> {
    /// These, as ranks of the world.
    Ranks(&'a [u64]),
    /// Each rank alone.
    Alone,
    /// Those of an inter-communicator, where ranks speak to those of the other side.
    Sides(&'a [u64], &'a [u64]),
}

/// Kinds of groups.
mod group {
    pub(super) const LOCATIONS: u8 = 4;
    pub(super) const RANKS: u8 = 5;
    pub(super) const ALONE: u8 = 6;
}

const USER: u8 = 1;
const MPI: u8 = 4;
/// The kinds of locations that are threads, streams of accelerators, and that tell metrics alone.
const THREAD: u8 = 1;
const STREAM: u8 = 2;
const METRICS: u8 = 3;

impl Definitions {
    /// Reads the file of global definitions.
    pub(super) fn read(window: &mut Window, chunk: u64) -> Result<Self, Problem> {
        let mut all = Self::default();
        for_records(window, chunk, |kind, body| all.take(kind, body))?;
        if all.ticks == 0 {
            let words = "no definition says how fast the clock ticks".into();
            return Err(window.problem(window.place(), words));
        }
        let mut lists = std::mem::take(&mut all.lists).into_iter();
        match (lists.next(), lists.next()) {
            (Some(list), None) => all.ranks = list,
            (None, _) => all.ranks = all.first_threads(),
            (Some(_), Some(_)) => {
                let words = "several groups say which locations are ranks of MPI".into();
                return Err(window.problem(window.place(), words));
            }
        }
        if all.ranks.is_empty() {
            let words =
                "no group says which locations are ranks of MPI, and no process has threads";
            return Err(window.problem(window.place(), words.into()));
        }
        if all.ranks.len() > MOST_RANKS {
            let words = format!("there cannot be {} ranks", all.ranks.len());
            return Err(window.problem(window.place(), words));
        }
        let is_world = |comm: &u64| match all.members(*comm) {
            Some(Members::Ranks(members)) => members.iter().copied().eq(0..all.ranks.len() as u64),
            _ => false,
        };
        all.world = all.comms_in_order().into_iter().find(is_world);
        Ok(all)
    }

    fn take(&mut self, kind: u8, mut body: Body<'_>) -> Result<(), Wrong> {
        match kind {
            5 => (self.ticks, self.offset) = (body.number()?, body.number()?),
            10 => {
                let (id, text) = (body.number()?, body.text()?);
                self.is_of_eztrace |= text.starts_with("EZTrace ");
                self.strings.insert(id, text);
            }
            11 => {
                let (id, name) = (body.number()?, body.number()?);
                if self.text(name) == PLACE_NAME {
                    self.place = Some(id);
                }
            }
            12 => {
                let (id, name) = (body.number()?, body.number()?);
                self.nodes.insert(id, name);
            }
            13 => {
                let id = body.number()?;
                body.number()?;
                body.byte()?;
                let node = body.number()?;
                self.processes.insert(id, node);
            }
            14 => {
                let id = body.number()?;
                body.number()?;
                let (kind, events) = (body.byte()?, body.number()?);
                let process = body.number()?;
                self.locations.insert(id, process);
                match kind {
                    THREAD if events > 0 => self.threads.push(id),
                    STREAM if events > 0 => self.streams += 1,
                    METRICS if events > 0 => self.meters.push((id, process)),
                    _ => {}
                }
            }
            15 => self.region(body)?,
            18 => self.group(body)?,
            19 => self.gauges.member(body, &self.strings)?,
            20 => self.gauges.class(body)?,
            22 => {
                let id = body.number()?;
                body.number()?;
                let group = body.number()?;
                self.comms.insert(id, Comm::Of(group));
            }
            24 => {
                let id = body.number()?;
                body.number()?;
                let comm = body.number()?;
                self.windows.insert(id, comm);
            }
            33 => self.contexts.define_line(body)?,
            34 => self.contexts.define(body)?,
            // Names of kinds of access, and files that are open.
            8 => {
                let (id, name) = (body.byte()?, body.number()?);
                self.paradigms.insert(id, name);
            }
            40 => {
                let id = body.number()?;
                body.number()?;
                body.number()?;
                let (paradigm, _) = (body.byte()?, body.number()?);
                let comm = body.number()?;
                self.files.insert(id, (comm, paradigm));
            }
            43 => {
                let id = body.number()?;
                body.number()?;
                let (one, other) = (body.number()?, body.number()?);
                self.comms.insert(id, Comm::Between(one, other));
            }
            _ => {}
        }
        Ok(())
    }

    fn region(&mut self, mut body: Body<'_>) -> Result<(), Wrong> {
        let (id, name) = (body.number()?, body.number()?);
        let about = body.number()?;
        body.byte()?;
        for _ in 0..3 {
            body.number()?;
        }
        // Old archives end here.
        let paradigm = match body.rest() {
            0 => None,
            _ => {
                body.number()?;
                body.byte()?;
                Some(body.byte()?)
            }
        };
        // EZTrace takes all regions for functions of the program.
        let is_mpi = paradigm == Some(MPI) || self.text(name).starts_with("MPI_");
        let is_mark = paradigm == Some(USER) && self.text(about) == MARK;
        self.regions.insert(id, Region { name, is_mpi, is_mark });
        Ok(())
    }

    /// A text by its number; nothing if there is none.
    fn text(&self, number: u64) -> &str {
        self.strings.get(&number).map_or("", String::as_str)
    }

    /// Where in the source a call stands.
    pub(super) fn place_of(&self, spot: Spot) -> Option<Place<'_>> {
        match spot {
            Spot::Text(text) => Place::parse(self.text(text)),
            Spot::Context(context) => {
                let (Line { file, line }, region) = self.contexts.line(context)?;
                let line = u32::try_from(line).ok().filter(|line| *line > 0)?;
                Some(Place { file: self.text(file), line, function: self.name(region).0 })
            }
        }
    }

    fn group(&mut self, mut body: Body<'_>) -> Result<(), Wrong> {
        let id = body.number()?;
        body.number()?;
        let legacy = body.byte()?;
        let count = body.count()?;
        let members = (0..count).map(|_| body.number()).collect::<Result<Vec<_>, _>>()?;
        let (kind, paradigm) = match body.rest() {
            0 => {
                let kind = match legacy {
                    6 => group::LOCATIONS,
                    4 => group::RANKS,
                    5 => group::ALONE,
                    _ => 0,
                };
                (kind, MPI)
            }
            _ => (body.byte()?, body.byte()?),
        };
        if kind == group::LOCATIONS && paradigm == MPI {
            self.lists.push(members);
            return Ok(());
        }
        self.groups.insert(id, Group { kind, paradigm, members });
        Ok(())
    }

    /// The ranks of a communicator, if it is defined as one.
    pub(super) fn members(&self, comm: u64) -> Option<Members<'_>> {
        let some = |group| self.group_of(group).filter(|ranks| !ranks.is_empty());
        match *self.comms.get(&comm)? {
            Comm::Of(group) if self.groups.get(&group)?.kind == group::ALONE => {
                Some(Members::Alone)
            }
            Comm::Of(group) => some(group).map(Members::Ranks),
            Comm::Between(one, other) => Some(Members::Sides(some(one)?, some(other)?)),
        }
    }

    /// The ranks of a group, as those of the world, if it is one of ranks.
    pub(super) fn group_of(&self, group: u64) -> Option<&[u64]> {
        // Tools have groups of their own, whose members are not those of MPI.
        let is_of_mpi = |group: &&Group| group.kind == group::RANKS && group.paradigm == MPI;
        let group = self.groups.get(&group).filter(is_of_mpi)?;
        let is_known = |rank: &u64| *rank < self.ranks.len() as u64;
        group.members.iter().all(is_known).then_some(&group.members)
    }

    /// The communicator of a window.
    pub(super) fn window(&self, window: u64) -> Option<u64> {
        self.windows.get(&window).copied()
    }

    /// The communicator of a file, if it is opened by MPI.
    pub(super) fn file(&self, file: u64) -> Option<u64> {
        let (comm, paradigm) = self.files.get(&file)?;
        let name = self.strings.get(self.paradigms.get(paradigm)?)?;
        (name == "MPI-IO").then_some(*comm)
    }

    /// The first thread of each process: ranks of a program that is none of MPI.
    fn first_threads(&self) -> Vec<u64> {
        let mut first = BTreeMap::new();
        for thread in &self.threads {
            if let Some(process) = self.locations.get(thread) {
                first.entry(*process).or_insert(*thread);
            }
        }
        first.into_values().collect()
    }

    /// How many threads there are beside those that are ranks, in the processes of ranks.
    pub(super) fn further_threads(&self) -> u64 {
        let process = |location: &u64| self.locations.get(location);
        let of_ranks: FxHashSet<&u64> = self.ranks.iter().filter_map(process).collect();
        let ranks: FxHashSet<&u64> = self.ranks.iter().collect();
        let is_of_a_rank = |id: &u64| process(id).is_some_and(|process| of_ranks.contains(process));
        let is_further = |id: &&u64| !ranks.contains(*id) && is_of_a_rank(id);
        self.threads.iter().filter(is_further).count() as u64
    }

    /// All communicators, by their numbers.
    pub(super) fn comms_in_order(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.comms.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// The name of a region, and what it is to be in it.
    pub(super) fn name(&self, region: u64) -> (&str, Kind) {
        let Some(&Region { name, is_mpi, is_mark }) = self.regions.get(&region) else {
            return ("unknown", Kind::Part);
        };
        let name = self.text(name);
        // What our own archives tell as regions beside calls.
        let is_call = is_mpi || matches!(Class::of(name), Class::Sleeping | Class::File);
        let kind = match is_call {
            true => Kind::Call,
            false if is_mark => Kind::Mark,
            false => Kind::Part,
        };
        (name, kind)
    }

    /// Who takes part in a run of ours, whose first region is what runs, and whose first node has
    /// all others in it.
    pub(super) fn cast_of_ours(&self) -> Cast {
        let program = self.name(u64::from(PROGRAM)).0.to_owned();
        let machine = self.nodes.get(&0).map_or("", |name| self.text(*name)).to_owned();
        self.cast(program, machine)
    }

    /// Who takes part, and where.
    pub(super) fn cast(&self, program: String, machine: String) -> Cast {
        let on: Vec<u64> =
            self.ranks.iter().map(|rank| self.node_of(*rank).unwrap_or(NONE)).collect();
        let used = self.nodes_in_use();
        let name = |node: &u64| {
            let name = self.nodes.get(node).and_then(|name| self.strings.get(name));
            name.cloned().unwrap_or_else(|| "node".to_owned())
        };
        let nodes = used.iter().map(name).collect();
        let place = |node: &u64| used.binary_search(node).unwrap_or(0) as u32;
        Cast { program, machine, nodes, places: on.iter().map(place).collect() }
    }

    /// The node of a location, as the archive numbers it.
    fn node_of(&self, location: u64) -> Option<u64> {
        let process = self.locations.get(&location)?;
        self.processes.get(process).copied()
    }

    /// Nodes that ranks are on, in order.
    fn nodes_in_use(&self) -> Vec<u64> {
        let node = |rank: &u64| self.node_of(*rank).unwrap_or(NONE);
        let mut used: Vec<u64> = self.ranks.iter().map(node).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Locations that tell of nodes that ranks are on, each with the place of its node in the list
    /// of nodes; none if no metric tells what is known of nodes here.
    pub(super) fn meters_of_nodes(&self) -> Vec<(u64, u32)> {
        if !self.gauges.are_of_nodes() {
            return Vec::new();
        }
        let used = self.nodes_in_use();
        let of_node = |(location, process): &(u64, u64)| {
            let node = self.processes.get(process)?;
            Some((*location, used.binary_search(node).ok()? as u32))
        };
        self.meters.iter().filter_map(of_node).collect()
    }
}

/// Calls `each` with every record of a file of definitions.
pub(super) fn for_records(
    window: &mut Window,
    chunk: u64,
    mut each: impl FnMut(u8, Body<'_>) -> Result<(), Wrong>,
) -> Result<(), Problem> {
    window.chunk_header()?;
    let mut chunk_start = 0;
    loop {
        match window.byte()? {
            0 => {
                chunk_start += chunk;
                window.go_to(chunk_start);
                window.chunk_header()?;
            }
            1 | 2 => return Ok(()),
            kind => {
                let outcome = each(kind, window.body()?);
                outcome.map_err(|Wrong { offset, reason }| window.problem(offset, reason))?;
            }
        }
    }
}
