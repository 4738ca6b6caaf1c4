//! Records that cannot go in one sweep: sorted runs of them, in files of their own, are merged at
//! the end. Runs overlap little, so most of a run is copied block by block.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::super::Draft;
use super::super::draft::folder_of;
use super::print::Printer;
use super::queue::Queue;
use crate::mistake::Problem;

/// The least size of a block.
const BLOCK: usize = 256 << 10;

/// Runs of sorted records.
#[derive(Debug)]
pub(super) struct Runs {
    path: PathBuf,
    files: Vec<Run>,
    error: Option<io::Error>,
}

impl Runs {
    /// Nothing yet. Runs will lie beside the trace, where there is room for it.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), files: Vec::new(), error: None }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.error.is_none()
    }

    /// Adds what can go of a queue, at the end all of it.
    #[cold]
    pub(super) fn add(&mut self, queue: &mut Queue, printer: &mut Printer, is_end: bool) {
        if queue.late() > 0 {
            self.add_run(printer, |run, printer| {
                queue.clear_late(printer, |date, printer| run.note(date, printer));
            });
        }
        // Where all came late, each file counts.
        if queue.is_empty() {
            return;
        }
        self.add_run(printer, |run, printer| {
            queue.clear(is_end, printer, |date, printer| run.note(date, printer));
        });
    }

    fn add_run(&mut self, printer: &mut Printer, fill: impl FnOnce(&mut Run, &mut Printer)) {
        let outcome = tempfile::tempfile_in(folder_of(&self.path)).and_then(|file| {
            let mut run = Run::new(file);
            fill(&mut run, printer);
            run.end(printer)
        });
        match outcome {
            Ok(run) => self.files.push(run),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// Writes all records.
    pub(super) fn merge(self, to: &mut Draft) -> Result<(), Problem> {
        let Self { path, mut files, error } = self;
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
    /// How long the file is, and whether records of the last block are still to be written.
    length: usize,
    is_within: bool,
    error: Option<io::Error>,
    /// The block being read, where in it the next record begins, and how many blocks were read.
    block: Vec<u8>,
    at: usize,
    read: usize,
}

impl Run {
    fn new(file: File) -> Self {
        Self {
            file,
            blocks: Vec::new(),
            length: 0,
            is_within: false,
            error: None,
            block: Vec::new(),
            at: 0,
            read: 0,
        }
    }

    /// Records of a date were printed.
    fn note(&mut self, date: u64, printer: &mut Printer) {
        if !std::mem::replace(&mut self.is_within, true) {
            self.blocks.push((date, self.length));
        }
        if printer.len() >= BLOCK {
            self.write(printer);
        }
    }

    /// Ends a block.
    fn write(&mut self, printer: &mut Printer) {
        let text = printer.take();
        self.length += text.len();
        self.is_within = false;
        if self.error.is_none() {
            self.error = self.file.write_all(text).err();
        }
    }

    fn end(mut self, printer: &mut Printer) -> io::Result<Self> {
        self.write(printer);
        self.blocks.push((u64::MAX, self.length));
        self.error.take().map_or(Ok(self), Err)
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
    use super::*;

    /// What comes of slots with these dates, of which so many are put into each run. Some are late,
    /// and some complete only when so many others have come.
    fn merged(
        dates: &[u64],
        in_run: usize,
        is_late: fn(usize) -> bool,
        lasts: fn(usize) -> usize,
    ) -> Vec<(u64, usize)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.prv");
        let (mut runs, mut queue) = (Runs::new(&path), Queue::default());
        let mut printer = Printer::new(vec![Word::new(":1:1:1:1:")]);
        let mut open: Vec<(usize, u64)> = Vec::new();
        for (nth, date) in dates.iter().enumerate() {
            let number =
                if is_late(nth) { queue.open_late(0, *date) } else { queue.open(0, *date) };
            let (slot, texts) = queue.slot(number);
            // Some have many words.
            (0..nth % 9).for_each(|value| slot.pair(6, value as u64, texts));
            slot.pair(7, nth as u64, texts);
            match lasts(nth) {
                0 => slot.awaits = 0,
                long => open.push((nth + long, number)),
            }
            open.retain(|(end, number)| {
                if *end <= nth {
                    queue.slot(*number).0.awaits = 0;
                }
                *end > nth
            });
            if nth % in_run == in_run - 1 {
                runs.add(&mut queue, &mut printer, false);
            }
        }
        runs.add(&mut queue, &mut printer, true);
        let mut draft = Draft::create(&path).unwrap();
        runs.merge(&mut draft).unwrap();
        draft.finish().unwrap();
        let text = std::fs::read(&path).unwrap();
        let number = |line: &[u8]| {
            let line = std::str::from_utf8(line).unwrap();
            line.trim_end().rsplit(':').next().unwrap().parse().unwrap()
        };
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        lines.map(|line| (date_of(line), number(line))).collect()
    }

    #[test]
    fn records_of_several_runs_come_in_order_and_keep_it_where_dates_are_equal() {
        let dates = [5, 3, 5, 9, 1, 5, 9, 2];
        let found = merged(&dates, 3, |_| true, |_| 0);
        let order: Vec<usize> = found.iter().map(|(_, nth)| *nth).collect();
        assert_eq!(order, [4, 7, 1, 0, 2, 5, 3, 6]);
    }

    #[test]
    fn runs_of_many_blocks_are_merged_in_order() {
        // Nearly sorted, as what is told at its end is; every third is told at its beginning.
        let late = |nth: u64| 10 * nth + nth * 7919 % 5000;
        let date = |nth: u64| if nth.is_multiple_of(3) { 10 * nth } else { late(nth) };
        let dates: Vec<u64> = (0..30_000).map(date).collect();
        let found = merged(&dates, 9000, |nth| !nth.is_multiple_of(3), |_| 0);
        assert_eq!(found.len(), 30_000);
        assert!(found.is_sorted_by_key(|(date, _)| *date));
    }

    #[test]
    fn what_goes_on_while_runs_are_written_is_told_in_its_place() {
        let dates: Vec<u64> = (0..2000).map(|nth| nth / 3).collect();
        // Some outlast several runs, and some the whole.
        let lasts = |nth: usize| match nth % 7 {
            0 => nth % 400,
            1 => 5000,
            _ => 0,
        };
        let found = merged(&dates, 100, |_| false, lasts);
        assert!(found.is_sorted_by_key(|(date, _)| *date));
        let mut numbers: Vec<usize> = found.iter().map(|(_, nth)| *nth).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..2000).collect::<Vec<_>>(), "each is told once");
    }
}
