//! A trace with dates in memory, to be gone through in any order.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::{Cast, Event, Lane, Message, Writer, read};
use crate::mistake::Problem;

/// All stays and messages of a trace.
#[derive(Debug, Clone, Default)]
pub struct Whole {
    /// Who took part, and where.
    pub cast: Cast,
    /// Names of states.
    pub states: Vec<String>,
    /// The stays of each rank, by their ends.
    pub stays: Vec<Vec<Stay>>,
    /// Messages, by when they were delivered.
    pub messages: Vec<Delivered>,
    /// Members of communicators; the first is number 1, since number 0 has all ranks.
    pub comms: Vec<Vec<u32>>,
    /// When the run ended.
    pub end: f64,
    /// What the files have and this has not, in words.
    pub left_out: Vec<String>,
    /// For each number of a state its place among the names.
    pub(super) numbers: Vec<u32>,
}

/// A rank was in a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stay {
    /// The state.
    pub state: u32,
    /// From when on.
    pub begin: f64,
    /// Until when.
    pub end: f64,
    /// The communicator, if this was a collective call.
    pub comm: Option<u32>,
}

/// A message, and when it was delivered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delivered {
    /// The message.
    pub message: Message,
    /// The date.
    pub date: f64,
}

impl Whole {
    /// Nothing yet.
    pub(crate) fn new(cast: &Cast) -> Self {
        let stays = vec![Vec::new(); cast.places.len()];
        Self { cast: cast.clone(), stays, ..Self::default() }
    }

    /// Reads a trace of any format that can be read.
    ///
    /// # Errors
    ///
    /// As those of [`read`].
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let shared: Rc<RefCell<Whole>> = Rc::default();
        let kept = shared.clone();
        let left_out = read(path, |cast| {
            *kept.borrow_mut() = Whole::new(cast);
            Ok(Box::new(Keeper(kept)))
        })?;
        let mut whole = shared.take();
        whole.left_out = left_out;
        Ok(whole)
    }

    /// Whether messages that collective operations are made of are told.
    pub(crate) fn tells_collective_messages(&self) -> bool {
        self.messages.iter().any(|one| one.message.letter.lane == Lane::Collective)
    }
}

impl Whole {
    /// Keeps what it is told; states of one name are one.
    pub(crate) fn add(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, .. } => self.name(name),
            Event::Forms { members, .. } => self.comms.push(members.to_vec()),
            Event::Leaves { rank, state, since, collective, .. } => {
                let state = self.numbers[state as usize];
                let comm = collective.map(|args| args.comm);
                // Of what took no time, calls alone are of interest.
                if date > since || comm.is_some() || self.is_call(state) {
                    let stay = Stay { state, begin: since, end: date, comm };
                    self.stays[rank as usize].push(stay);
                }
            }
            Event::Delivers(message) => self.messages.push(Delivered { message: *message, date }),
            _ => {}
        }
    }

    fn name(&mut self, name: &str) {
        let known = self.states.iter().position(|known| known == name);
        self.numbers.push(known.unwrap_or(self.states.len()) as u32);
        if known.is_none() {
            self.states.push(name.to_owned());
        }
    }

    /// That was all, at a date.
    pub(crate) fn close(&mut self, date: f64) {
        self.end = date;
        // Tables tell what ends in the order of ends; others do, but for clocks that are wrong.
        self.messages.sort_by(|a, b| a.date.total_cmp(&b.date));
    }
}

/// Has what it is told kept.
struct Keeper(Rc<RefCell<Whole>>);

impl Writer for Keeper {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        self.0.borrow_mut().add(date, event);
    }

    fn finish(self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.0.borrow_mut().close(date);
        Ok(())
    }
}

impl Whole {
    /// Whether a state is a call, not the program's own work.
    pub fn is_call(&self, state: u32) -> bool {
        super::Class::of(&self.states[state as usize]).is_call()
    }
}
