//! Pajé: one text that defines its own records, then tells them in the order of their dates.
//!
//! The strict basic subset, which all readers take: containers, states, links, variables for the
//! power and the speed of a node, events for marks. Ranks are containers inside those of their nodes. A link goes
//! from the date at which a message is sent to that at which it is delivered; dates in between and
//! messages within collective operations are not told.

use std::fmt::Write as _;
use std::path::Path;

use super::text::{push_number, push_seconds};
use super::{Cast, Class, Draft, Event, Lane, Letter, Mark, Writer};
use crate::mistake::Problem;

/// How much is held back before it is written.
const PAGE: usize = 64 << 10;

/// What records mean: their names, numbers and fields.
const DEFINITIONS: &str = "\
%EventDef PajeDefineContainerType 0
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineVariableType 1
%  Alias string
%  Type string
%  Name string
%  Color color
%EndEventDef
%EventDef PajeDefineStateType 2
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineEventType 3
%  Alias string
%  Type string
%  Name string
%  Color color
%EndEventDef
%EventDef PajeDefineLinkType 4
%  Alias string
%  Type string
%  StartContainerType string
%  EndContainerType string
%  Name string
%EndEventDef
%EventDef PajeDefineEntityValue 5
%  Alias string
%  Type string
%  Name string
%  Color color
%EndEventDef
%EventDef PajeCreateContainer 6
%  Time date
%  Alias string
%  Type string
%  Container string
%  Name string
%EndEventDef
%EventDef PajeDestroyContainer 7
%  Time date
%  Type string
%  Name string
%EndEventDef
%EventDef PajeSetVariable 8
%  Time date
%  Type string
%  Container string
%  Value double
%EndEventDef
%EventDef PajePushState 12
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
%EventDef PajePopState 13
%  Time date
%  Type string
%  Container string
%EndEventDef
%EventDef PajeStartLink 15
%  Time date
%  Type string
%  Container string
%  Value string
%  StartContainer string
%  Key string
%EndEventDef
%EventDef PajeEndLink 16
%  Time date
%  Type string
%  Container string
%  Value string
%  EndContainer string
%  Key string
%EndEventDef
%EventDef PajeNewEvent 17
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
";

/// Types of containers and of what is in them: machine, node, rank; state, power, message, mark.
const TYPES: &str = "\
0 M 0 machine
0 N M node
0 R N rank
2 S R state
1 P N \"power in W\" \"0.8 0.3 0.1\"
4 L M R R message
3 E R mark \"0 0 0\"
5 m L message \"0.2 0.2 0.2\"
";

/// Types of variables that are told of nodes whose speed can change.
const SPEEDS: &str = "\
1 F N \"speed of a core in flop/s\" \"0.2 0.5 0.8\"
1 T N pstate \"0.4 0.4 0.4\"
";

/// Writes the text.
#[derive(Debug)]
pub(crate) struct Paje {
    draft: Draft,
    text: Vec<u8>,
    cast: Cast,
    /// How many marks have names.
    marks: Vec<String>,
    /// Parts of the program, which are states too.
    regions: Vec<String>,
    has_speeds: bool,
    /// For each state the value that it is, and the names of values.
    states: Vec<u32>,
    values: Vec<String>,
}

impl Paje {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let mut text = format!("{DEFINITIONS}{TYPES}");
        let _ = writeln!(text, "6 0 c M 0 {}", quoted(&cast.machine));
        for (number, node) in cast.nodes.iter().enumerate() {
            let _ = writeln!(text, "6 0 n{number} N c {}", quoted(node));
        }
        for (rank, node) in cast.places.iter().enumerate() {
            let _ = writeln!(text, "6 0 r{rank} R n{node} \"rank {rank}\"");
        }
        let draft = Draft::create(path)?;
        let (marks, regions) = (Vec::new(), Vec::new());
        let text = text.into_bytes();
        Ok(Self {
            draft,
            text,
            cast,
            marks,
            regions,
            has_speeds: false,
            states: Vec::new(),
            values: Vec::new(),
        })
    }

    /// A record that begins so, with its date; what follows is to be added.
    fn line(&mut self, kind: &str, date: f64) -> &mut Vec<u8> {
        if self.text.len() >= PAGE {
            self.draft.write(&self.text);
            self.text.clear();
        }
        self.text.extend_from_slice(kind.as_bytes());
        self.text.push(b' ');
        push_seconds(&mut self.text, date);
        &mut self.text
    }

    fn push(&mut self, date: f64, rank: u32, prefix: u8, value: u32) {
        let line = self.line("12", date);
        line.extend_from_slice(b" S r");
        push_number(line, rank.into());
        line.extend_from_slice(&[b' ', prefix]);
        push_number(line, value.into());
        line.push(b'\n');
    }

    fn pop(&mut self, date: f64, rank: u32) {
        let line = self.line("13", date);
        line.extend_from_slice(b" S r");
        push_number(line, rank.into());
        line.push(b'\n');
    }

    fn link(&mut self, kind: &str, date: f64, rank: u32, letter: &Letter) {
        let line = self.line(kind, date);
        line.extend_from_slice(b" L c m r");
        push_number(line, rank.into());
        line.extend_from_slice(b" k");
        push_number(line, letter.serial);
        line.push(b'\n');
    }

    /// A state has a name; those of one name are one value.
    fn state(&mut self, name: &str) {
        let known = self.values.iter().position(|value| value == name);
        let value = known.unwrap_or_else(|| {
            let (value, colour) = (self.values.len(), colour(Class::of(name)));
            let line = format!("5 s{value} S {} \"{colour}\"\n", quoted(name));
            self.text.extend_from_slice(line.as_bytes());
            self.values.push(name.to_owned());
            value
        });
        self.states.push(value as u32);
    }

    fn variable(&mut self, date: f64, kind: char, node: u32, value: f64) {
        let line = self.line("8", date);
        line.extend_from_slice(format!(" {kind} n{node} {value}\n").as_bytes());
    }

    fn speed(&mut self, date: f64, node: u32, (pstate, speed): (u32, f64)) {
        if !std::mem::replace(&mut self.has_speeds, true) {
            self.text.extend_from_slice(SPEEDS.as_bytes());
        }
        self.variable(date, 'F', node, speed);
        self.variable(date, 'T', node, pstate.into());
    }

    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        let (known, kind, prefix, colour) = match mark {
            Mark::Here => (&mut self.marks, "E", 'e', "0 0 0"),
            Mark::Begin | Mark::End => (&mut self.regions, "S", 'u', "0.6 0.6 0.9"),
        };
        let number = known.iter().position(|other| other == name).unwrap_or_else(|| {
            known.push(name.to_owned());
            let number = known.len() - 1;
            let name = quoted(name);
            let line = format!("5 {prefix}{number} {kind} {name} \"{colour}\"\n");
            self.text.extend_from_slice(line.as_bytes());
            number
        });
        match mark {
            Mark::Here => {
                let line = self.line("17", date);
                line.extend_from_slice(format!(" E r{rank} e{number}\n").as_bytes());
            }
            Mark::Begin => self.push(date, rank, b'u', number as u32),
            Mark::End => self.pop(date, rank),
        }
    }
}

impl Writer for Paje {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, .. } => self.state(name),
            Event::Enters { rank, state } => {
                self.push(date, rank, b's', self.states[state as usize]);
            }
            Event::Leaves { rank, .. } => self.pop(date, rank),
            Event::Sends(letter) => self.link("15", date, letter.from, letter),
            Event::Delivers(message) if message.letter.lane == Lane::PointToPoint => {
                self.link("16", date, message.letter.to, &message.letter);
            }
            Event::Draws { node, watts } => self.variable(date, 'P', node, watts),
            Event::Runs { node, pstate, speed } => self.speed(date, node, (pstate, speed)),
            Event::Marks { rank, mark, name } => self.mark(date, rank, mark, name),
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        for rank in 0..self.cast.ranks() {
            self.line("7", date).extend_from_slice(format!(" R r{rank}\n").as_bytes());
        }
        for node in 0..self.cast.nodes.len() {
            self.line("7", date).extend_from_slice(format!(" N n{node}\n").as_bytes());
        }
        self.line("7", date).extend_from_slice(b" M c\n");
        self.draft.write(&self.text);
        self.draft.finish()
    }
}

/// A text between quotes, which it must not have itself.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace('\n', " "))
}

fn colour(class: Class) -> &'static str {
    match class {
        Class::Computing => "0.2 0.4 0.8",
        Class::Sleeping => "0.9 0.9 0.9",
        Class::Send | Class::Isend => "0.9 0.6 0.1",
        Class::Receive | Class::Ireceive | Class::Sendreceive => "0.8 0.2 0.2",
        Class::Wait => "0.7 0.1 0.3",
        Class::Test => "0.3 0.7 0.3",
        Class::Barrier | Class::Collective => "0.5 0.3 0.7",
        Class::OneSided => "0.2 0.6 0.6",
        Class::File => "0.6 0.5 0.2",
        Class::Other => "0.6 0.6 0.6",
    }
}
