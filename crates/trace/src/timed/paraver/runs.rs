//! Records in the order of their dates, though they come in the order in which things end.
//!
//! A record is held back until nothing earlier can come any more. Where that takes too long, those
//! that are held back are sorted into a run, which goes to a file of its own, and the runs are
//! merged at the end. Records of one date keep the order in which they came. Runs overlap little,
//! so most of a run is copied block by block.

mod order;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::mem;
use std::path::{Path, PathBuf};

use super::super::Draft;
use super::super::draft::folder_of;
use super::super::text::{Digits, ROOM, Record};
use crate::mistake::Problem;
use order::{Line, Order};

/// Bytes of records that are held back before they become a run.
const HELD_BACK: usize = 32 << 20;
/// How much is written at once, and the least size of a block.
const BLOCK: usize = 64 << 10;
/// Bytes of records that come before it is asked which can go: they stay in the cache.
const WINDOW: usize = 64 << 10;
/// Bytes of records that are gone before the others are drawn together.
const SPREAD: usize = 128 << 10;

/// Records held back, and runs of sorted ones.
#[derive(Debug)]
pub(super) struct Runs {
    path: PathBuf,
    /// The records, with room for one more behind them.
    text: Vec<u8>,
    used: usize,
    lines: Vec<Line>,
    /// How much must be there before it is asked again which can go.
    due: usize,
    order: Order,
    /// The date that was written last, in digits: many records are of the same.
    date: Digits,
    /// Records in their order that are to be written next.
    page: Vec<u8>,
    files: Vec<Run>,
    error: Option<io::Error>,
}

impl Runs {
    /// Nothing yet. Runs will lie beside the trace, where there is room for it.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            text: Vec::new(),
            used: 0,
            lines: Vec::new(),
            due: WINDOW,
            order: Order::default(),
            date: Digits::default(),
            page: Vec::new(),
            files: Vec::new(),
            error: None,
        }
    }

    /// Adds a record of a date.
    #[inline]
    pub(super) fn add(&mut self, date: u64, fill: impl FnOnce(&mut Record<'_>)) {
        self.add_long(date, fill, &[]);
    }

    /// Adds a record of a date that goes on with a text of any length.
    #[inline]
    pub(super) fn add_long(&mut self, date: u64, fill: impl FnOnce(&mut Record<'_>), rest: &[u8]) {
        if self.used + rest.len() + ROOM > self.text.len() {
            self.make_room(rest.len());
        }
        let start = self.used;
        if let Some(room) = self.text[start..].first_chunk_mut() {
            self.used += Record::write(room, &mut self.date, fill);
        }
        self.text[self.used..self.used + rest.len()].copy_from_slice(rest);
        self.used += rest.len();
        self.lines.push(Line { date, start: start as u32, end: self.used as u32 });
    }

    /// Makes room for a record with so many bytes beside the usual ones.
    #[cold]
    fn make_room(&mut self, more: usize) {
        if self.used >= HELD_BACK {
            self.end_run();
        }
        let length = (2 * self.text.len()).clamp(2 * WINDOW, HELD_BACK);
        self.text.resize(length.max(self.used + more) + ROOM, 0);
    }

    /// Whether it is worth while to ask which records can go.
    pub(super) fn are_due(&self) -> bool {
        self.used >= self.due && self.files.is_empty()
    }

    /// Lets records go that are earlier than a date: none such comes any more.
    pub(super) fn settle(&mut self, limit: u64, to: &mut Draft) {
        self.order.sort(&mut self.lines);
        let count = self.lines.partition_point(|line| line.date < limit);
        for line in self.lines.drain(..count) {
            line.copy(&self.text, &mut self.page);
            if self.page.len() >= BLOCK {
                to.write(&self.page);
                self.page.clear();
            }
        }
        let kept: u32 = self.lines.iter().map(|line| line.end - line.start).sum();
        if self.used >= 2 * kept as usize + SPREAD || kept == 0 {
            self.draw_together(kept as usize);
        }
        self.due = self.used + WINDOW.max(kept as usize);
    }

    /// Leaves nothing of those that are gone between the others, which are in their order.
    fn draw_together(&mut self, bytes: usize) {
        let mut kept = Vec::with_capacity(bytes + ROOM);
        for line in &mut self.lines {
            let start = kept.len();
            line.copy(&self.text, &mut kept);
            (line.start, line.end) = (start as u32, kept.len() as u32);
        }
        self.used = kept.len();
        self.text[..kept.len()].copy_from_slice(&kept);
    }

    /// Sorts what is held back into a file.
    #[cold]
    fn end_run(&mut self) {
        self.order.sort(&mut self.lines);
        let outcome = tempfile::tempfile_in(folder_of(&self.path))
            .and_then(|file| Run::write(file, &self.text, &self.lines));
        match outcome {
            Ok(run) => self.files.push(run),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
        self.used = 0;
        self.lines.clear();
    }

    /// Writes all records.
    pub(super) fn merge(mut self, to: &mut Draft) -> Result<(), Problem> {
        if self.files.is_empty() {
            self.settle(u64::MAX, to);
            to.write(&self.page);
            return Ok(());
        }
        self.end_run();
        to.write(&mem::take(&mut self.page));
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
    fn write(mut file: File, text: &[u8], lines: &[Line]) -> io::Result<Self> {
        let mut blocks = Vec::new();
        let (mut block, mut written) = (Vec::with_capacity(2 * BLOCK), 0);
        for line in lines {
            if block.is_empty() {
                blocks.push((line.date, written));
            }
            block.extend_from_slice(line.of(text));
            if block.len() >= BLOCK {
                file.write_all(&block)?;
                written += block.len();
                block.clear();
            }
        }
        file.write_all(&block)?;
        written += block.len();
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
    use super::*;

    #[test]
    fn records_of_several_runs_come_in_order_and_keep_it_where_dates_are_equal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let mut runs = Runs::new(&path);
        for (nth, date) in [5, 3, 5, 9, 1, 5, 9, 2].into_iter().enumerate() {
            let line = format!("2:1:1:1:1:{date}:7:{nth}\n");
            runs.add_long(date, |_| {}, line.as_bytes());
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
        let mut runs = Runs::new(&path);
        for nth in 0..30_000_u64 {
            // Nearly sorted, as records of a run are.
            let date = 10 * nth + nth * 7919 % 5000;
            let line = format!("2:1:1:1:1:{date}:7:{nth}\n");
            runs.add_long(date, |_| {}, line.as_bytes());
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
