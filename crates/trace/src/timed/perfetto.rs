//! Perfetto: packets of track events, for `ui.perfetto.dev` and `trace_processor`.
//!
//! A node is a process, a rank a thread of it, a call a slice. A message is an arrow (a flow) from a
//! point in the sender's call to one in the call in which its receiver takes it; both have its
//! arguments. A node's power is a counter, and so are its speed and its pstate. Names are told once and have numbers.

mod protobuf;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::text::nanoseconds;
use super::{Cast, Class, Collective, Draft, Event, Letter, Mark, Place, Taken, Writer};
use crate::mistake::Problem;
use protobuf::Wire;

/// How much is held back before it is written.
const PAGE: usize = 64 << 10;

/// Fields of a packet.
mod packet {
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const TRACK_EVENT: u32 = 11;
    pub(super) const INTERNED: u32 = 12;
    pub(super) const FLAGS: u32 = 13;
    pub(super) const TRACK: u32 = 60;
}

/// Fields of a track event, and its kinds.
mod event {
    pub(super) const CATEGORY: u32 = 22;
    pub(super) const ANNOTATION: u32 = 4;
    pub(super) const KIND: u32 = 9;
    pub(super) const NAME: u32 = 10;
    pub(super) const TRACK: u32 = 11;
    pub(super) const PLACE: u32 = 34;
    pub(super) const VALUE: u32 = 44;
    pub(super) const FLOW: u32 = 47;
    pub(super) const LAST_FLOW: u32 = 48;
    pub(super) const BEGIN: u64 = 1;
    pub(super) const END: u64 = 2;
    pub(super) const INSTANT: u64 = 3;
    pub(super) const COUNTER: u64 = 4;
}

/// Arguments of calls and messages, by their numbers from 1 on.
const ARGUMENTS: [&str; 8] =
    ["to", "from", "bytes", "tag", "communicator", "root", "algorithm", "waited_ns"];

/// Numbers of tracks: those of nodes, of ranks, of counters of nodes.
const NODES: u64 = 1 << 40;
const RANKS: u64 = 3 << 40;
const POWER: Counter = Counter { tracks: 2 << 40, name: "power", unit: "W" };
const SPEED: Counter = Counter { tracks: 4 << 40, name: "speed of a core", unit: "flop/s" };
const PSTATE: Counter = Counter { tracks: 5 << 40, name: "pstate", unit: "" };

/// What is told of nodes: its tracks, its name, its unit.
struct Counter {
    tracks: u64,
    name: &'static str,
    unit: &'static str,
}

/// Writes packets.
#[derive(Debug)]
pub(crate) struct Perfetto {
    draft: Draft,
    wire: Wire,
    /// Numbers of names: of states, then of what the program names.
    states: Vec<u64>,
    /// Whether it is known where states stand in the program; their numbers are those of states.
    has_place: Vec<bool>,
    names: BTreeMap<String, u64>,
    classes: Vec<Class>,
    /// Tracks of counters that were told.
    counters: BTreeSet<u64>,
}

impl Perfetto {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let mut perfetto = Self {
            draft: Draft::create(path)?,
            wire: Wire::default(),
            states: Vec::new(),
            has_place: Vec::new(),
            names: BTreeMap::new(),
            classes: Vec::new(),
            counters: BTreeSet::new(),
        };
        perfetto.begin(&cast);
        Ok(perfetto)
    }

    /// Tracks of nodes and ranks, and the names of arguments.
    fn begin(&mut self, cast: &Cast) {
        self.packet(|packet| {
            // From here on names have numbers.
            packet.number(packet::FLAGS, 1);
            packet.message(packet::INTERNED, |interned| {
                for (number, name) in (1..).zip(ARGUMENTS) {
                    interned.message(3, |entry| {
                        entry.number(1, number);
                        entry.text(2, name);
                    });
                }
            });
        });
        for (number, node) in (0..).zip(&cast.nodes) {
            self.packet(|packet| {
                packet.message(packet::TRACK, |track| {
                    track.number(1, NODES + number);
                    track.message(3, |process| {
                        process.number(1, number + 1);
                        process.text(6, node);
                    });
                });
            });
        }
        for (rank, node) in (0..).zip(&cast.places) {
            self.packet(|packet| {
                packet.message(packet::TRACK, |track| {
                    track.number(1, RANKS + rank);
                    track.message(4, |thread| {
                        thread.number(1, u64::from(*node) + 1);
                        // Numbers of threads are those of no node.
                        thread.number(2, (1 << 24) + rank);
                        thread.text(5, &format!("rank {rank}"));
                    });
                });
            });
        }
    }

    fn packet(&mut self, fill: impl FnOnce(&mut Wire)) {
        self.wire.message(1, |packet| {
            packet.number(packet::SEQUENCE, 1);
            fill(packet);
        });
        if self.wire.bytes.len() >= PAGE {
            self.draft.write(&self.wire.bytes);
            self.wire.bytes.clear();
        }
    }

    /// An event of a kind on a track.
    fn event(&mut self, date: f64, kind: u64, track: u64, fill: impl FnOnce(&mut Wire)) {
        self.packet(|packet| {
            packet.number(packet::TIMESTAMP, nanoseconds(date));
            // It needs the names that were told before.
            packet.number(packet::FLAGS, 2);
            packet.message(packet::TRACK_EVENT, |event| {
                event.number(event::KIND, kind);
                event.number(event::TRACK, track);
                fill(event);
            });
        });
    }

    /// The number of a name, which is told if it is new.
    fn name(&mut self, name: &str) -> u64 {
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let number = self.names.len() as u64 + 1;
        self.names.insert(name.to_owned(), number);
        self.packet(|packet| {
            packet.number(packet::FLAGS, 2);
            packet.message(packet::INTERNED, |interned| {
                interned.message(2, |entry| {
                    entry.number(1, number);
                    entry.text(2, name);
                });
            });
        });
        number
    }

    /// Tells where a state stands in the program.
    fn place(&mut self, number: u64, place: &Place<'_>) {
        self.packet(|packet| {
            packet.number(packet::FLAGS, 2);
            packet.message(packet::INTERNED, |interned| {
                interned.message(4, |entry| {
                    entry.number(1, number);
                    entry.text(2, place.file);
                    if !place.function.is_empty() {
                        entry.text(3, place.function);
                    }
                    entry.number(4, place.line.into());
                });
            });
        });
    }

    fn enter(&mut self, date: f64, rank: u32, state: u32) {
        let (name, has_place) = (self.states[state as usize], self.has_place[state as usize]);
        let category = if self.classes[state as usize].is_call() { "mpi" } else { "program" };
        self.event(date, event::BEGIN, RANKS + u64::from(rank), |event| {
            event.number(event::NAME, name);
            event.text(event::CATEGORY, category);
            if has_place {
                event.number(event::PLACE, u64::from(state) + 1);
            }
        });
    }

    fn leave(&mut self, date: f64, rank: u32, waited: f64, collective: Option<Collective<'_>>) {
        self.event(date, event::END, RANKS + u64::from(rank), |event| {
            if waited > 0.0 {
                argument(event, 8, nanoseconds(waited));
            }
            if let Some(collective) = collective {
                argument(event, 5, collective.comm.into());
                argument(event, 3, collective.bytes);
                collective.root.into_iter().for_each(|root| argument(event, 6, root.into()));
                if !collective.algorithm.is_empty() {
                    event.message(event::ANNOTATION, |annotation| {
                        annotation.number(1, 7);
                        annotation.text(6, collective.algorithm);
                    });
                }
            }
        });
    }

    /// One end of a message.
    fn send(&mut self, date: f64, letter: &Letter) {
        let &Letter { serial, from, to, comm, tag, bytes, .. } = letter;
        let name = self.name("send");
        self.event(date, event::INSTANT, RANKS + u64::from(from), |event| {
            event.number(event::NAME, name);
            event.text(event::CATEGORY, "message");
            event.fixed(event::FLOW, flow(serial));
            argument(event, 1, to.into());
            about(event, comm, tag, bytes);
        });
    }

    fn receive(&mut self, date: f64, rank: u32, taken: Taken) {
        let Taken::Receive { serial, from, comm, tag, bytes } = taken else { return };
        let name = self.name("receive");
        self.event(date, event::INSTANT, RANKS + u64::from(rank), |event| {
            event.number(event::NAME, name);
            event.text(event::CATEGORY, "message");
            serial.into_iter().for_each(|serial| event.fixed(event::LAST_FLOW, flow(serial)));
            argument(event, 2, from.into());
            about(event, comm, tag, bytes);
        });
    }

    fn count(&mut self, date: f64, node: u32, counter: &Counter, value: f64) {
        let track = counter.tracks + u64::from(node);
        if self.counters.insert(track) {
            self.packet(|packet| {
                packet.message(packet::TRACK, |descriptor| {
                    descriptor.number(1, track);
                    descriptor.text(2, counter.name);
                    descriptor.number(5, NODES + u64::from(node));
                    descriptor.message(8, |wire| match counter.unit {
                        "" => {}
                        unit => wire.text(6, unit),
                    });
                });
            });
        }
        self.event(date, event::COUNTER, track, |event| event.fixed(event::VALUE, value.to_bits()));
    }

    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        let name = self.name(name);
        let kind = match mark {
            Mark::Here => event::INSTANT,
            Mark::Begin => event::BEGIN,
            Mark::End => event::END,
        };
        self.event(date, kind, RANKS + u64::from(rank), |event| {
            event.number(event::NAME, name);
            event.text(event::CATEGORY, "user");
        });
    }
}

impl Writer for Perfetto {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { state, name, place } => {
                place.iter().for_each(|place| self.place(u64::from(state) + 1, place));
                self.has_place.push(place.is_some());
                let number = self.name(name);
                self.states.push(number);
                self.classes.push(Class::of(name));
            }
            Event::Enters { rank, state } => self.enter(date, rank, state),
            Event::Leaves { rank, waited, collective, .. } => {
                self.leave(date, rank, waited, collective);
            }
            Event::Sends(letter) => self.send(date, letter),
            Event::Takes { rank, taken, .. } => self.receive(date, rank, taken),
            Event::Draws { node, watts } => self.count(date, node, &POWER, watts),
            Event::Runs { node, pstate, speed } => {
                self.count(date, node, &SPEED, speed);
                self.count(date, node, &PSTATE, pstate.into());
            }
            Event::Marks { rank, mark, name } => self.mark(date, rank, mark, name),
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, _: f64) -> Result<(), Problem> {
        self.draft.write(&self.wire.bytes);
        self.draft.finish()
    }
}

/// The flow from a send to its receive. Zero is no flow.
fn flow(serial: u64) -> u64 {
    serial + 1
}

/// What both ends of a message know of it.
fn about(event: &mut Wire, comm: u32, tag: i32, bytes: u64) {
    argument(event, 3, bytes);
    argument(event, 4, tag as u32 as u64);
    argument(event, 5, comm.into());
}

/// An argument that is a number, by the number of its name.
fn argument(event: &mut Wire, name: u64, value: u64) {
    event.message(event::ANNOTATION, |annotation| {
        annotation.number(1, name);
        annotation.number(3, value);
    });
}
