//! Reading Paraver traces: our own, and those that Extrae and `prv2dim`'s kin write.
//!
//! Calls are told by events; states are passed over, since what lies between calls is what a rank
//! computes. A communication record has both ends of a message: its dates say in which calls it
//! was sent and asked for. Requests are not told at all. A call that waits completes receives that
//! have come by its end, the oldest first, one in `MPI_Wait` and all in `MPI_Waitall`, then sends
//! that were asked for by then.
//!
//! Our records of messages are where the call begins that sends; those of Extrae are behind it. A
//! message may have come before that, so the file is looked through for such ones first.

mod arguments;
mod flight;
mod header;
mod receives;
mod story;

use std::collections::VecDeque;
use std::path::Path;

use crate::colons::{Colons, Lines};
use crate::mistake::{Mistake, Problem};
use crate::timed::paraver::Legend;
use crate::timed::paraver::labels::{FUNCTION, LINE, is_call_type};
use crate::timed::{Cast, Writer};
use flight::Flight;
use header::Header;
use story::Story;

/// Tells a writer what a trace has, in the order of dates; gives what is left out.
pub(crate) fn read(
    path: &Path,
    make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>,
) -> Result<Vec<String>, Problem> {
    let mut lines = Lines::open(path)?;
    if !lines.advance()? {
        let reason = "there is nothing in it".into();
        return Err(Problem::Whole { path: path.to_owned(), reason });
    }
    let header = Header::parse(lines.line()).map_err(|mistake| lines.problem(mistake))?;
    let legend = Legend::read(path);
    let early = flight::early(path, &header)?.into();
    let writer = make(&header.cast(path, &legend))?;
    let nodes = header.cast(path, &legend).places;
    let mut reader = Reader {
        header: header.clone(),
        has_lines: legend.has_lines(),
        story: Story::new(header, nodes, legend, writer),
        early,
        date: 0,
        events: Vec::new(),
        flights: Vec::new(),
    };
    while lines.advance()? {
        reader.take(lines.line()).map_err(|mistake| lines.problem(mistake))?;
    }
    reader.reach(u64::MAX).map_err(|mistake| lines.problem(mistake))?;
    reader.settle();
    reader.story.finish()
}

/// What was read and not told yet: all that is of one date, since a message belongs to a call that
/// may be told behind it.
struct Reader {
    story: Story,
    header: Header,
    /// Messages that are to be known before their records, and when.
    early: VecDeque<(u64, Flight)>,
    date: u64,
    /// Whether calls are told with the lines that they stand in.
    has_lines: bool,
    /// Ranks with types and values, in order.
    events: Vec<(u32, u64, u64)>,
    flights: Vec<Flight>,
}

impl Reader {
    fn take(&mut self, line: &[u8]) -> Result<(), Mistake> {
        let mut fields = Colons::new(line);
        match line {
            [b'#' | b'i', ..] => return Ok(()),
            [b'c', ..] => {
                fields.field();
                return self.story.define(fields);
            }
            _ => {}
        }
        match fields.whole("the kind of a record")? {
            1 => self.state(fields),
            2 => self.event(fields),
            3 => self.communication(fields),
            // Old tools draw lines between those who take part in a collective.
            4 => {
                self.story.leave_out("lines between calls of a collective");
                Ok(())
            }
            kind => Err(Mistake(format!("there is no record of kind {kind}"))),
        }
    }

    /// Goes to a date; what was read before is told.
    fn reach(&mut self, date: u64) -> Result<(), Mistake> {
        if date < self.date {
            return Err(Mistake(format!(
                "records are to be in the order of their dates, but {date} comes behind {}",
                self.date
            )));
        }
        if date > self.date {
            self.settle();
            self.date = date;
        }
        while self.early.front().is_some_and(|(known, _)| *known <= date) {
            self.flights.extend(self.early.pop_front().map(|(_, flight)| flight));
        }
        Ok(())
    }

    fn settle(&mut self) {
        self.flights.drain(..).for_each(|flight| self.story.depart(flight));
        for (at, &(rank, kind, value)) in self.events.iter().enumerate() {
            let is_begun = value != 0 && is_call_type(kind);
            let caller = (self.has_lines && is_begun)
                .then(|| caller(rank, &self.events[at + 1..]))
                .flatten();
            self.story.event(self.date, rank, (kind, value), caller);
        }
        self.events.clear();
    }

    fn state(&mut self, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let rank = self.header.rank(&mut fields)?;
        let begin = fields.natural("the begin of the state")?;
        let end = fields.natural("its end")?;
        let state = fields.natural("the state")?;
        self.reach(begin)?;
        if end < begin {
            return Err(Mistake("a state ends before it begins".into()));
        }
        // A rank that is idle or not created has not begun.
        if let Some(rank) = rank.filter(|_| !matches!(state, 0 | 2)) {
            self.story.begin(begin, rank);
        }
        Ok(())
    }

    fn event(&mut self, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let rank = self.header.rank(&mut fields)?;
        self.reach(fields.natural("the date")?)?;
        if fields.left() == 0 || fields.left() % 2 == 1 {
            return Err(Mistake("expected pairs of a type and a value behind the date".into()));
        }
        while fields.left() > 0 {
            let kind = fields.natural("the type of an event")?;
            // Values may be negative, and mean nothing to us then.
            let value = fields.unsigned("its value")?;
            match (rank, value) {
                (Some(rank), Some(value)) => self.events.push((rank, kind, value)),
                (None, Some(1..)) if is_call_type(kind) => {
                    self.story.leave_out("calls of further threads and other applications");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn communication(&mut self, mut fields: Colons<'_>) -> Result<(), Mistake> {
        let Some(flight) = Flight::parse(&self.header, &mut fields)? else {
            self.story.leave_out("messages of further threads and other applications");
            return Ok(());
        };
        // Clocks differ, or a tool took one message for another.
        if flight.arrived < flight.called {
            self.story.leave_out("dates of messages that come before they are sent");
        }
        if flight.is_early() {
            return Ok(());
        }
        // The record is where the call begins, or else where it ends.
        let is_behind = flight.called < self.date;
        self.reach(if is_behind { flight.departed } else { flight.called })?;
        self.flights.push(flight);
        Ok(())
    }
}

/// The numbers of the function and the line that a call of a rank stands in: they are told behind
/// it, before the next call begins.
fn caller(rank: u32, behind: &[(u32, u64, u64)]) -> Option<(u64, u64)> {
    let is_its =
        |event: &&(u32, u64, u64)| event.0 == rank && (event.2 == 0 || !is_call_type(event.1));
    let its = behind.iter().take_while(is_its);
    let (mut function, mut line) = (0, None);
    for (_, kind, value) in its {
        match *kind {
            FUNCTION => function = *value,
            LINE => line = Some(*value),
            _ => {}
        }
    }
    Some((function, line?))
}

#[cfg(test)]
mod tests;
