//! Writing the compact form of a trace.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::{Folded, Step};
use super::{COMPUTE, MAGIC, SLEEP, numbers};
use crate::action::Action;
use crate::layout::Trace;
use crate::mistake::Problem;
use crate::timed::Draft;

/// With more different amounts than this a rank's amounts are stored apart from its program.
const MANY_AMOUNTS: usize = 64;
/// Bytes that are copied at once.
const BLOCK: usize = 1 << 16;

/// Writes a trace in its compact form; gives how many bytes that takes.
///
/// # Errors
///
/// If the trace cannot be read, or the file cannot be written, which is then as it was before.
pub fn compact(trace: &Trace, path: &Path) -> Result<u64, Problem> {
    compact_into(trace, Draft::create(path)?)
}

/// The same into a file whose place is known to be good since before the trace was there.
///
/// # Errors
///
/// As those of [`compact`].
pub fn compact_into(trace: &Trace, mut draft: Draft) -> Result<u64, Problem> {
    let cannot = |error: io::Error| Problem::Temporary { error };
    let mut amounts = tempfile::tempfile().map_err(cannot)?;
    let mut tables = Tables::default();
    for rank in 0..trace.ranks() {
        let before = tables.amounts.len();
        tables.add(trace, rank)?;
        amounts.write_all(&tables.amounts[before..]).map_err(cannot)?;
        tables.lengths.push((tables.amounts.len() - before) as u64);
        tables.amounts.clear();
    }
    let bytes = tables.bytes(trace.ranks());
    draft.write(MAGIC);
    draft.write(&(bytes.len() as u64).to_le_bytes());
    draft.write(&bytes);
    amounts.seek(SeekFrom::Start(0)).map_err(cannot)?;
    let behind = copy(&amounts, &mut draft).map_err(cannot)?;
    draft.finish()?;
    Ok(MAGIC.len() as u64 + 8 + bytes.len() as u64 + behind)
}

/// Adds what is in a file, block by block; gives how much that is.
fn copy(mut from: &File, to: &mut Draft) -> io::Result<u64> {
    let (mut block, mut length) = (vec![0; BLOCK], 0);
    loop {
        let count = from.read(&mut block)?;
        if count == 0 {
            return Ok(length);
        }
        to.write(&block[..count]);
        length += count as u64;
    }
}

/// What the tables of the file will hold.
#[derive(Debug, Default)]
struct Tables {
    symbols: FxHashMap<Vec<u8>, u32>,
    in_order: Vec<Vec<u8>>,
    /// Programs as they are written, by their bytes.
    programs: FxHashMap<Vec<u8>, u64>,
    written: Vec<Vec<u8>>,
    /// The program of each rank.
    chosen: Vec<u64>,
    amounts: Vec<u8>,
    lengths: Vec<u64>,
}

impl Tables {
    fn add(&mut self, trace: &Trace, rank: u32) -> Result<(), Problem> {
        let keeps_apart = has_many_amounts(trace, rank)?;
        let (mut cursor, mut folded) = (trace.cursor(rank), Folded::default());
        while let Some(action) = cursor.next()? {
            let symbol = match action {
                Action::Compute(amount) if keeps_apart => self.apart(COMPUTE, amount),
                Action::Sleep(amount) if keeps_apart => self.apart(SLEEP, amount),
                action => {
                    let as_first = action.shifted(trace.ranks() - rank, trace.ranks());
                    self.symbol(as_first.to_string().into_bytes())
                }
            };
            folded.push(symbol);
        }
        let mut program = Vec::new();
        let mut count = 0;
        write_steps(&folded.finish(), &mut program, &mut count);
        let mut bytes = Vec::new();
        numbers::write(count, &mut bytes);
        bytes.append(&mut program);
        let next = self.programs.len() as u64;
        let number = *self.programs.entry(bytes.clone()).or_insert(next);
        if number == next {
            self.written.push(bytes);
        }
        self.chosen.push(number);
        Ok(())
    }

    fn apart(&mut self, symbol: &[u8], amount: f64) -> u32 {
        numbers::write(numbers::of_amount(amount), &mut self.amounts);
        self.symbol(symbol.to_vec())
    }

    fn symbol(&mut self, text: Vec<u8>) -> u32 {
        if let Some(number) = self.symbols.get(&text) {
            return *number;
        }
        let number = self.in_order.len() as u32;
        self.in_order.push(text.clone());
        self.symbols.insert(text, number);
        number
    }

    fn bytes(&self, ranks: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |number: u64, bytes: &mut Vec<u8>| numbers::write(number, bytes);
        number(ranks.into(), &mut bytes);
        number(self.in_order.len() as u64, &mut bytes);
        for text in &self.in_order {
            number(text.len() as u64, &mut bytes);
            bytes.extend(text);
        }
        number(self.written.len() as u64, &mut bytes);
        self.written.iter().for_each(|program| bytes.extend(program));
        for of_each in [&self.chosen, &self.lengths] {
            for run in of_each.chunk_by(|one, other| one == other) {
                number(run[0], &mut bytes);
                number(run.len() as u64, &mut bytes);
            }
        }
        bytes
    }
}

fn has_many_amounts(trace: &Trace, rank: u32) -> Result<bool, Problem> {
    let (mut cursor, mut seen) = (trace.cursor(rank), FxHashSet::default());
    while let Some(action) = cursor.next()? {
        if let Action::Compute(amount) | Action::Sleep(amount) = action {
            seen.insert(amount.to_bits());
            if seen.len() > MANY_AMOUNTS {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Writes steps one behind the other: a loop, and behind it what it repeats.
fn write_steps(steps: &[Step], into: &mut Vec<u8>, count: &mut u64) {
    for step in steps {
        *count += 1;
        match step {
            Step::Do(symbol) => numbers::write(u64::from(*symbol) << 1, into),
            Step::Repeat { times, body } => {
                let (mut inner, before) = (Vec::new(), *count);
                write_steps(body, &mut inner, count);
                numbers::write(times << 1 | 1, into);
                numbers::write(*count - before, into);
                into.append(&mut inner);
            }
        }
    }
}
