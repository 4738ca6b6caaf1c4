//! A trace as it is compared: the calls of each rank with what they were about, and sums.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::{Cast, Class, Event, Format, Lane, Letter, Mark, Retell, Taken, Writer};
use super::super::{read, readable};
use crate::mistake::Problem;

/// Messages of replays have such tags where they were on other communicators than that of all ranks.
const MADE_TAG: i32 = 1 << 30;

/// Earlier than this before it was sent, no message comes but by clocks that differ: seconds.
const GRAIN: f64 = 2e-9;

/// The calls of a trace with dates, and what is compared besides.
#[derive(Debug, Clone, Default)]
pub struct Told {
    pub(super) cast: Cast,
    /// Names of calls and other states.
    pub(super) names: Vec<String>,
    /// What calls were about; most are about the same few things.
    pub(super) abouts: Vec<About>,
    /// Members of communicators; number 0 has all ranks.
    pub(super) comms: Vec<Vec<u32>>,
    /// The calls of each rank, as they begin.
    pub(super) calls: Vec<Vec<Call>>,
    /// How often and for how long ranks were in each state, by its name.
    pub(super) states: Vec<(u64, f64)>,
    /// For how long each rank computed, and was in calls.
    pub(super) ranks: Vec<[f64; 2]>,
    /// How often ranks were in each region, for how long, and for how long in calls.
    pub(super) regions: BTreeMap<String, (u64, f64, f64)>,
    /// Messages that came before they were sent: clocks differ.
    pub(super) too_early: u64,
    pub(super) end: f64,
    /// What the files have and this has not, in words.
    pub left_out: Vec<String>,
}

/// A call, with numbers of its name and of what it was about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) name: u32,
    pub(super) about: u32,
    pub(super) begin: f64,
    pub(super) end: f64,
}

/// What a call was about, as far as the trace tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct About {
    /// What it sent, and what came of what it asked for.
    pub(super) sent: Option<Part>,
    pub(super) received: Option<Part>,
    /// Of a collective call.
    pub(super) comm: Option<u32>,
    pub(super) root: Option<u32>,
    pub(super) bytes: u64,
}

/// A message, from one of its ends; several of one call are summed up in the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub(super) peer: u32,
    /// None where it is not that of the program.
    pub(super) tag: Option<i32>,
    pub(super) bytes: u64,
    pub(super) count: u32,
}

impl Part {
    fn new(peer: u32, comm: u32, tag: i32, bytes: u64) -> Self {
        let tag = (comm == 0 && tag < MADE_TAG).then_some(tag);
        Self { peer, tag, bytes, count: 1 }
    }

    fn join(old: &mut Option<Self>, new: Self) {
        match old {
            Some(old) => {
                old.bytes += new.bytes;
                old.count += 1;
            }
            None => *old = Some(new),
        }
    }
}

impl Told {
    /// Nothing yet.
    pub fn new(cast: &Cast) -> Self {
        let ranks = cast.ranks() as usize;
        Self {
            cast: cast.clone(),
            calls: vec![Vec::new(); ranks],
            ranks: vec![[0.0; 2]; ranks],
            comms: vec![Vec::new()],
            ..Self::default()
        }
    }

    /// Reads a trace of any format that can be read.
    ///
    /// # Errors
    ///
    /// As those of [`read`].
    pub fn read(path: &Path) -> Result<Self, Problem> {
        // A table tells what ends; which call a message is of follows.
        let is_table = !matches!(readable(path)?, Some(Format::Otf2 | Format::Paraver));
        let shared: Rc<RefCell<Told>> = Rc::default();
        let kept = shared.clone();
        let left_out = read(path, |cast| {
            *kept.borrow_mut() = Told::new(cast);
            let keeper: Box<dyn Writer> = Box::new(Keeper::new(kept, cast));
            Ok(if is_table { Box::new(Retell::new(keeper, cast)) } else { keeper })
        })?;
        let mut told = shared.take();
        told.left_out = left_out;
        Ok(told)
    }

    /// What a call was about.
    pub(super) fn about(&self, call: &Call) -> &About {
        &self.abouts[call.about as usize]
    }
}

/// Keeps what it is told.
pub(super) struct Keeper {
    told: Rc<RefCell<Told>>,
    /// For each number of a state its name, and what it is.
    states: Vec<(u32, Class)>,
    abouts: FxHashMap<About, u32>,
    ranks: Vec<Own>,
}

/// What is under way of a rank.
#[derive(Debug, Clone, Default)]
struct Own {
    open: Option<(u32, About)>,
    /// Requests under way, and the calls that began them.
    asked: FxHashMap<u32, u32>,
    /// Calls whose requests are under way: what has come, and how many are to come.
    waiting: FxHashMap<u32, (About, u32)>,
    /// Regions that it is in: when it entered, and how long it had been in calls.
    regions: Vec<(String, f64, f64)>,
}

impl Keeper {
    pub(super) fn new(told: Rc<RefCell<Told>>, cast: &Cast) -> Self {
        let ranks = vec![Own::default(); cast.ranks() as usize];
        let mut abouts = FxHashMap::default();
        abouts.insert(About::default(), 0);
        told.borrow_mut().abouts.push(About::default());
        Self { told, states: Vec::new(), abouts, ranks }
    }

    fn name(&mut self, name: &str) {
        let mut told = self.told.borrow_mut();
        let known = told.names.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            told.names.push(name.to_owned());
            told.states.push((0, 0.0));
            told.names.len() - 1
        });
        self.states.push((number as u32, Class::of(name)));
    }

    fn intern(&mut self, about: About) -> u32 {
        let told = &self.told;
        *self.abouts.entry(about).or_insert_with(|| {
            let mut told = told.borrow_mut();
            told.abouts.push(about);
            told.abouts.len() as u32 - 1
        })
    }

    fn enter(&mut self, date: f64, rank: u32, state: u32) {
        let (name, class) = self.states[state as usize];
        if class.is_call() {
            let calls = &mut self.told.borrow_mut().calls[rank as usize];
            calls.push(Call { name, about: 0, begin: date, end: date });
            self.ranks[rank as usize].open = Some((calls.len() as u32 - 1, About::default()));
        }
    }

    fn leave(&mut self, date: f64, rank: u32, state: u32, since: f64, about: Option<About>) {
        let (name, class) = self.states[state as usize];
        {
            let mut told = self.told.borrow_mut();
            let sum = &mut told.states[name as usize];
            *sum = (sum.0 + 1, sum.1 + date - since);
            match class {
                Class::Computing => told.ranks[rank as usize][0] += date - since,
                Class::Sleeping => {}
                _ => told.ranks[rank as usize][1] += date - since,
            }
        }
        if !class.is_call() {
            return;
        }
        let Some((place, own)) = self.ranks[rank as usize].open.take() else { return };
        let about = match about {
            Some(collective) => About { sent: own.sent, received: own.received, ..collective },
            None => own,
        };
        let waiting = &mut self.ranks[rank as usize].waiting;
        let number = match waiting.get_mut(&place) {
            // What it asked for is yet to come.
            Some((kept, _)) => {
                *kept = about;
                0
            }
            None => self.intern(about),
        };
        let call = &mut self.told.borrow_mut().calls[rank as usize][place as usize];
        (call.end, call.about) = (date, number);
    }

    fn post(&mut self, rank: u32, request: u32) {
        let own = &mut self.ranks[rank as usize];
        if let Some((place, _)) = own.open {
            own.asked.insert(request, place);
            own.waiting.entry(place).or_insert((About::default(), 0)).1 += 1;
        }
    }

    fn take(&mut self, rank: u32, request: Option<u32>, taken: Taken) {
        let own = &mut self.ranks[rank as usize];
        let Taken::Receive { from, comm, tag, bytes, .. } = taken else { return };
        let part = Part::new(from, comm, tag, bytes);
        let Some(request) = request else {
            if let Some((_, about)) = &mut own.open {
                Part::join(&mut about.received, part);
            }
            return;
        };
        self.settle_request(rank, request, |about| Part::join(&mut about.received, part));
    }

    /// Of a request that is complete, the call that began it is told what came of it.
    fn settle_request(&mut self, rank: u32, request: u32, note: impl Fn(&mut About)) {
        let own = &mut self.ranks[rank as usize];
        let Some(place) = own.asked.remove(&request) else { return };
        let Some((about, left)) = own.waiting.get_mut(&place) else { return };
        note(about);
        *left -= 1;
        let (about, left) = (*about, *left);
        // The call at hand may have asked itself.
        if let Some((_, open)) = own.open.as_mut().filter(|(open, _)| *open == place) {
            note(open);
        }
        if left == 0 {
            own.waiting.remove(&place);
            let number = self.intern(about);
            self.told.borrow_mut().calls[rank as usize][place as usize].about = number;
        }
    }

    fn send(&mut self, letter: &Letter) {
        if letter.lane == Lane::PointToPoint
            && let Some((_, about)) = &mut self.ranks[letter.from as usize].open
        {
            let part = Part::new(letter.to, letter.comm, letter.tag, letter.bytes);
            Part::join(&mut about.sent, part);
        }
    }

    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        let mut told = self.told.borrow_mut();
        let [_, in_calls] = told.ranks[rank as usize];
        let open = &mut self.ranks[rank as usize].regions;
        match mark {
            Mark::Here => {}
            Mark::Begin => open.push((name.to_owned(), date, in_calls)),
            Mark::End => {
                let Some(at) = open.iter().rposition(|(known, ..)| known == name) else { return };
                let (name, since, before) = open.remove(at);
                let sum = told.regions.entry(name).or_default();
                *sum = (sum.0 + 1, sum.1 + date - since, sum.2 + in_calls - before);
            }
        }
    }

    /// What was asked for and never came is nothing.
    fn settle(&mut self) {
        for rank in 0..self.ranks.len() {
            let mut waiting: Vec<_> = self.ranks[rank].waiting.drain().collect();
            waiting.sort_by_key(|(place, _)| *place);
            for (place, (about, _)) in waiting {
                let number = self.intern(about);
                self.told.borrow_mut().calls[rank][place as usize].about = number;
            }
        }
    }
}

impl Writer for Keeper {
    fn tells_later(&self) -> bool {
        true
    }

    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, .. } => self.name(name),
            Event::Forms { comm, members, .. } => {
                let comms = &mut self.told.borrow_mut().comms;
                comms.resize(comms.len().max(comm as usize + 1), Vec::new());
                comms[comm as usize] = members.to_vec();
            }
            Event::Enters { rank, state } => self.enter(date, rank, state),
            Event::Leaves { rank, state, since, collective, .. } => {
                let about = collective.map(|args| About {
                    comm: Some(args.comm),
                    root: args.root,
                    bytes: args.bytes,
                    ..About::default()
                });
                self.leave(date, rank, state, since, about);
            }
            Event::Sends(letter) => self.send(letter),
            Event::Posts { rank, request } => self.post(rank, request),
            Event::Takes { rank, request, taken } => self.take(rank, request, taken),
            Event::Begins { rank, request } => self.post(rank, request),
            Event::Completes { rank, request, collective } => {
                self.settle_request(rank, request, |about| {
                    if let Some(args) = collective {
                        (about.comm, about.root, about.bytes) =
                            (Some(args.comm), args.root, args.bytes);
                    }
                });
            }
            Event::Marks { rank, mark, name } => self.mark(date, rank, mark, name),
            Event::Delivers(message) if date < message.sent - GRAIN => {
                self.told.borrow_mut().too_early += 1;
            }
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.settle();
        self.told.borrow_mut().end = date;
        Ok(())
    }
}
