//! What is lost where a trace goes from one format to another.
//!
//! Which format loses what is said here, once; the table of the guide says the same. What a trace
//! does not have cannot be lost, so it is counted as it is told.

use std::cell::RefCell;
use std::num::NonZeroU64;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Event, Format, Lane, Needs, Protocol, Taken, Writer};
use crate::mistake::Problem;

/// Something that a format has no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Waits,
    Arguments,
    Algorithms,
    Parts,
    Ways,
    AllWays,
    Ends,
    Protocols,
    Communicators,
    Labels,
    Lines,
    Functions,
    Marks,
    Nodes,
}

impl Loss {
    /// What is lost, behind how often.
    fn words(self) -> &'static str {
        match self {
            Loss::Waits => "waits of calls",
            Loss::Arguments => "communicators, roots and sizes of collective calls",
            Loss::Algorithms => "algorithms of collective calls",
            Loss::Parts => "messages that collective calls are made of",
            Loss::Ways => "dates at which messages left and came",
            Loss::AllWays => "dates at which messages were asked for, left and came",
            Loss::Ends => "dates at which messages were sent or met their receives",
            Loss::Protocols => "protocols of messages",
            Loss::Communicators => "communicators of messages",
            Loss::Labels => "sizes, tags and communicators of messages",
            Loss::Lines => "lines of the source",
            Loss::Functions => "functions of lines of the source",
            Loss::Marks => "marks and parts of the program",
            Loss::Nodes => "powers and speeds of single nodes",
        }
    }

    /// Whether something that happens has it. Dates of messages are compared when they are taken.
    fn is_in(self, event: &Event<'_>) -> bool {
        match *event {
            Event::Names { place, .. } => match self {
                Loss::Lines => place.is_some(),
                Loss::Functions => place.is_some_and(|place| !place.function.is_empty()),
                _ => false,
            },
            Event::Leaves { waited, collective, .. } => match self {
                Loss::Waits => waited > 0.0,
                Loss::Arguments => collective.is_some(),
                Loss::Algorithms => collective.is_some_and(|args| !args.algorithm.is_empty()),
                _ => false,
            },
            Event::Delivers(message) if message.letter.lane != Lane::PointToPoint => {
                self == Loss::Parts
            }
            Event::Delivers(message) => match self {
                Loss::AllWays | Loss::Labels => true,
                Loss::Protocols => message.letter.protocol != Protocol::Eager,
                Loss::Communicators => message.letter.comm != 0,
                _ => false,
            },
            Event::Marks { .. } => self == Loss::Marks,
            Event::Draws { .. } | Event::Runs { .. } => self == Loss::Nodes,
            _ => false,
        }
    }
}

/// What a format loses.
fn of(format: Format) -> &'static [Loss] {
    use Loss::{
        Algorithms, AllWays, Arguments, Communicators, Ends, Functions, Labels, Lines, Marks,
        Nodes, Parts, Protocols, Waits, Ways,
    };
    match format {
        Format::Csv => &[Functions],
        Format::Html => &[Arguments, Algorithms, Parts, Protocols, Functions, Marks, Nodes],
        Format::Paraver => &[Waits, Parts, Ends, Protocols, Communicators],
        Format::Otf2 => &[Waits, Algorithms, Parts, Ways, Protocols, Functions],
        Format::Paje => &[Waits, Arguments, Algorithms, Parts, AllWays, Protocols, Labels, Lines],
        Format::Perfetto => &[Parts, Ways, Protocols],
    }
}

/// What was lost so far.
#[derive(Debug, Clone)]
pub struct Lost(Rc<RefCell<Vec<(Loss, u64)>>>);

impl Lost {
    /// A writer of a format, and what gets lost on the way to it.
    pub fn watch(writer: Box<dyn Writer>, format: Format) -> (Box<dyn Writer>, Lost) {
        let lost = of(format).iter().map(|loss| (*loss, 0)).collect();
        let lost = Lost(Rc::new(RefCell::new(lost)));
        let met = FxHashMap::default();
        (Box::new(Watched { writer, lost: lost.clone(), met }), lost)
    }

    /// In words, each with how often.
    pub fn told(&self) -> Vec<String> {
        let lost = self.0.borrow();
        let some = lost.iter().filter(|(_, count)| *count > 0);
        some.map(|(loss, count)| format!("{count} {}", loss.words())).collect()
    }
}

struct Watched {
    writer: Box<dyn Writer>,
    lost: Lost,
    /// Messages that were not taken yet: when they came, and when they met their receives.
    met: FxHashMap<u64, Dates>,
}

/// Dates of a message.
#[derive(Debug, Clone, Copy)]
struct Dates {
    is_called_as_sent: bool,
    departs_as_sent: bool,
    arrived: f64,
    met: f64,
}

impl Dates {
    /// Whether any is lost where some are told, if the message is taken at a date: whoever reads
    /// the trace takes the others for the same as those.
    fn are_lost(self, loss: Loss, taken: f64) -> bool {
        let Dates { is_called_as_sent, departs_as_sent, arrived, met } = self;
        match loss {
            Loss::Ways => !departs_as_sent || arrived != taken || met != taken,
            Loss::Ends => !is_called_as_sent || met != taken,
            _ => false,
        }
    }
}

impl Watched {
    /// A message meets its receive, or is taken.
    fn follow(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Delivers(message) if message.letter.lane == Lane::PointToPoint => {
                let dates = Dates {
                    is_called_as_sent: message.called == message.sent,
                    departs_as_sent: message.departed == message.sent,
                    arrived: message.arrived,
                    met: date,
                };
                self.met.insert(message.letter.serial, dates);
            }
            Event::Takes { taken: Taken::Receive { serial: Some(serial), .. }, .. } => {
                let Some(dates) = self.met.remove(&serial) else { return };
                for (loss, count) in self.lost.0.borrow_mut().iter_mut() {
                    *count += u64::from(dates.are_lost(*loss, date));
                }
            }
            _ => {}
        }
    }
}

impl Writer for Watched {
    fn needs(&self) -> Needs {
        self.writer.needs()
    }

    fn write(&mut self, date: f64, event: &Event<'_>) {
        for (loss, count) in self.lost.0.borrow_mut().iter_mut() {
            *count += u64::from(loss.is_in(event));
        }
        self.follow(date, event);
        self.writer.write(date, event);
    }

    fn go_live(&mut self) {
        self.writer.go_live();
    }

    fn tells_later(&self) -> bool {
        self.writer.tells_later()
    }

    fn keep_place(&mut self, date: f64, rank: u32) -> Option<NonZeroU64> {
        self.writer.keep_place(date, rank)
    }

    fn finish(self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.writer.finish(date)
    }
}
