//! Reading the table back.

use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{COLUMNS, lane_name};
use crate::mistake::{Mistake, Problem};
use crate::packed::Contents;
use crate::timed::{Cast, Collective, Event, Lane, Letter, Mark, Message, Place, Protocol, Writer};

/// How many columns the first tables had.
const OLDEST: usize = 18;

/// Tells a writer what a table has: every stay in a state, message, power and mark, in the order of
/// the table. What begins is not told apart from what ends.
///
/// # Errors
///
/// If the file cannot be read or makes no sense, or if the writer cannot be made or finished.
pub(crate) fn read(
    path: &Path,
    make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>,
) -> Result<(), Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let mut from = BufReader::with_capacity(1 << 18, Contents::open(path)?);
    let mut reader = Reader::Before(Cast::default(), make);
    let (mut line, mut number, mut columns) = (String::new(), 0, COLUMNS.len());
    let end = loop {
        line.clear();
        number += 1;
        if from.read_line(&mut line).map_err(cannot)? == 0 {
            let reason = "the table has no end: its writer was interrupted".into();
            return Err(Problem::Whole { path: path.to_owned(), reason });
        }
        let mut fields = split(line.trim_end_matches(['\n', '\r']));
        let wrong = |text: &str| Problem::Line {
            path: path.to_owned(),
            line: number,
            mistake: Mistake(text.to_owned()),
        };
        if number == 1 {
            columns = fields.len();
            if !is_header(&fields) {
                return Err(wrong(
                    "this is not a trace: a table of foretell begins with kind,rank",
                ));
            }
            continue;
        }
        if fields.len() != columns {
            return Err(wrong(&format!("{columns} columns are expected")));
        }
        fields.resize(COLUMNS.len(), String::new());
        let row = Row(fields);
        match reader.take(&row) {
            Ok(Some(end)) => break end,
            Ok(None) => {}
            Err(Wrong::Text(text)) => return Err(wrong(&text)),
            Err(Wrong::Problem(problem)) => return Err(problem),
        }
    };
    match reader {
        Reader::During(story) => story.writer.finish(end),
        Reader::Before(cast, make) => make(&cast)?.finish(end),
        Reader::Between => Ok(()),
    }
}

/// Whether these are the names of the columns; the last may be missing.
fn is_header(fields: &[String]) -> bool {
    fields.len() >= OLDEST && COLUMNS.iter().take(fields.len()).eq(fields)
}

/// Before and after all is known that comes before the first event.
enum Reader<F> {
    Before(Cast, F),
    During(Story),
    Between,
}

enum Wrong {
    Text(String),
    Problem(Problem),
}

impl From<String> for Wrong {
    fn from(text: String) -> Self {
        Wrong::Text(text)
    }
}

impl<F: FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>> Reader<F> {
    /// Takes a row; gives the date of the end if it was the last.
    fn take(&mut self, row: &Row) -> Result<Option<f64>, Wrong> {
        if let Reader::Before(cast, _) = self {
            match row.text(0) {
                "program" => cast.program = row.text(4).to_owned(),
                "machine" => cast.machine = row.text(4).to_owned(),
                "node" => cast.nodes.push(row.text(4).to_owned()),
                "rank" => {
                    let node = row.number(5)? as u32;
                    if node as usize >= cast.nodes.len() {
                        return Err(format!("there is no node {node}").into());
                    }
                    cast.places.push(node);
                }
                _ => return self.begin()?.take(row),
            }
            return Ok(None);
        }
        self.begin()?.take(row)
    }

    fn begin(&mut self) -> Result<&mut Story, Wrong> {
        *self = match std::mem::replace(self, Reader::Between) {
            Reader::Before(cast, make) => {
                let writer = make(&cast).map_err(Wrong::Problem)?;
                Reader::During(Story { writer, cast, states: Vec::new(), comms: 0, serial: 0 })
            }
            other => other,
        };
        match self {
            Reader::During(story) => Ok(story),
            _ => Err("a row that nobody expects".to_owned().into()),
        }
    }
}

/// What is being told.
struct Story {
    writer: Box<dyn Writer>,
    cast: Cast,
    /// Names of states and where they stand in the program.
    states: Vec<(String, String)>,
    /// How many messages there were, of which old tables tell no numbers.
    serial: u64,
    /// How many communicators there are but that of all ranks.
    comms: u32,
}

impl Story {
    fn take(&mut self, row: &Row) -> Result<Option<f64>, Wrong> {
        match row.text(0) {
            "call" => self.stay(row)?,
            "message" => self.message(row)?,
            "comm" => {
                let comm = row.number(6)? as u32;
                let members = self.members(row.text(4))?;
                self.comms += 1;
                if comm != self.comms {
                    return Err(format!("communicator {} is expected here", self.comms).into());
                }
                self.writer.write(0.0, &Event::Forms { comm, members: &members, first_side: 0 });
            }
            "power" => {
                let (node, watts) = (self.node(row)?, row.date(16)?);
                self.writer.write(row.date(2)?, &Event::Draws { node, watts });
            }
            "speed" => {
                let (node, pstate, speed) = (self.node(row)?, row.parsed(4)?, row.date(19)?);
                self.writer.write(row.date(2)?, &Event::Runs { node, pstate, speed });
            }
            "mark" => self.mark(row, Mark::Here)?,
            "region" => self.mark(row, Mark::Begin)?,
            "leave" => self.mark(row, Mark::End)?,
            "end" if row.text(1).is_empty() => return Ok(Some(row.date(2)?)),
            "end" => self.writer.write(row.date(2)?, &Event::Ends { rank: self.rank(row, 1)? }),
            kind => return Err(format!("there are no rows of the kind `{kind}`").into()),
        }
        Ok(None)
    }

    fn members(&self, text: &str) -> Result<Vec<u32>, String> {
        let members = listed(text)?;
        match members.iter().find(|rank| **rank >= self.cast.ranks()) {
            None => Ok(members),
            Some(rank) => Err(format!("there is no rank {rank}")),
        }
    }

    fn comm(&self, row: &Row) -> Result<u32, String> {
        let comm = row.number(6)?;
        match comm <= u64::from(self.comms) {
            true => Ok(comm as u32),
            false => Err(format!("there is no communicator {comm}")),
        }
    }

    fn rank(&self, row: &Row, column: usize) -> Result<u32, String> {
        let rank = row.number(column)?;
        match rank < u64::from(self.cast.ranks()) {
            true => Ok(rank as u32),
            false => Err(format!("there is no rank {rank}")),
        }
    }

    fn node(&self, row: &Row) -> Result<u32, String> {
        let node = row.number(1)?;
        match node < self.cast.nodes.len() as u64 {
            true => Ok(node as u32),
            false => Err(format!("there is no node {node}")),
        }
    }

    fn stay(&mut self, row: &Row) -> Result<(), String> {
        let (rank, since, date) = (self.rank(row, 1)?, row.date(2)?, row.date(3)?);
        if date < since {
            return Err(format!("what begins at {since} s cannot end at {date} s"));
        }
        let state = self.state(date, row.text(4), row.text(20))?;
        let collective = match row.text(6) {
            "" => None,
            _ => Some(Collective {
                comm: self.comm(row)?,
                root: (!row.text(14).is_empty())
                    .then(|| row.number(14))
                    .transpose()?
                    .map(|r| r as u32),
                bytes: row.number(8)?,
                gathered: 0,
                algorithm: row.text(15),
            }),
        };
        let waited = row.date(13)?;
        self.writer.write(date, &Event::Leaves { rank, state, since, waited, collective });
        Ok(())
    }

    /// The number of a state.
    fn state(&mut self, date: f64, name: &str, at: &str) -> Result<u32, String> {
        let is_it = |(known, place): &(String, String)| known == name && place == at;
        if let Some(known) = self.states.iter().position(is_it) {
            return Ok(known as u32);
        }
        let place = match at {
            "" => None,
            at => Some(Place::parse(at).ok_or_else(|| format!("`{at}` is no place"))?),
        };
        let state = self.states.len() as u32;
        self.states.push((name.to_owned(), at.to_owned()));
        self.writer.write(date, &Event::Names { state, name, place });
        Ok(state)
    }

    fn message(&mut self, row: &Row) -> Result<(), String> {
        let lanes = [Lane::PointToPoint, Lane::Collective, Lane::Partitioned];
        let lane = lanes.into_iter().find(|lane| lane_name(*lane) == row.text(4));
        let protocol = Protocol::ALL.into_iter().find(|known| known.name() == row.text(17));
        let letter = Letter {
            serial: match row.text(18) {
                "" => self.serial,
                _ => row.number(18)?,
            },
            from: self.rank(row, 1)?,
            to: self.rank(row, 5)?,
            comm: self.comm(row)?,
            lane: lane.ok_or_else(|| format!("there are no messages of `{}`", row.text(4)))?,
            tag: row.parsed(7)?,
            bytes: row.number(8)?,
            request: None,
            is_blocking: true,
            protocol: protocol.ok_or_else(|| format!("there is no protocol `{}`", row.text(17)))?,
        };
        self.serial += 1;
        let (called, sent, departed) = (row.date(2)?, row.date(9)?, row.date(10)?);
        let (posted, arrived) = (row.date(11)?, row.date(12)?);
        let message = Message { letter, called, sent, departed, posted, arrived, place: None };
        self.writer.write(row.date(3)?, &Event::Delivers(&message));
        Ok(())
    }

    fn mark(&mut self, row: &Row, mark: Mark) -> Result<(), String> {
        let rank = self.rank(row, 1)?;
        self.writer.write(row.date(2)?, &Event::Marks { rank, mark, name: row.text(4) });
        Ok(())
    }
}

/// The fields of a row.
struct Row(Vec<String>);

impl Row {
    fn text(&self, column: usize) -> &str {
        &self.0[column]
    }

    fn parsed<T: std::str::FromStr>(&self, column: usize) -> Result<T, String> {
        let text = self.text(column);
        text.parse().map_err(|_| format!("`{text}` is no {}", COLUMNS[column]))
    }

    fn number(&self, column: usize) -> Result<u64, String> {
        self.parsed(column)
    }

    fn date(&self, column: usize) -> Result<f64, String> {
        let date: f64 = self.parsed(column)?;
        match date.is_finite() && date >= 0.0 {
            true => Ok(date),
            false => Err(format!("`{date}` is no {}", COLUMNS[column])),
        }
    }
}

/// The fields of a line; quotes may hold commas.
fn split(line: &str) -> Vec<String> {
    if !line.contains('"') {
        return line.split(',').map(str::to_owned).collect();
    }
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '"' if quoted && rest.peek() == Some(&'"') => {
                field.push('"');
                rest.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            other => field.push(other),
        }
    }
    fields.push(field);
    fields
}

/// Ranks with blanks between them, or `first-last`.
fn listed(text: &str) -> Result<Vec<u32>, String> {
    let wrong = || format!("`{text}` is no list of ranks");
    let mut members = Vec::new();
    for part in text.split_whitespace() {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let parse = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let (first, last) = (parse(first)?, parse(last)?);
        // No more than there can be: a mistake must not fill the memory.
        if last < first || last - first > 100_000_000 {
            return Err(wrong());
        }
        members.extend(first..=last);
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timed::{Format, create};

    /// A table of two ranks with all kinds of rows.
    fn table(path: &Path) {
        let cast = Cast {
            program: "a, \"b\"".into(),
            machine: "m".into(),
            nodes: vec!["n0".into(), "n1".into()],
            places: vec![0, 1],
        };
        let mut writer = create(path, Format::Csv, cast).unwrap();
        let letter = Letter { from: 0, to: 1, bytes: 8, tag: -1, ..Letter::default() };
        let message = Message {
            letter,
            called: 0.5,
            sent: 0.5,
            departed: 0.6,
            posted: 0.1,
            arrived: 1.0,
            place: None,
        };
        let collective =
            Some(Collective { comm: 1, root: Some(1), bytes: 7, gathered: 0, algorithm: "tree" });
        for (date, event) in [
            (0.0, Event::Names { state: 0, name: "MPI_Bcast", place: Place::parse("a,b.c:12") }),
            (0.0, Event::Forms { comm: 1, members: &[1, 0], first_side: 0 }),
            (0.0, Event::Draws { node: 1, watts: 95.25 }),
            (0.0, Event::Runs { node: 1, pstate: 2, speed: 2.5e9 }),
            (0.1, Event::Marks { rank: 1, mark: Mark::Begin, name: "solve" }),
            (1.0, Event::Delivers(&message)),
            (1.5, Event::Leaves { rank: 1, state: 0, since: 0.25, waited: 0.125, collective }),
            (2.0, Event::Ends { rank: 1 }),
        ] {
            writer.write(date, &event);
        }
        writer.finish(2.5).unwrap();
    }

    #[test]
    fn what_was_written_is_read_and_written_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        table(&first);
        read(&first, |cast| Ok(create(&second, Format::Csv, cast.clone())?)).unwrap();
        let text = |path| std::fs::read_to_string(path).unwrap();
        assert_eq!(text(&first), text(&second));
    }

    #[test]
    fn tables_that_lack_the_last_columns_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        let rows = [
            COLUMNS[..OLDEST].join(","),
            format!("node,0,,,n0{}", ",".repeat(13)),
            format!("rank,0,,,,0{}", ",".repeat(12)),
            format!("call,0,0,1,MPI_Wait{},0.5,,,,", ",".repeat(8)),
            format!("end,,1{}", ",".repeat(15)),
        ];
        std::fs::write(&first, rows.join("\n") + "\n").unwrap();
        read(&first, |cast| Ok(create(&second, Format::Csv, cast.clone())?)).unwrap();
        let text = std::fs::read_to_string(second).unwrap();
        assert!(text.contains("call,0,0,1,MPI_Wait,,,,,,,,,0.5,,,,,,,\n"), "{text}");
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        table(&path);
        let good = std::fs::read_to_string(&path).unwrap();
        let check = |from: &str, to: &str, expected: &str| {
            std::fs::write(&path, good.replace(from, to)).unwrap();
            let none = folder.path().join("none.csv");
            let told =
                read(&path, |cast| Ok(create(&none, Format::Csv, cast.clone())?)).unwrap_err();
            assert!(told.to_string().contains(expected), "{told}");
            assert!(!none.exists());
        };
        check("kind,", "kinds,", "a.csv:1: this is not a trace");
        check("message,0", "message,9", "there is no rank 9");
        check("95.25", "many", "`many` is no watts");
        check("call,1,0.25", "call,1,9.5", "what begins at 9.5 s cannot end at 1.5 s");
        check("speed,1", "speed,2", "there is no node 2");
        check("c:12", "c:x", "`a,b.c:x` is no place");
        check("2500000000", "fast", "`fast` is no speed");
        check("point-to-point", "nothing", "there are no messages of `nothing`");
        check("comm,,,,1 0,,1", "comm,,,,1 0,,2", "communicator 1 is expected here");
        check("comm,,,,1 0,,1", "comm,,,,7 0,,1", "there is no rank 7");
        check("point-to-point,1,0", "point-to-point,1,3", "there is no communicator 3");
        check("region", "part", "no rows of the kind `part`");
        check("end,,2.5,,,,,,,,,,,,,,,,,,\n", "", "the table has no end");
    }
}
