//! Reading the tables of a compact trace.

use std::cell::RefCell;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use super::{COMPUTE, MAGIC, SLEEP, numbers};
use crate::action::Action;
use crate::files::Files;
use crate::mistake::Problem;
use crate::packed;

/// Loops in loops that a program may have.
const DEEPEST: usize = 64;

/// More ranks than this are a mistake.
const MOST_RANKS: u64 = 1 << 26;

/// What all ranks of a compact trace share.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(super) symbols: Vec<Symbol>,
    pub(super) programs: Vec<Vec<Step>>,
    ranks: Vec<Own>,
    pub(super) files: Rc<RefCell<Files>>,
}

/// What is stored of one rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    pub(super) program: u32,
    /// Where its amounts are, and in how many bytes.
    pub(super) amounts: u64,
    pub(super) length: u64,
}

/// What a symbol stands for, in the words of rank 0.
#[derive(Debug)]
pub(super) enum Symbol {
    /// An action that needs no text.
    Plain(Action<'static>),
    /// One that is read from its text each time.
    Text(Box<[u8]>),
    /// Computes an amount of the rank's own list.
    Compute,
    /// Lets an amount of time of that list pass.
    Sleep,
}

/// A step of a program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Do(u32),
    /// The next steps, so many, are taken so often.
    Repeat {
        times: u64,
        steps: u32,
    },
}

impl Tables {
    /// Reads a file.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        packed::refuse(path)?;
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let wrong = |reason| Problem::Whole { path: path.to_owned(), reason };
        let mut file = std::fs::File::open(path).map_err(cannot)?;
        let size = file.metadata().map_err(cannot)?.len();
        let mut start = [0; MAGIC.len() + 8];
        if file.read_exact(&mut start).is_err() || !start.starts_with(MAGIC) {
            return Err(wrong("this is no compact trace, or only the beginning of one".into()));
        }
        let mut length = [0; 8];
        length.copy_from_slice(&start[MAGIC.len()..]);
        let (length, before) = (u64::from_le_bytes(length), start.len() as u64);
        if length > size.saturating_sub(before) {
            let reason = format!("the file ends before its tables, of {length} bytes, do");
            return Err(wrong(reason));
        }
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes).map_err(cannot)?;
        let files = Rc::new(RefCell::new(Files::new(vec![path.to_owned()])));
        let mut reader = Reader { all: &bytes, rest: &bytes };
        let tables = reader.tables(files, before + length).map_err(|what| {
            let at = before as usize + reader.all.len() - reader.rest.len();
            wrong(format!("at byte {at}: {what}"))
        })?;
        let ends = tables.ranks.last().map_or(before + length, |own| own.amounts + own.length);
        if ends != size {
            return Err(wrong(format!("the file has {size} bytes, its tables speak of {ends}")));
        }
        Ok(tables)
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// What a step tells a rank to do; nothing if it is a loop.
    pub(crate) fn step(&self, program: u32, at: u32, rank: u32) -> Option<String> {
        let Step::Do(symbol) = self.programs[program as usize][at as usize] else { return None };
        let shifted = |action: Action<'_>| action.shifted(rank, self.ranks()).to_string();
        match &self.symbols[symbol as usize] {
            Symbol::Plain(action) => Some(shifted(*action)),
            Symbol::Text(text) => Action::parse(text, self.ranks()).ok().map(shifted),
            Symbol::Compute => Some("compute".into()),
            Symbol::Sleep => Some("sleep".into()),
        }
    }

    /// Where readers leave behind how far they came.
    pub(crate) fn files(&self) -> &RefCell<Files> {
        &self.files
    }

    pub(super) fn own(&self, rank: u32) -> Own {
        self.ranks[rank as usize]
    }
}

struct Reader<'a> {
    all: &'a [u8],
    rest: &'a [u8],
}

impl Reader<'_> {
    fn tables(&mut self, files: Rc<RefCell<Files>>, amounts: u64) -> Result<Tables, String> {
        let count = self.number("the number of ranks")?;
        if count == 0 || count > MOST_RANKS {
            return Err(format!("expected from 1 to {MOST_RANKS} ranks, not {count}"));
        }
        let symbols = self.list("symbols", |reader| reader.symbol(count as u32))?;
        let programs = self.list("programs", |reader| reader.program(symbols.len()))?;
        let mut ranks = Vec::new();
        self.runs(count, "a program", |program, run| {
            if program >= programs.len() as u64 {
                return Err(format!("there is no program {program}"));
            }
            let own = Own { program: program as u32, amounts: 0, length: 0 };
            ranks.extend(std::iter::repeat_n(own, run));
            Ok(())
        })?;
        let (mut at, mut rank) = (amounts, 0);
        self.runs(count, "the length of a rank's amounts", |length, run| {
            for own in &mut ranks[rank..rank + run] {
                (own.amounts, own.length) = (at, length);
                at = at.checked_add(length).ok_or("these are more amounts than a file can hold")?;
            }
            rank += run;
            Ok(())
        })?;
        if !self.rest.is_empty() {
            return Err("expected the end of the tables".into());
        }
        ranks.shrink_to_fit();
        Ok(Tables { symbols, programs, ranks, files })
    }

    /// Something of each rank, with the number of ranks in a row that it is the same for.
    fn runs(
        &mut self,
        ranks: u64,
        what: &str,
        mut one: impl FnMut(u64, usize) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut left = ranks;
        while left > 0 {
            let (value, run) = (self.number(what)?, self.number("a number of ranks")?);
            if run == 0 || run > left {
                return Err(format!("expected from 1 to {left} ranks, not {run}"));
            }
            left -= run;
            one(value, run as usize)?;
        }
        Ok(())
    }

    fn list<T>(
        &mut self,
        what: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let count = self.number(&format!("the number of {what}"))?;
        // Each takes at least a byte: a wrong number does not ask for room that is not there.
        if count > self.rest.len() as u64 {
            return Err(format!("there is no room for {count} {what}"));
        }
        (0..count).map(|_| one(self)).collect()
    }

    fn symbol(&mut self, ranks: u32) -> Result<Symbol, String> {
        let length = self.number("the length of a symbol")?;
        let at = usize::try_from(length).ok().filter(|at| *at <= self.rest.len());
        let Some(at) = at else { return Err(format!("there is no symbol of {length} bytes")) };
        let (text, rest) = self.rest.split_at(at);
        let symbol = match text {
            COMPUTE => Symbol::Compute,
            SLEEP => Symbol::Sleep,
            text => {
                let action = Action::parse(text, ranks).map_err(|mistake| mistake.to_string())?;
                action.without_text().map_or_else(|| Symbol::Text(text.into()), Symbol::Plain)
            }
        };
        self.rest = rest;
        Ok(symbol)
    }

    fn program(&mut self, symbols: usize) -> Result<Vec<Step>, String> {
        let mut open: Vec<u64> = Vec::new();
        let mut at = 0;
        self.list("steps", |reader| {
            while open.last() == Some(&at) {
                open.pop();
            }
            at += 1;
            let number = reader.number("a step")?;
            if number & 1 == 0 {
                let symbol = u32::try_from(number >> 1).ok();
                let known = symbol.filter(|symbol| (*symbol as usize) < symbols);
                return known.map(Step::Do).ok_or_else(|| "there is no such symbol".into());
            }
            let (times, steps) = (number >> 1, reader.number("the length of a loop")?);
            let end = at.checked_add(steps).filter(|_| steps > 0 && times > 0);
            let end = end.filter(|end| open.last().is_none_or(|outer| end <= outer));
            let Some(end) = end.filter(|_| open.len() < DEEPEST) else {
                return Err(format!("there is no loop of {times} times {steps} steps here"));
            };
            open.push(end);
            Ok(Step::Repeat { times, steps: u32::try_from(steps).map_err(|_| "too long")? })
        })
        .and_then(|steps| match open.iter().any(|end| *end > steps.len() as u64) {
            true => Err("a loop goes beyond its program".into()),
            false => Ok(steps),
        })
    }

    fn number(&mut self, what: &str) -> Result<u64, String> {
        numbers::read(&mut self.rest).ok_or_else(|| format!("expected {what} here"))
    }
}
