//! The files of a trace, of which only some are open at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::left::LeftBehind;
use crate::mistake::Problem;

/// With no more files than this the system is not asked to allow more than it does.
const FEW: usize = 256;
/// How many of those that the system allows are left to others, unless it allows very few.
const OTHERS: u64 = 128;

/// Files by number.
#[derive(Debug)]
pub(crate) struct Files {
    paths: Vec<PathBuf>,
    open: Vec<Option<File>>,
    /// Those that may be closed, the oldest first.
    closable: VecDeque<u32>,
    allowance: Allowance,
    /// Where readers were that did not come to the end of their ranks.
    pub(crate) left: LeftBehind,
}

impl Files {
    /// These files, none of them open.
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let allowance = Allowance::of(paths.len());
        Self::with(paths, Vec::new(), allowance)
    }

    /// These files, some of them open, of which there may be so many.
    pub(crate) fn with(
        paths: Vec<PathBuf>,
        opened: Vec<(u32, File)>,
        allowance: Allowance,
    ) -> Self {
        let mut open: Vec<Option<File>> = paths.iter().map(|_| None).collect();
        let closable = opened.iter().map(|(number, _)| *number).collect();
        for (number, file) in opened {
            open[number as usize] = Some(file);
        }
        Self { paths, open, closable, allowance, left: LeftBehind::default() }
    }

    /// Adds a file that stays open; `path` is for messages alone.
    pub(crate) fn keep(&mut self, path: PathBuf, file: File) -> u32 {
        self.paths.push(path);
        self.open.push(Some(file));
        self.open.len() as u32 - 1
    }

    pub(crate) fn path(&self, file: u32) -> &Path {
        &self.paths[file as usize]
    }

    /// Reads what a file has at a place, as much as there is room for; nothing at its end.
    pub(crate) fn read(&mut self, file: u32, at: u64, room: &mut [u8]) -> Result<usize, Problem> {
        let outcome = loop {
            match self.opened(file).and_then(|file| file.read_at(room, at)) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        outcome.map_err(|error| Problem::File { path: self.path(file).to_owned(), error })
    }

    fn opened(&mut self, file: u32) -> std::io::Result<&File> {
        if self.open[file as usize].is_none() {
            if self.closable.len() >= self.allowance.files()
                && let Some(oldest) = self.closable.pop_front()
            {
                self.open[oldest as usize] = None;
            }
            self.open[file as usize] = Some(File::open(&self.paths[file as usize])?);
            self.closable.push_back(file);
        }
        match &self.open[file as usize] {
            Some(open) => Ok(open),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

/// How many files of traces may be open in this process: several traces are read at once, and
/// written.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Some files that may be open, until it is dropped.
#[derive(Debug)]
pub(crate) struct Allowance(usize);

impl Allowance {
    /// Of as many files as there are, if the system has them; of one in any case. Where it would
    /// allow more when asked, it is: opening a file for each piece that is read of it takes as long
    /// as reading does.
    pub(crate) fn of(files: usize) -> Self {
        let mut given = 1;
        let take = |taken| {
            given = files.min(allowed(files + taken).saturating_sub(taken)).max(1);
            Some(taken + given)
        };
        let _ = TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        Self(given)
    }

    pub(crate) fn files(&self) -> usize {
        self.0
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// How many files of traces the system allows, if so many are wanted.
fn allowed(files: usize) -> usize {
    let wanted = files as u64 + OTHERS;
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    let mut current = limit.current.unwrap_or(u64::MAX);
    if files > FEW && current < wanted && current < most {
        let more = Rlimit { current: Some(wanted.min(most)), maximum: limit.maximum };
        if setrlimit(Resource::Nofile, more).is_ok() {
            current = wanted.min(most);
        }
    }
    usize::try_from(current.saturating_sub(OTHERS).max(current / 2)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_later_gets_what_is_left_but_one_at_least() {
        // Other tests take some as well, but not all that there are.
        let first = Allowance::of(usize::MAX / 4);
        assert!(first.files() > 8);
        assert_eq!(Allowance::of(1000).files(), 1);
        drop(first);
        assert!(Allowance::of(8).files() > 1);
    }
}
