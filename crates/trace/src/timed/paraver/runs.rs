//! Records in the order of their dates, though they come in the order in which things end.
//!
//! A record is held back until so many are there that it is time to sort them; each such run goes
//! to a file of its own, and the runs are merged at the end. Records of one date keep the order in
//! which they came. The date of a record is its sixth field, whatever its kind.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::super::Draft;
use super::super::draft::folder_of;
use crate::mistake::Problem;

/// Bytes of records that are held back before they are sorted.
const HELD_BACK: usize = 32 << 20;
/// How much is written at once.
const PAGE: usize = 256 << 10;

/// Records held back, and runs of sorted ones.
#[derive(Debug)]
pub(super) struct Runs {
    path: PathBuf,
    text: Vec<u8>,
    /// The date of each record and where it begins.
    starts: Vec<(u64, u32)>,
    files: Vec<File>,
    error: Option<io::Error>,
}

impl Runs {
    /// Nothing yet. Runs will lie beside the trace, where there is room for it.
    pub(super) fn new(path: &Path) -> Result<Self, Problem> {
        let path = path.to_owned();
        Ok(Self { path, text: Vec::new(), starts: Vec::new(), files: Vec::new(), error: None })
    }

    /// Where to write a record of a date.
    #[inline]
    pub(super) fn line(&mut self, date: u64) -> &mut Vec<u8> {
        if self.text.len() >= HELD_BACK {
            self.end_run();
        }
        self.starts.push((date, self.text.len() as u32));
        &mut self.text
    }

    /// Sorts what is held back into a file.
    #[cold]
    fn end_run(&mut self) {
        let outcome = tempfile::tempfile_in(folder_of(&self.path)).and_then(|file| {
            let mut out = BufWriter::with_capacity(PAGE, file);
            self.sorted(|line| out.write_all(line))?;
            let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            self.files.push(file);
            Ok(())
        });
        self.error = self.error.take().or(outcome.err());
        self.text.clear();
        self.starts.clear();
    }

    /// Hands over what is held back, in order.
    fn sorted(&mut self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let end = self.text.len() as u32;
        let ends = self.starts.iter().skip(1).map(|(_, start)| *start).chain([end]);
        let mut lines: Vec<(u64, u32, u32)> =
            self.starts.iter().zip(ends).map(|((date, start), end)| (*date, *start, end)).collect();
        lines.sort_unstable();
        lines
            .iter()
            .try_for_each(|(_, start, end)| take(&self.text[*start as usize..*end as usize]))
    }

    /// Writes all records.
    pub(super) fn merge(&mut self, to: &mut Draft) -> Result<(), Problem> {
        let mut page = Vec::with_capacity(PAGE);
        let mut put = |line: &[u8]| {
            page.extend_from_slice(line);
            if page.len() >= PAGE {
                to.write(&page);
                page.clear();
            }
            Ok(())
        };
        let outcome = match self.files.is_empty() {
            true => self.sorted(&mut put),
            false => {
                self.end_run();
                merge(std::mem::take(&mut self.files), &mut put)
            }
        };
        to.write(&page);
        match self.error.take().or(outcome.err()) {
            Some(error) => Err(Problem::Unwritable { path: self.path.clone(), error }),
            None => Ok(()),
        }
    }
}

/// Merges sorted runs; of records of one date, those of earlier runs come first.
fn merge(files: Vec<File>, put: &mut impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut runs =
        files.into_iter().map(|file| Run::open(file, PAGE)).collect::<io::Result<Vec<_>>>()?;
    loop {
        let next = runs.iter_mut().filter(|run| !run.line.is_empty()).min_by_key(|run| run.date);
        let Some(run) = next else { return Ok(()) };
        put(&run.line)?;
        run.advance()?;
    }
}

/// A run being read: its next record, which is empty at the end.
struct Run {
    from: BufReader<File>,
    line: Vec<u8>,
    date: u64,
}

impl Run {
    fn open(file: File, capacity: usize) -> io::Result<Self> {
        let from = BufReader::with_capacity(capacity, file);
        let mut run = Self { from, line: Vec::new(), date: 0 };
        run.advance()?;
        Ok(run)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.line.clear();
        self.from.read_until(b'\n', &mut self.line)?;
        self.date = date_of(&self.line);
        Ok(())
    }
}

/// The sixth field of a record.
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
        let mut runs = Runs::new(&path).unwrap();
        for (nth, date) in [5, 3, 5, 9, 1, 5, 9, 2].into_iter().enumerate() {
            let line = format!("2:1:1:1:1:{date}:7:{nth}\n");
            runs.line(date).extend_from_slice(line.as_bytes());
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
}
