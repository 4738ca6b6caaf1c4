//! What an observer is told, in few words: a note often goes to another processor, which costs by
//! the length.
//!
//! A note is a head, its date if that is not the date of the note before, and what else there is to
//! say. A head has from its lowest bit on: the kind of note (8 bits), flags (8), a name or nothing
//! (16), a rank or a message (32). A pstate takes the place of a name.

use foretell_platform::HostId;

use super::{Happening, Incoming, Letter, Traffic, TrafficLane};

/// A batch of what has happened, with its dates.
#[derive(Debug)]
pub struct Notes {
    words: Box<[u64]>,
    used: usize,
    /// The date of the last note.
    date: f64,
    /// Names that came up for the first time.
    names: Vec<Name>,
}

/// A name, and the place of the program where it was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: &'static str,
    /// The number of the place, which was told before; 0 if it is not known.
    pub place: u32,
}

/// Who is told what has happened, one thing after the other.
pub trait Ear {
    /// This has happened at a date. Best inlined: what it is, is known where it is told.
    fn hear(&mut self, date: f64, what: Happening);
}

/// The longest note.
const LONGEST: usize = 6;

/// Kinds of notes.
const ENTERS: u64 = 0;
const WAITED: u64 = 1;
const ENDS: u64 = 2;
const SENDS: u64 = 3;
const POSTS: u64 = 4;
const ARRIVES: u64 = 5;
const DELIVERS: u64 = 6;
const TAKES_SEND: u64 = 7;
const TAKES_RECEIVE: u64 = 8;
const JOINS: u64 = 9;
const CHOOSES: u64 = 10;
const DRAWS: u64 = 11;
const RUNS: u64 = 12;

/// Flags: a date follows; a request or a root is told; what [`Letter`] and others say of
/// themselves; the two bits of a lane.
const DATED: u64 = 1 << 8;
const TOLD: u64 = 1 << 9;
const BLOCKING: u64 = 1 << 10;
const EAGER: u64 = 1 << 11;
const LANE: u32 = 12;

impl Notes {
    /// An empty batch with room for so many words of eight bytes.
    #[must_use]
    pub fn with_room(words: usize) -> Self {
        let words = vec![0; words.max(LONGEST)].into_boxed_slice();
        Self { words, used: 0, date: f64::NAN, names: Vec::new() }
    }

    /// Whether nothing was told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The date of the last note, if there is one.
    #[must_use]
    pub fn last_date(&self) -> Option<f64> {
        (self.used > 0).then_some(self.date)
    }

    /// Names that were not told before. Names are counted from 0 in the order in which they are
    /// told; notes have their numbers.
    #[must_use]
    pub fn new_names(&self) -> &[Name] {
        &self.names
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        // The first note of a batch has its date, whatever was before.
        (self.used, self.date) = (0, f64::NAN);
        self.names.clear();
    }

    pub(super) fn name(&mut self, name: Name) {
        self.names.push(name);
    }

    /// Whether there is no room for one more note.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.used + LONGEST > self.words.len()
    }

    // What happens is known where it is told, so that little of this is left there.
    #[inline(always)]
    pub(super) fn add(&mut self, date: f64, what: &Happening) {
        match *what {
            Happening::Enters { rank, name } => self.put(date, ENTERS | named(name), rank, []),
            Happening::Waited { rank, since } => self.put(date, WAITED, rank, [since.to_bits()]),
            Happening::Ends { rank } => self.put(date, ENDS, rank, []),
            Happening::Sends { message, letter } => {
                let Letter { from, to, traffic, tag, bytes, request, .. } = letter;
                let head = SENDS
                    | of_lane(traffic.lane)
                    | flag(BLOCKING, letter.is_blocking)
                    | flag(EAGER, letter.is_eager)
                    | flag(TOLD, request.is_some());
                let request = request.unwrap_or(0);
                let more = [two(from, to), two(traffic.comm, request), two(tag as u32, 0), bytes];
                self.put(date, head, message, more);
            }
            Happening::Posts { rank, request, traffic, is_blocking } => {
                let head = POSTS | of_lane(traffic.lane) | flag(BLOCKING, is_blocking);
                self.put(date, head, rank, [two(request, traffic.comm)]);
            }
            Happening::Arrives { message } => self.put(date, ARRIVES, message, []),
            Happening::Delivers { message, request } => {
                self.put(date, DELIVERS, message, [two(request, 0)]);
            }
            Happening::TakesSend { rank, request } => {
                self.put(date, TAKES_SEND, rank, [two(request, 0)]);
            }
            Happening::TakesReceive { rank, request, received } => {
                let Incoming { from, traffic, tag, bytes } = received;
                let more = [two(request, from), two(traffic.comm, tag as u32), bytes];
                self.put(date, TAKES_RECEIVE | of_lane(traffic.lane), rank, more);
            }
            Happening::Joins { rank, comm, root, is_blocking } => {
                let head = JOINS | flag(BLOCKING, is_blocking) | flag(TOLD, root.is_some());
                self.put(date, head, rank, [two(comm, root.unwrap_or(0))]);
            }
            Happening::Chooses { rank, bytes, name } => {
                self.put(date, CHOOSES | named(name), rank, [bytes]);
            }
            Happening::Draws { host, watts } => self.put(date, DRAWS, host.0, [watts.to_bits()]),
            Happening::Runs { host, pstate, speed } => {
                self.put(date, RUNS | named(pstate), host.0, [speed.to_bits()]);
            }
        }
    }

    /// Adds a note that says so much behind its head and date.
    #[inline(always)]
    fn put<const N: usize>(&mut self, date: f64, head: u64, who: u32, more: [u64; N]) {
        let Some(room) = self.words[self.used..].first_chunk_mut::<LONGEST>() else { return };
        let is_later = date != self.date;
        self.date = date;
        room[0] = head | flag(DATED, is_later) | u64::from(who) << 32;
        // What follows lies over the date if that is not needed.
        room[1] = date.to_bits();
        let behind = 1 + usize::from(is_later);
        for (at, word) in more.into_iter().enumerate() {
            room[behind + at] = word;
        }
        self.used += behind + N;
    }

    /// Tells all that has happened, in its order.
    #[inline(always)]
    pub fn tell(&self, ear: &mut impl Ear) {
        let mut rest = &self.words[..self.used];
        let mut date = 0.0;
        while let [head, more @ ..] = rest {
            let head = *head;
            rest = more;
            if head & DATED != 0 {
                date = f64::from_bits(next(&mut rest));
            }
            let (rank, name, is_told) =
                ((head >> 32) as u32, (head >> 16) as u16, head & TOLD != 0);
            let is_blocking = head & BLOCKING != 0;
            let traffic = |comm| Traffic { comm, lane: lane_of(head) };
            match head & 0xff {
                ENTERS => ear.hear(date, Happening::Enters { rank, name }),
                WAITED => {
                    let since = f64::from_bits(next(&mut rest));
                    ear.hear(date, Happening::Waited { rank, since });
                }
                ENDS => ear.hear(date, Happening::Ends { rank }),
                SENDS => {
                    let (from, to) = both(next(&mut rest));
                    let (comm, request) = both(next(&mut rest));
                    let (tag, _) = both(next(&mut rest));
                    let letter = Letter {
                        from,
                        to,
                        traffic: traffic(comm),
                        tag: tag as i32,
                        bytes: next(&mut rest),
                        request: is_told.then_some(request),
                        is_blocking,
                        is_eager: head & EAGER != 0,
                    };
                    ear.hear(date, Happening::Sends { message: rank, letter });
                }
                POSTS => {
                    let (request, comm) = both(next(&mut rest));
                    let traffic = traffic(comm);
                    ear.hear(date, Happening::Posts { rank, request, traffic, is_blocking });
                }
                ARRIVES => ear.hear(date, Happening::Arrives { message: rank }),
                DELIVERS => {
                    let (request, _) = both(next(&mut rest));
                    ear.hear(date, Happening::Delivers { message: rank, request });
                }
                TAKES_SEND => {
                    let (request, _) = both(next(&mut rest));
                    ear.hear(date, Happening::TakesSend { rank, request });
                }
                TAKES_RECEIVE => {
                    let (request, from) = both(next(&mut rest));
                    let (comm, tag) = both(next(&mut rest));
                    let (traffic, tag, bytes) = (traffic(comm), tag as i32, next(&mut rest));
                    let received = Incoming { from, traffic, tag, bytes };
                    ear.hear(date, Happening::TakesReceive { rank, request, received });
                }
                JOINS => {
                    let (comm, root) = both(next(&mut rest));
                    let root = is_told.then_some(root);
                    ear.hear(date, Happening::Joins { rank, comm, root, is_blocking });
                }
                CHOOSES => {
                    let bytes = next(&mut rest);
                    ear.hear(date, Happening::Chooses { rank, bytes, name });
                }
                DRAWS => {
                    let watts = f64::from_bits(next(&mut rest));
                    ear.hear(date, Happening::Draws { host: HostId(rank), watts });
                }
                _ => {
                    let (host, speed) = (HostId(rank), f64::from_bits(next(&mut rest)));
                    ear.hear(date, Happening::Runs { host, pstate: name, speed });
                }
            }
        }
    }
}

#[inline(always)]
fn next(rest: &mut &[u64]) -> u64 {
    let (word, more) = rest.split_first().expect("a note is whole");
    *rest = more;
    *word
}

#[inline(always)]
fn flag(flag: u64, is_set: bool) -> u64 {
    flag * u64::from(is_set)
}

#[inline(always)]
fn named(name: u16) -> u64 {
    u64::from(name) << 16
}

#[inline(always)]
fn two(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[inline(always)]
fn both(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

#[inline(always)]
fn of_lane(lane: TrafficLane) -> u64 {
    let bits = match lane {
        TrafficLane::PointToPoint => 0,
        TrafficLane::Collective => 1,
        TrafficLane::Partitioned => 2,
    };
    bits << LANE
}

#[inline(always)]
fn lane_of(head: u64) -> TrafficLane {
    match head >> LANE & 3 {
        0 => TrafficLane::PointToPoint,
        1 => TrafficLane::Collective,
        _ => TrafficLane::Partitioned,
    }
}

#[cfg(test)]
mod tests;
