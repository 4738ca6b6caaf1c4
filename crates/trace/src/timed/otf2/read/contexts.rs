//! Calling contexts: regions with the calls that lead to them, as tools tell that unwind stacks.

use rustc_hash::FxHashMap;

use super::bytes::{Body, Wrong};

/// All of them, and the lines that they are in.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    known: FxHashMap<u64, Context>,
    lines: FxHashMap<u64, Line>,
}

/// A region, the line that is there, and who has called it.
#[derive(Debug, Clone, Copy)]
struct Context {
    region: u64,
    line: u64,
    caller: u64,
}

/// A line of a file, whose name is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) file: u64,
    pub(super) line: u64,
}

impl Contexts {
    /// A line of the source gets a number.
    pub(super) fn define_line(&mut self, mut body: Body<'_>) -> Result<(), Wrong> {
        let id = body.number()?;
        let line = Line { file: body.number()?, line: body.number()? };
        self.lines.insert(id, line);
        Ok(())
    }

    /// A context gets a number.
    pub(super) fn define(&mut self, mut body: Body<'_>) -> Result<(), Wrong> {
        let id = body.number()?;
        let (region, line, caller) = (body.number()?, body.number()?, body.number()?);
        self.known.insert(id, Context { region, line, caller });
        Ok(())
    }

    /// The region of a context.
    pub(super) fn region(&self, context: u64) -> Option<u64> {
        Some(self.known.get(&context)?.region)
    }

    /// The line that a context is called from, and the region that line is in: calls of libraries
    /// have none of their own, and who calls them has.
    pub(super) fn line(&self, context: u64) -> Option<(Line, u64)> {
        let context = self.known.get(&context)?;
        let caller = self.known.get(&context.caller)?;
        let line = self.lines.get(&context.line).or_else(|| self.lines.get(&caller.line))?;
        Some((*line, caller.region))
    }
}
