//! The Open Trace Format 2: an anchor, global definitions, and a file of events for each rank.
//!
//! The bytes are ours; the format is that of version 2 archives as `otf2-print` reads them. Dates
//! are picoseconds. A rank is a location of a process of its own; the whole life of its program is
//! one region, in which calls are regions of their own, so that what lies between them is what the
//! program computes. Messages within collective operations and algorithms are not told. Where a call
//! stands in the program is an attribute of its beginning. A mark is a region that takes no time and
//! is described as one. A node's power, speed and pstate are metrics on a location of its own. Where
//! all ranks meet in a call that is no collective operation, as at the end of MPI, the records of
//! one are in its region.

mod archive;
mod definitions;
mod location;
mod read;
mod record;
mod volume;

use std::path::Path;

use super::text::{Clock, PICOSECONDS, picoseconds};
use super::{Cast, Class, Collective, Event, Letter, Mark, Needs, Taken, Writer};
use crate::mistake::Problem;
use archive::Archive;
use definitions::{DOUBLE, Definitions, Meter, WHOLE};
use location::Location;
pub(crate) use read::read;
use record::{Record, Short, UNDEFINED};
use volume::Part;

/// The request of all sends that are complete at once: each is done with before the next begins.
const AT_ONCE: u64 = 0;

/// The number of any other request in the trace.
fn request_number(request: u32) -> u64 {
    u64::from(request) + 1
}

/// The region of the whole program.
const PROGRAM: u32 = 0;

/// The name of the attribute that says where in the source a call stands.
const PLACE_NAME: &str = "place";

/// What regions are described as that mark a date and take no time.
const MARK: &str = "mark";

/// Numbers of events.
mod event {
    pub(super) const ATTRIBUTES: u8 = 6;
    pub(super) const ENTER: u8 = 12;
    pub(super) const LEAVE: u8 = 13;
    pub(super) const SEND: u8 = 14;
    pub(super) const ISEND: u8 = 15;
    pub(super) const ISEND_COMPLETE: u8 = 16;
    pub(super) const IRECV_REQUEST: u8 = 17;
    pub(super) const RECV: u8 = 18;
    pub(super) const IRECV: u8 = 19;
    pub(super) const COLLECTIVE_BEGIN: u8 = 22;
    pub(super) const COLLECTIVE_END: u8 = 23;
    pub(super) const METRIC: u8 = 31;
}

/// Writes an archive.
#[derive(Debug)]
pub(crate) struct Otf2 {
    archive: Archive,
    /// First those of ranks, then those of nodes that tell their power or speed.
    locations: Vec<Location>,
    states: Vec<State>,
    clock: Clock<PICOSECONDS>,
    definitions: Definitions,
}

/// A state that ranks can be in.
#[derive(Debug, Clone, Copy)]
struct State {
    /// How its region begins and ends; none for computing, which is what lies between regions.
    region: Option<(Short, Short)>,
    /// What OTF2 calls the collective operation.
    operation: Option<u8>,
    /// The same where ranks may meet in a call that is none.
    meeting: Option<u8>,
    /// The text that says where it stands in the program.
    place: Option<u64>,
}

impl Otf2 {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let archive = Archive::create(path)?;
        let ranks = cast.ranks() as usize;
        let mut otf2 = Self {
            locations: Vec::with_capacity(ranks),
            archive,
            states: Vec::new(),
            clock: Clock::default(),
            definitions: Definitions::new(cast),
        };
        for rank in 0..ranks {
            otf2.locations.push(Location::new(rank as u64, ranks));
            otf2.one(rank as u32, 0, event::ENTER, PROGRAM.into());
        }
        Ok(otf2)
    }

    /// Adds an event with one field, which has no length.
    #[inline]
    fn one(&mut self, rank: u32, time: u64, kind: u8, field: u64) {
        self.add(rank as usize, time, |record| {
            record.byte(kind);
            record.number(field);
        });
    }

    #[inline]
    fn add(&mut self, location: usize, time: u64, fill: impl FnOnce(&mut Record<'_>)) {
        self.locations[location].add(time, 1, &mut self.archive, fill);
    }

    /// Adds an event that tells its length.
    #[inline]
    fn long(&mut self, location: u32, time: u64, kind: u8, fill: impl FnOnce(&mut Record<'_>)) {
        self.add(location as usize, time, |record| record.with_length(kind, fill));
    }

    fn send(&mut self, time: u64, letter: &Letter) {
        let Letter { from, to, comm, tag, bytes, request, is_blocking, .. } = *letter;
        let receiver = self.definitions.rank_in(comm, to);
        let kind = if is_blocking { event::SEND } else { event::ISEND };
        // A send that is complete already is told to be so behind it.
        let number = request.map_or(AT_ONCE, request_number);
        let is_over = !is_blocking && request.is_none();
        let events = 1 + u64::from(is_over);
        self.locations[from as usize].add(time, events, &mut self.archive, |record| {
            record.with_length(kind, |record| {
                record.number(receiver.into());
                record.number(comm.into());
                record.number((tag as u32).into());
                record.number(bytes);
                if !is_blocking {
                    record.number(number);
                }
            });
            if is_over {
                record.byte(event::ISEND_COMPLETE);
                record.number(AT_ONCE);
            }
        });
    }

    fn receive(&mut self, time: u64, rank: u32, request: Option<u32>, taken: Taken) {
        let Taken::Receive { from, comm, tag, bytes, .. } = taken else { return };
        let sender = self.definitions.rank_in(comm, from);
        let kind = if request.is_none() { event::RECV } else { event::IRECV };
        self.long(rank, time, kind, |record| {
            record.number(sender.into());
            record.number(comm.into());
            record.number((tag as u32).into());
            record.number(bytes);
            request.into_iter().for_each(|request| record.number(request_number(request)));
        });
    }

    // Ranks enter and leave more often than anything else happens.
    #[inline(always)]
    fn enter(&mut self, time: u64, rank: u32, state: u32) {
        let State { region, operation, place, .. } = self.states[state as usize];
        if let Some((enter, _)) = region {
            self.add(rank as usize, time, |record| {
                if let Some(place) = place {
                    attribute(record, place);
                }
                record.short(enter);
            });
        }
        if operation.is_some() {
            self.begin_collective(time, rank);
        }
    }

    #[inline(always)]
    fn leave(&mut self, time: u64, rank: u32, state: u32, collective: Option<Collective<'_>>) {
        let State { region, operation, meeting, .. } = self.states[state as usize];
        if let Some(operation) = operation {
            self.collective(time, rank, operation, collective);
        } else if let (Some(meeting), Some(_)) = (meeting, collective) {
            // Only here is it known that they have met.
            self.begin_collective(time, rank);
            self.collective(time, rank, meeting, collective);
        }
        if let Some((_, leave)) = region {
            self.add(rank as usize, time, |record| record.short(leave));
        }
    }

    #[inline(never)]
    fn begin_collective(&mut self, time: u64, rank: u32) {
        self.add(rank as usize, time, |record| {
            record.byte(event::COLLECTIVE_BEGIN);
            record.byte(0);
        });
    }

    #[inline(never)]
    fn collective(&mut self, time: u64, rank: u32, operation: u8, args: Option<Collective<'_>>) {
        let (comm, root, bytes) =
            args.map_or((0, None, 0), |args| (args.comm, args.root, args.bytes));
        let size = self.definitions.size_of(comm).into();
        let place = self.definitions.rank_in(comm, rank);
        let part = Part { operation, size, rank: place.into(), is_root: root == Some(place) };
        let (sent, received) = part.totals(bytes);
        self.long(rank, time, event::COLLECTIVE_END, |record| {
            record.byte(operation);
            record.number(comm.into());
            match root {
                Some(root) => record.number(root.into()),
                None => record.undefined(),
            }
            record.number(sent);
            record.number(received);
        });
    }

    /// Adds values of a node, each of a type and as the bits of a number.
    fn meter(&mut self, time: u64, node: u32, meter: Meter, values: &[(u8, u64)]) {
        let class = self.definitions.metric(meter);
        let ranks = self.definitions.cast.ranks() as usize;
        let location = self.definitions.metered(node) + ranks;
        if location == self.locations.len() {
            self.locations.push(Location::new(location as u64, ranks));
        }
        self.long(location as u32, time, event::METRIC, |record| {
            record.number(class);
            record.byte(values.len() as u8);
            for (kind, value) in values {
                record.byte(*kind);
                record.number(*value);
            }
        });
    }

    fn mark(&mut self, time: u64, rank: u32, mark: Mark, name: &str) {
        let region = self.definitions.user_region(name, mark);
        let is_there = self.locations[rank as usize].follow(mark, region);
        match mark {
            Mark::Begin => self.one(rank, time, event::ENTER, region.into()),
            Mark::End if is_there => self.one(rank, time, event::LEAVE, region.into()),
            Mark::End => {}
            // A region that takes no time: OTF2 has markers only apart from events.
            Mark::Here => {
                self.one(rank, time, event::ENTER, region.into());
                self.one(rank, time, event::LEAVE, region.into());
            }
        }
    }

    /// The program of a rank has ended: parts of it that are open end too.
    fn end(&mut self, time: u64, rank: u32) {
        while let Some(region) = self.locations[rank as usize].close() {
            self.one(rank, time, event::LEAVE, region.into());
        }
        if self.locations[rank as usize].end() {
            self.one(rank, time, event::LEAVE, PROGRAM.into());
        }
    }
}

impl Writer for Otf2 {
    fn needs(&self) -> Needs {
        Needs { ways: false, takings: true, waits: false }
    }

    // Whoever tells an event knows which it is, so that little of this is left there.
    #[inline(always)]
    fn write(&mut self, date: f64, event: &Event<'_>) {
        let time = self.clock.reach(date);
        match *event {
            Event::Enters { rank, state } => self.enter(time, rank, state),
            Event::Leaves { rank, state, collective, .. } => {
                self.leave(time, rank, state, collective);
            }
            Event::Sends(letter) => self.send(time, letter),
            Event::Posts { rank, request } => {
                self.one(rank, time, event::IRECV_REQUEST, request_number(request));
            }
            Event::Takes { rank, request, taken: taken @ Taken::Receive { .. } } => {
                self.receive(time, rank, request, taken);
            }
            Event::Takes { rank, request: Some(request), taken: Taken::Send } => {
                self.one(rank, time, event::ISEND_COMPLETE, request_number(request));
            }
            Event::Names { name, place, .. } => {
                let class = Class::of(name);
                let region = (class != Class::Computing).then(|| {
                    let region = self.definitions.region(name, class);
                    (Short::new(event::ENTER, region), Short::new(event::LEAVE, region))
                });
                let place = place.map(|place| self.definitions.place(&place.to_string()));
                let operation = definitions::operation(name);
                let meeting = definitions::meeting(name);
                self.states.push(State { region, operation, meeting, place });
            }
            Event::Forms { members, .. } => self.definitions.form(members),
            Event::Draws { node, watts } => {
                self.meter(time, node, Meter::Power, &[(DOUBLE, watts.to_bits())]);
            }
            Event::Runs { node, pstate, speed } => {
                let values = [(DOUBLE, speed.to_bits()), (WHOLE, pstate.into())];
                self.meter(time, node, Meter::Speed, &values);
            }
            Event::Marks { rank, mark, name } => self.mark(time, rank, mark, name),
            Event::Ends { rank } => self.end(time, rank),
            Event::Takes { .. } | Event::Delivers(_) => {}
            // Their calls are regions.
            Event::Begins { .. }
            | Event::Completes { .. }
            | Event::File { .. }
            | Event::Window { .. } => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        let time = picoseconds(date);
        (0..self.definitions.cast.ranks()).for_each(|rank| self.end(time, rank));
        let Self { mut archive, locations, definitions, .. } = *self;
        let mut events = Vec::with_capacity(locations.len());
        for location in locations {
            events.push(location.finish(&mut archive));
        }
        let (bytes, count) = definitions.written(time, &events);
        archive.finish(&bytes, count, events.len() as u64)
    }
}

/// Says of the event that follows where it stands in the program.
#[inline(never)]
fn attribute(record: &mut Record<'_>, text: u64) {
    record.with_length(event::ATTRIBUTES, |record| {
        record.number(1);
        record.number(definitions::PLACE);
        record.byte(definitions::STRING);
        record.number(text);
    });
}

/// An undefined number of 32 bits, for members of records that are optional.
const NOTHING: u64 = UNDEFINED;
