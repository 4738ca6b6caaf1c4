//! The actions of one rank, unrolled from the program it shares with others.

use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;

use super::numbers;
use super::read::{Step, Symbol, Tables};
use crate::action::Action;
use crate::left::Left;
use crate::mistake::Problem;

/// Bytes of amounts read at once.
const WINDOW: usize = 512;
/// No amount takes more bytes.
const LONGEST: usize = 10;

/// Goes through a rank's program.
#[derive(Debug)]
pub(crate) struct Walk {
    tables: Rc<Tables>,
    rank: u32,
    program: u32,
    at: u32,
    /// Most traces have no more than two loops in each other: those need no memory of their own.
    loops: SmallVec<[Turn; 2]>,
    /// Amounts not read yet: where in the file.
    amounts: Range<u64>,
    window: Vec<u8>,
    /// What of the window is used up.
    used: usize,
}

/// A rank that is stuck never asks for its next action.
impl Drop for Walk {
    fn drop(&mut self) {
        let is_over = self.at as usize >= self.tables.programs[self.program as usize].len();
        let files = self.tables.files.try_borrow_mut().ok();
        if let Some(mut files) =
            files.filter(|_| !(is_over && self.loops.is_empty()) && self.at > 0)
        {
            let last = Left::Step { program: self.program, at: self.at - 1 };
            files.left.insert(self.rank, last);
        }
    }
}

/// A loop that the walk is in.
#[derive(Debug, Clone, Copy)]
struct Turn {
    first: u32,
    end: u32,
    /// Turns after this one.
    left: u64,
}

impl Walk {
    pub(crate) fn new(tables: Rc<Tables>, rank: u32) -> Self {
        let own = tables.own(rank);
        let amounts = own.amounts..own.amounts + own.length;
        let (loops, window) = (SmallVec::new(), Vec::new());
        Self { tables, rank, program: own.program, at: 0, loops, amounts, window, used: 0 }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Action<'_>>, Problem> {
        let Some(symbol) = self.next_symbol() else { return Ok(None) };
        let ranks = self.tables.ranks();
        match self.tables.symbols[symbol as usize] {
            Symbol::Plain(action) => return Ok(Some(action.shifted(self.rank, ranks))),
            Symbol::Compute => return Ok(Some(Action::Compute(self.amount()?))),
            Symbol::Sleep => return Ok(Some(Action::Sleep(self.amount()?))),
            Symbol::Text(_) => {}
        }
        match &self.tables.symbols[symbol as usize] {
            Symbol::Text(text) => match Action::parse(text, ranks) {
                Ok(action) => Ok(Some(action.shifted(self.rank, ranks))),
                Err(mistake) => Err(self.problem(mistake.to_string())),
            },
            _ => Ok(None),
        }
    }

    #[inline]
    fn next_symbol(&mut self) -> Option<u32> {
        let program = &self.tables.programs[self.program as usize];
        loop {
            if let Some(turn) = self.loops.last_mut()
                && turn.end == self.at
            {
                if turn.left > 0 {
                    turn.left -= 1;
                    self.at = turn.first;
                } else {
                    self.loops.pop();
                    continue;
                }
            }
            let step = *program.get(self.at as usize)?;
            self.at += 1;
            match step {
                Step::Do(symbol) => return Some(symbol),
                Step::Repeat { times, steps } => {
                    let (first, end) = (self.at, self.at + steps);
                    self.loops.push(Turn { first, end, left: times - 1 });
                }
            }
        }
    }

    /// The next amount of the rank's own list.
    fn amount(&mut self) -> Result<f64, Problem> {
        if self.window.len() - self.used < LONGEST && !self.amounts.is_empty() {
            self.refill()?;
        }
        let mut rest = &self.window[self.used..];
        let amount = numbers::read(&mut rest).map(numbers::to_amount);
        self.used = self.window.len() - rest.len();
        match amount {
            Some(amount) if amount >= 0.0 && amount.is_finite() => Ok(amount),
            Some(amount) => Err(self.problem(format!("{amount} is no amount of work"))),
            None => Err(self.problem("it has fewer amounts than its program needs".into())),
        }
    }

    fn refill(&mut self) -> Result<(), Problem> {
        self.window.drain(..self.used);
        self.used = 0;
        let before = self.window.len();
        let wanted = (self.amounts.end - self.amounts.start).min((WINDOW - before) as u64) as usize;
        self.window.resize(before + wanted, 0);
        let room = &mut self.window[before..];
        let count = self.tables.files.borrow_mut().read(0, self.amounts.start, room)?;
        self.window.truncate(before + count);
        self.amounts.start += count as u64;
        if count == 0 {
            self.amounts.end = self.amounts.start;
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn problem(&self, reason: String) -> Problem {
        let path = self.tables.files.borrow().path(0).to_owned();
        Problem::Whole { path, reason: format!("rank {}: {reason}", self.rank) }
    }
}
