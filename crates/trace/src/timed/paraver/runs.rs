//! Records in the order of their dates, though they come in the order in which things end.
//!
//! A record is held back until nothing earlier can come any more. Where that takes too long, those
//! that are held back are sorted into a run, which goes to a file of its own, and the runs are
//! merged at the end. Records of one date keep the order in which they came. Runs overlap little,
//! so most of a run is copied block by block.

mod order;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use foretell_near as near;

use super::super::Draft;
use super::super::draft::folder_of;
use super::entry::Entry;
use super::labels::Call;
use super::print::Printer;
use crate::mistake::Problem;
use order::{Line, Order};

/// Records that are held back before they become a run.
const HELD_BACK: usize = 1 << 19;
/// How many records ahead memory is asked for.
const AHEAD: usize = 6;
/// How much is written at once, and the least size of a block.
const BLOCK: usize = 256 << 10;
/// Records that come before it is asked which can go: they stay in the cache.
const WINDOW: usize = 1024;

/// Records held back, and runs of sorted ones.
#[derive(Debug)]
pub(super) struct Runs {
    path: PathBuf,
    /// Records, and which places among them are free.
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// Their dates, and where they are. Those that stayed before are in their order.
    lines: Vec<Line>,
    stayed: usize,
    /// Whether all of them are in their order, as those of ranks that keep step are.
    is_sorted: bool,
    /// How many must be there before it is asked again which can go.
    due: usize,
    order: Order,
    printer: Printer,
    files: Vec<Run>,
    error: Option<io::Error>,
}

impl Runs {
    /// Nothing yet. Runs will lie beside the trace, where there is room for it.
    pub(super) fn new(path: &Path, printer: Printer) -> Self {
        Self {
            path: path.to_owned(),
            entries: Vec::new(),
            free: Vec::new(),
            lines: Vec::new(),
            stayed: 0,
            is_sorted: true,
            due: WINDOW,
            order: Order::default(),
            printer,
            files: Vec::new(),
            error: None,
        }
    }

    /// Gets to know the next state.
    pub(super) fn learn(&mut self, call: &Call) {
        self.printer.learn(call);
    }

    /// Adds a record of a date.
    #[inline]
    pub(super) fn add(&mut self, date: u64, entry: Entry) {
        if self.lines.len() >= HELD_BACK && !self.is_within_a_record() {
            self.end_run();
        }
        let at = match self.free.pop() {
            Some(at) => {
                if let Some(next) = self.free.len().checked_sub(AHEAD).map(|nth| self.free[nth]) {
                    near::fetch(&self.entries[next as usize]);
                }
                self.entries[at as usize] = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.is_sorted &= self.lines.last().is_none_or(|last| last.date <= date);
        self.lines.push(Line { date, nth: self.lines.len() as u32, at });
    }

    /// Whether the next entry belongs to the same record as the last one.
    #[cold]
    fn is_within_a_record(&self) -> bool {
        let last = self.lines.last().map(|line| &self.entries[line.at as usize]);
        matches!(last, Some(Entry::Events { words, .. }) if words.goes_on)
    }

    /// Whether it is worth while to ask which records can go.
    pub(super) fn are_due(&self) -> bool {
        self.lines.len() >= self.due && self.files.is_empty()
    }

    /// Lets records go that are earlier than a date: none such comes any more.
    pub(super) fn settle(&mut self, limit: u64, to: &mut Draft) {
        self.sort();
        let count = self.lines.partition_point(|line| line.date < limit);
        let mut left = to.left_of(BLOCK);
        for (nth, line) in self.lines[..count].iter().enumerate() {
            // Records lie in memory as they came, which is not how they go.
            if let Some(later) = self.lines.get(nth + AHEAD) {
                near::fetch(&self.entries[later.at as usize]);
            }
            self.printer.print(&self.entries[line.at as usize]);
            if self.printer.len() >= left {
                to.write(&self.printer.text()[..left]);
                self.printer.drop_first(left);
                left = BLOCK;
            }
            self.free.push(line.at);
        }
        self.lines.drain(..count);
        (0..).zip(&mut self.lines).for_each(|(nth, line)| line.nth = nth);
        self.stayed = self.lines.len();
        self.due = self.stayed + WINDOW.max(self.stayed);
    }

    /// Puts what is held back in the order of dates.
    fn sort(&mut self) {
        if !self.is_sorted {
            self.order.sort(&mut self.lines, self.stayed);
            self.is_sorted = true;
        }
    }

    /// Sorts what is held back into a file.
    #[cold]
    fn end_run(&mut self) {
        self.sort();
        let records = self.lines.iter().map(|line| (line.date, &self.entries[line.at as usize]));
        let outcome = tempfile::tempfile_in(folder_of(&self.path))
            .and_then(|file| Run::write(file, &mut self.printer, records));
        match outcome {
            Ok(run) => self.files.push(run),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
        self.entries.clear();
        self.free.clear();
        self.lines.clear();
        self.stayed = 0;
    }

    /// Writes all records.
    pub(super) fn merge(mut self, to: &mut Draft) -> Result<(), Problem> {
        if self.files.is_empty() && self.error.is_none() {
            self.settle(u64::MAX, to);
            to.write(self.printer.take());
            return Ok(());
        }
        to.write(self.printer.take());
        self.end_run();
        let Self { path, mut files, error, .. } = self;
        let outcome = error.map_or(Ok(()), Err).and_then(|()| merge(&mut files, to));
        outcome.map_err(|error| Problem::Unwritable { path, error })
    }
}

/// Merges sorted runs; of records of one date, those of earlier runs come first.
fn merge(runs: &mut [Run], to: &mut Draft) -> io::Result<()> {
    runs.iter_mut().try_for_each(Run::begin)?;
    loop {
        let all = runs.iter().enumerate();
        let open = all.filter_map(|(at, run)| Some((run.date()?, at)));
        let Some((_, first)) = open.clone().min() else { return Ok(()) };
        // It may go on until another run has an earlier record, or an equal one and goes first.
        let limit = open.filter(|(_, at)| *at != first).min();
        runs[first].copy(to, |date| limit.is_none_or(|limit| (date, first) < limit))?;
    }
}

/// A run in a file: where its blocks begin, and with which date.
#[derive(Debug)]
struct Run {
    file: File,
    blocks: Vec<(u64, usize)>,
    /// The block being read, where in it the next record begins, and how many blocks were read.
    block: Vec<u8>,
    at: usize,
    read: usize,
}

impl Run {
    fn write<'a>(
        mut file: File,
        printer: &mut Printer,
        records: impl Iterator<Item = (u64, &'a Entry)>,
    ) -> io::Result<Self> {
        let (mut blocks, mut written) = (Vec::new(), 0);
        let mut next = written;
        for (date, entry) in records {
            if next == written && printer.is_between() {
                blocks.push((date, written));
            }
            printer.print(entry);
            next = written + printer.len();
            if printer.len() >= BLOCK {
                written = next;
                file.write_all(printer.take())?;
            }
        }
        written = next;
        file.write_all(printer.take())?;
        blocks.push((u64::MAX, written));
        Ok(Self { file, blocks, block: Vec::new(), at: 0, read: 0 })
    }

    fn begin(&mut self) -> io::Result<()> {
        self.file.rewind()?;
        self.fill()
    }

    /// Reads the next block, if there is one.
    fn fill(&mut self) -> io::Result<()> {
        self.at = 0;
        self.block.clear();
        if let [(_, start), (_, end), ..] = self.blocks[self.read..] {
            self.block.resize(end - start, 0);
            self.file.read_exact(&mut self.block)?;
            self.read += 1;
        }
        Ok(())
    }

    /// The date of the next record.
    fn date(&self) -> Option<u64> {
        (self.at < self.block.len()).then(|| date_of(&self.block[self.at..]))
    }

    /// Copies records as long as their dates may.
    fn copy(&mut self, to: &mut Draft, may: impl Fn(u64) -> bool) -> io::Result<()> {
        loop {
            // The first date of the next block is no earlier than any in this one.
            let next = self.blocks[self.read].0;
            let is_last = self.read + 1 == self.blocks.len();
            if may(next) && !is_last {
                to.write(&self.block[self.at..]);
                self.fill()?;
                continue;
            }
            let start = self.at;
            while self.date().is_some_and(&may) {
                let rest = &self.block[self.at..];
                let length = rest.iter().position(|byte| *byte == b'\n');
                self.at += length.map_or(rest.len(), |length| length + 1);
            }
            to.write(&self.block[start..self.at]);
            if self.at < self.block.len() || is_last {
                return Ok(());
            }
            self.fill()?;
        }
    }
}

/// The sixth field of a record, which is its date, whatever its kind.
fn date_of(line: &[u8]) -> u64 {
    let field = line.split(|byte| *byte == b':').nth(5).unwrap_or_default();
    field.iter().fold(0, |date, digit| date * 10 + u64::from(digit.wrapping_sub(b'0')))
}

#[cfg(test)]
mod tests {
    use super::super::super::text::Word;
    use super::super::entry::Events;
    use super::*;

    fn runs(path: &Path) -> Runs {
        Runs::new(path, Printer::new(vec![Word::new(":1:1:1:1:")]))
    }

    /// Adds a record with a number in its last place, and some of many entries.
    fn add(runs: &mut Runs, date: u64, number: u64) {
        let mut events = Events::default();
        events.reach(date, 0, |_| ());
        (0..number % 9).for_each(|value| events.pair(6, value));
        events.pair(7, number);
        events.end(0, |entry| runs.add(date, entry));
    }

    #[test]
    fn records_of_several_runs_come_in_order_and_keep_it_where_dates_are_equal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let mut runs = runs(&path);
        for (nth, date) in [5, 3, 5, 9, 1, 5, 9, 2].into_iter().enumerate() {
            add(&mut runs, date, nth as u64);
            if nth % 3 == 2 {
                runs.end_run();
            }
        }
        let mut draft = Draft::create(&path).unwrap();
        runs.merge(&mut draft).unwrap();
        draft.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let order: Vec<&str> = text.lines().map(|line| line.rsplit(':').next().unwrap()).collect();
        assert_eq!(order, ["4", "7", "1", "0", "2", "5", "3", "6"]);
    }

    #[test]
    fn runs_of_many_blocks_are_merged_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let mut runs = runs(&path);
        for nth in 0..30_000_u64 {
            // Nearly sorted, as records of a run are.
            add(&mut runs, 10 * nth + nth * 7919 % 5000, nth);
            if nth % 9000 == 8999 {
                runs.end_run();
            }
        }
        let mut draft = Draft::create(&path).unwrap();
        runs.merge(&mut draft).unwrap();
        draft.finish().unwrap();
        let text = std::fs::read(&path).unwrap();
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let dates: Vec<u64> = lines.map(date_of).collect();
        assert_eq!(dates.len(), 30_000);
        assert!(dates.is_sorted());
    }
}
