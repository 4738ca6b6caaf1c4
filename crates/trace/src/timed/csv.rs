//! A table that tells all: one row for each stay of a rank in a state, and for each message.
//!
//! Rows come in the order in which things end. The first column says what a row is; columns that
//! make no sense for it are empty. Dates are seconds, exact to a picosecond.
//!
//! | kind | meaning |
//! | --- | --- |
//! | `program` | `what`: what ran |
//! | `machine` | `what`: where |
//! | `node` | `rank`: number of the node, `what`: its name |
//! | `rank` | `rank`, `peer`: the number of its node |
//! | `comm` | `comm`: its number, `what`: its ranks |
//! | `call` | `rank` was in `what` from `begin` to `end`; collective calls have `comm` and more; `place` is `file:line` |
//! | `message` | `rank` sent to `peer`: called at `begin`, delivered at `end` |
//! | `power` | node `rank` draws `watts` from `begin` on |
//! | `speed` | a core of node `rank` does `speed` operations a second from `begin` on; `what` is the pstate |
//! | `mark`, `region`, `leave` | `rank` said `what` at `begin` |
//! | `end` | the program of `rank` ended at `begin`; without a rank, the run |

mod read;

pub(crate) use read::read;

use std::path::Path;

use super::text::{push_number, push_seconds, push_signed};
use super::{Cast, Collective, Draft, Event, Lane, Mark, Message, Writer};
use crate::mistake::Problem;

/// The names of the columns.
pub(crate) const COLUMNS: [&str; 21] = [
    "kind",
    "rank",
    "begin",
    "end",
    "what",
    "peer",
    "comm",
    "tag",
    "bytes",
    "sent",
    "departed",
    "posted",
    "arrived",
    "waited",
    "root",
    "algorithm",
    "watts",
    "protocol",
    "number",
    "speed",
    "place",
];

/// How much is held back before it is written.
const PAGE: usize = 64 << 10;

/// Writes the table.
#[derive(Debug)]
pub(crate) struct Csv {
    draft: Draft,
    text: Vec<u8>,
    /// Names of states, and where they stand in the program.
    states: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Csv {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let mut csv = Self { draft: Draft::create(path)?, text: Vec::new(), states: Vec::new() };
        csv.text.extend_from_slice(COLUMNS.join(",").as_bytes());
        csv.text.push(b'\n');
        csv.row("program", |row| row.text(4, &cast.program));
        csv.row("machine", |row| row.text(4, &cast.machine));
        for (number, node) in cast.nodes.iter().enumerate() {
            csv.row("node", |row| {
                row.number(1, number as u64);
                row.text(4, node);
            });
        }
        for (rank, node) in cast.places.iter().enumerate() {
            csv.row("rank", |row| {
                row.number(1, rank as u64);
                row.number(5, u64::from(*node));
            });
        }
        Ok(csv)
    }

    fn row(&mut self, kind: &str, fill: impl FnOnce(&mut Row<'_>)) {
        self.text.extend_from_slice(kind.as_bytes());
        let mut row = Row { text: &mut self.text, column: 0 };
        fill(&mut row);
        row.end();
        if self.text.len() >= PAGE {
            self.draft.write(&self.text);
            self.text.clear();
        }
    }

    fn stay(
        &mut self,
        (rank, state): (u32, u32),
        (since, date, waited): (f64, f64, f64),
        collective: Option<Collective<'_>>,
    ) {
        let (name, place) = std::mem::take(&mut self.states[state as usize]);
        self.row("call", |row| {
            row.number(1, rank.into());
            row.date(2, since);
            row.date(3, date);
            row.bytes(4, &name);
            if let Some(collective) = collective {
                row.number(6, collective.comm.into());
                row.number(8, collective.bytes);
            }
            row.date(13, waited);
            if let Some(collective) = collective {
                collective.root.into_iter().for_each(|root| row.number(14, root.into()));
                row.text(15, collective.algorithm);
            }
            if !place.is_empty() {
                row.bytes(20, &place);
            }
        });
        self.states[state as usize] = (name, place);
    }

    fn message(&mut self, date: f64, message: &Message) {
        let letter = &message.letter;
        self.row("message", |row| {
            row.number(1, letter.from.into());
            row.date(2, message.called);
            row.date(3, date);
            row.text(4, lane_name(letter.lane));
            row.number(5, letter.to.into());
            row.number(6, letter.comm.into());
            row.signed(7, letter.tag.into());
            row.number(8, letter.bytes);
            row.date(9, message.sent);
            row.date(10, message.departed);
            row.date(11, message.posted);
            row.date(12, message.arrived);
            row.text(17, letter.protocol.name());
            row.number(18, letter.serial);
        });
    }
}

impl Writer for Csv {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, place, .. } => {
                let place = place.map_or_else(Vec::new, |place| quoted(&place.to_string()));
                self.states.push((quoted(name), place));
            }
            Event::Forms { comm, members, .. } => self.row("comm", |row| {
                row.text(4, &listed(members));
                row.number(6, comm.into());
            }),
            Event::Leaves { rank, state, since, waited, collective } => {
                self.stay((rank, state), (since, date, waited), collective);
            }
            Event::Delivers(message) => self.message(date, message),
            Event::Draws { node, watts } => self.row("power", |row| {
                row.number(1, node.into());
                row.date(2, date);
                row.text(16, &watts.to_string());
            }),
            Event::Runs { node, pstate, speed } => self.row("speed", |row| {
                row.number(1, node.into());
                row.date(2, date);
                row.number(4, pstate.into());
                row.text(19, &speed.to_string());
            }),
            Event::Marks { rank, mark, name } => {
                let kind = match mark {
                    Mark::Here => "mark",
                    Mark::Begin => "region",
                    Mark::End => "leave",
                };
                self.row(kind, |row| {
                    row.number(1, rank.into());
                    row.date(2, date);
                    row.text(4, name);
                });
            }
            Event::Ends { rank } => self.row("end", |row| {
                row.number(1, rank.into());
                row.date(2, date);
            }),
            Event::Enters { .. } | Event::Sends(_) | Event::Posts { .. } | Event::Takes { .. } => {}
            Event::Begins { .. }
            | Event::Completes { .. }
            | Event::File { .. }
            | Event::Window { .. } => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.row("end", |row| row.date(2, date));
        self.draft.write(&self.text);
        self.draft.finish()
    }
}

/// How messages of a lane are told.
pub(crate) fn lane_name(lane: Lane) -> &'static str {
    match lane {
        Lane::PointToPoint => "point-to-point",
        Lane::Collective => "collective",
        Lane::Partitioned => "partitioned",
    }
}

/// A row under way: columns are filled from left to right.
struct Row<'a> {
    text: &'a mut Vec<u8>,
    column: usize,
}

impl Row<'_> {
    fn to(&mut self, column: usize) -> &mut Vec<u8> {
        self.text.extend(std::iter::repeat_n(b',', column - self.column));
        self.column = column;
        self.text
    }

    fn number(&mut self, column: usize, number: u64) {
        push_number(self.to(column), number);
    }

    fn signed(&mut self, column: usize, number: i64) {
        push_signed(self.to(column), number);
    }

    fn date(&mut self, column: usize, date: f64) {
        push_seconds(self.to(column), date);
    }

    fn text(&mut self, column: usize, text: &str) {
        let quoted = quoted(text);
        self.to(column).extend_from_slice(&quoted);
    }

    fn bytes(&mut self, column: usize, bytes: &[u8]) {
        self.to(column).extend_from_slice(bytes);
    }

    fn end(&mut self) {
        self.to(COLUMNS.len() - 1).push(b'\n');
    }
}

/// A text as one field.
fn quoted(text: &str) -> Vec<u8> {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " ")).into(),
        false => text.into(),
    }
}

/// Ranks with blanks between them; two or more in a row as `first-last`.
fn listed(members: &[u32]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < members.len() {
        let run = members[at..].windows(2).take_while(|pair| pair[1] == pair[0] + 1).count();
        let (first, last) = (members[at], members[at + run]);
        if !text.is_empty() {
            text.push(' ');
        }
        match run {
            0 => text.push_str(&first.to_string()),
            _ => text.push_str(&format!("{first}-{last}")),
        }
        at += run + 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_in_a_row_are_told_by_the_first_and_the_last() {
        assert_eq!(listed(&[0, 1, 2, 3]), "0-3");
        assert_eq!(listed(&[4, 2, 3, 9]), "4 2-3 9");
        assert_eq!(listed(&[]), "");
    }
}
