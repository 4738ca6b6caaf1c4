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
    /// Reads a trace of any format that can be read.
    ///
    /// # Errors
    ///
    /// As those of [`read`].
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let shared: Rc<RefCell<Whole>> = Rc::default();
        let kept = shared.clone();
        let left_out = read(path, |cast| {
            let mut whole = kept.borrow_mut();
            whole.cast = cast.clone();
            whole.stays = vec![Vec::new(); cast.places.len()];
            drop(whole);
            Ok(Box::new(Keeper { whole: kept, numbers: Vec::new() }))
        })?;
        let mut whole = shared.take();
        whole.left_out = left_out;
        // Tables tell what ends in the order of ends; others do, but for clocks that are wrong.
        whole.messages.sort_by(|a, b| a.date.total_cmp(&b.date));
        Ok(whole)
    }

    /// Whether messages that collective operations are made of are told.
    pub(crate) fn tells_collective_messages(&self) -> bool {
        self.messages.iter().any(|one| one.message.letter.lane == Lane::Collective)
    }
}

/// Keeps what it is told; states of one name are one.
struct Keeper {
    whole: Rc<RefCell<Whole>>,
    numbers: Vec<u32>,
}

impl Writer for Keeper {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        let mut whole = self.whole.borrow_mut();
        if let Event::Names { name, .. } = *event {
            let known = whole.states.iter().position(|known| known == name);
            self.numbers.push(known.unwrap_or(whole.states.len()) as u32);
            if known.is_none() {
                whole.states.push(name.to_owned());
            }
        }
        let number = |state: u32| self.numbers[state as usize];
        match *event {
            Event::Forms { members, .. } => whole.comms.push(members.to_vec()),
            Event::Leaves { rank, state, since, collective, .. } if date > since => {
                let comm = collective.map(|args| args.comm);
                let stay = Stay { state: number(state), begin: since, end: date, comm };
                whole.stays[rank as usize].push(stay);
            }
            Event::Leaves { rank, state, since, collective: Some(args), .. } => {
                let stay =
                    Stay { state: number(state), begin: since, end: date, comm: Some(args.comm) };
                whole.stays[rank as usize].push(stay);
            }
            Event::Leaves { rank, state, since, .. } if whole.is_call(number(state)) => {
                let stay = Stay { state: number(state), begin: since, end: date, comm: None };
                whole.stays[rank as usize].push(stay);
            }
            Event::Delivers(message) => {
                whole.messages.push(Delivered { message: *message, date });
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.whole.borrow_mut().end = date;
        Ok(())
    }
}

impl Whole {
    /// Whether a state is a call, not the program's own work.
    pub fn is_call(&self, state: u32) -> bool {
        super::Class::of(&self.states[state as usize]).is_call()
    }
}
