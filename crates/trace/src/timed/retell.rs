//! A table told anew as things happen: a table has a row for what ends, writers want to hear of what
//! begins as well, in the order of dates.
//!
//! All of it is in memory meanwhile. A table does not tell requests: what a message was asked for
//! by follows from the dates, and a call that waits takes note of what has come by its end, the
//! oldest first, one in `MPI_Wait` and its kin and all in others.

mod rank;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::{Cast, Class, Event, Lane, Letter, Mark, Message, Needs, Taken, Writer};
use crate::mistake::Problem;
use rank::{Rank, Stay};

/// Hears a table, and tells another writer when all is known.
pub struct Retell {
    writer: Box<dyn Writer>,
    states: Vec<Class>,
    /// Whether a state is a call that takes one request.
    takes_one: Vec<bool>,
    ranks: Vec<Rank>,
    /// Messages by when they were delivered.
    messages: Vec<(f64, Message)>,
    /// What becomes of nodes.
    nodes: Vec<(f64, Event<'static>)>,
    texts: Vec<Box<str>>,
}

/// Something that a rank does at a date.
#[derive(Debug, Clone, Copy)]
pub(super) enum Deed {
    Enters(usize),
    Leaves(usize),
    Sends(Letter),
    Posts(u32),
    Takes(Option<u32>, Taken),
    Marks(Mark, usize),
    Ends,
}

impl Retell {
    /// Tells this writer.
    pub fn new(writer: Box<dyn Writer>, cast: &Cast) -> Self {
        Self {
            writer,
            states: Vec::new(),
            takes_one: Vec::new(),
            ranks: (0..cast.ranks()).map(|_| Rank::default()).collect(),
            messages: Vec::new(),
            nodes: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> usize {
        // The same few names come again and again.
        let known = self.texts.iter().position(|known| **known == *text);
        known.unwrap_or_else(|| {
            self.texts.push(text.into());
            self.texts.len() - 1
        })
    }

    /// Gives every message of the program a place in the calls of its two ranks.
    fn place_messages(&mut self) {
        // Calls of one date send in the order in which messages have their numbers.
        let mut own: Vec<&mut (f64, Message)> =
            self.messages.iter_mut().filter(|one| is_own(one)).collect();
        own.sort_by_key(|(_, message)| message.letter.serial);
        for (date, message) in own {
            let sender = &mut self.ranks[message.letter.from as usize];
            sender.send(*date, message, &self.states);
        }
        for (date, message) in self.messages.iter().filter(|one| is_own(one)) {
            let receiver = &mut self.ranks[message.letter.to as usize];
            receiver.receive(*date, message, &self.states);
        }
        for rank in &mut self.ranks {
            rank.take_all(&self.states, &self.takes_one);
        }
    }

    /// Tells what the ranks do, and what happens besides, in the order of dates.
    fn tell(&mut self) {
        let lives: Vec<Vec<(f64, Deed)>> = self.ranks.iter_mut().map(Rank::life).collect();
        let mut next: BinaryHeap<Reverse<Next>> = BinaryHeap::new();
        let mut at = vec![0; lives.len()];
        let ahead = |rank: usize, at: usize| {
            lives[rank].get(at).map(|(date, deed)| Reverse(Next::of_rank(*date, rank, deed)))
        };
        next.extend((0..lives.len()).filter_map(|rank| ahead(rank, 0)));
        next.extend(self.nodes.first().map(|(date, _)| Reverse(Next::of_node(*date, 0))));
        next.extend(self.messages.first().map(|(date, _)| Reverse(Next::delivery(*date, 0))));
        while let Some(Reverse(now)) = next.pop() {
            let following = now.number + 1;
            match now.kind {
                Kind::Deed | Kind::Take => {
                    let rank = now.number;
                    let (date, deed) = lives[rank][at[rank]];
                    self.tell_deed(date, rank, deed);
                    at[rank] += 1;
                    next.extend(ahead(rank, at[rank]));
                }
                Kind::Delivery => {
                    self.writer.write(now.date, &Event::Delivers(&self.messages[now.number].1));
                    let more = self.messages.get(following);
                    next.extend(more.map(|(date, _)| Reverse(Next::delivery(*date, following))));
                }
                Kind::Node => {
                    self.writer.write(now.date, &self.nodes[now.number].1);
                    let more = self.nodes.get(following);
                    next.extend(more.map(|(date, _)| Reverse(Next::of_node(*date, following))));
                }
            }
        }
    }

    fn tell_deed(&mut self, date: f64, rank: usize, deed: Deed) {
        let own = &self.ranks[rank];
        let rank = rank as u32;
        let event = match deed {
            Deed::Enters(stay) => Event::Enters { rank, state: own.stays[stay].state },
            Deed::Leaves(stay) => {
                let Stay { state, since, waited, collective, .. } = own.stays[stay];
                let collective = collective.map(|(args, algorithm)| super::Collective {
                    algorithm: &self.texts[algorithm],
                    ..args
                });
                Event::Leaves { rank, state, since, waited, collective }
            }
            Deed::Sends(ref letter) => Event::Sends(letter),
            Deed::Posts(request) => Event::Posts { rank, request },
            Deed::Takes(request, taken) => Event::Takes { rank, request, taken },
            Deed::Marks(mark, name) => Event::Marks { rank, mark, name: &self.texts[name] },
            Deed::Ends => Event::Ends { rank },
        };
        self.writer.write(date, &event);
    }
}

impl Writer for Retell {
    fn needs(&self) -> Needs {
        Needs::ALL
    }

    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            // Both come before they are used, and have no date of their own.
            Event::Names { state, name, .. } => {
                debug_assert_eq!(state as usize, self.states.len(), "states are counted");
                self.states.push(Class::of(name));
                self.takes_one.push(takes_one(name));
                self.writer.write(0.0, event);
            }
            Event::Forms { .. } => self.writer.write(0.0, event),
            Event::Leaves { rank, state, since, waited, collective } => {
                let collective = collective.map(|args| {
                    let algorithm = self.text(args.algorithm);
                    (super::Collective { algorithm: "", ..args }, algorithm)
                });
                let stay = Stay { state, since, until: date, waited, collective };
                self.ranks[rank as usize].stays.push(stay);
            }
            Event::Delivers(message) => self.messages.push((date, *message)),
            Event::Draws { node, watts } => self.nodes.push((date, Event::Draws { node, watts })),
            Event::Runs { node, pstate, speed } => {
                self.nodes.push((date, Event::Runs { node, pstate, speed }));
            }
            Event::Marks { rank, mark, name } => {
                let name = self.text(name);
                let own = &mut self.ranks[rank as usize];
                own.marks.push((own.stays.len(), date, mark, name));
            }
            Event::Ends { rank } => self.ranks[rank as usize].end = Some(date),
            // Tables tell none of these.
            Event::Enters { .. } | Event::Sends(_) | Event::Posts { .. } | Event::Takes { .. } => {}
            Event::Begins { .. }
            | Event::Completes { .. }
            | Event::File { .. }
            | Event::Window { .. } => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        let order = |(date, message): &(f64, Message)| (*date, message.letter.serial);
        self.messages.sort_by(|a, b| {
            let ((a, one), (b, other)) = (order(a), order(b));
            a.total_cmp(&b).then(one.cmp(&other))
        });
        self.nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.ranks.iter_mut().for_each(|rank| rank.settle(&self.states));
        self.place_messages();
        self.tell();
        self.writer.finish(date)
    }
}

/// Whether a message is one of the program's own.
fn is_own((_, message): &(f64, Message)) -> bool {
    message.letter.lane == Lane::PointToPoint
}

/// Whether a call that waits or looks is for one request.
fn takes_one(name: &str) -> bool {
    ["MPI_Wait", "MPI_Test", "MPI_Waitany", "MPI_Testany"].contains(&name)
}

/// What comes next of a rank, or of what happens besides.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Next {
    date: f64,
    kind: Kind,
    /// The rank, or the place in the list.
    number: usize,
}

/// At the same date, what ranks do comes before messages are there, and that before they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Deed,
    Node,
    Delivery,
    Take,
}

impl Next {
    fn of_rank(date: f64, rank: usize, deed: &Deed) -> Self {
        let kind = if matches!(deed, Deed::Takes(..)) { Kind::Take } else { Kind::Deed };
        Self { date, kind, number: rank }
    }

    fn delivery(date: f64, number: usize) -> Self {
        Self { date, kind: Kind::Delivery, number }
    }

    fn of_node(date: f64, number: usize) -> Self {
        Self { date, kind: Kind::Node, number }
    }
}

impl Eq for Next {}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        let dates = self.date.total_cmp(&other.date);
        dates.then(self.kind.cmp(&other.kind)).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
