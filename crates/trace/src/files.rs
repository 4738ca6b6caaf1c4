//! The files of a trace, of which only some are open at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::mistake::Problem;

/// How many files are kept open: fewer than any system allows.
const OPEN: usize = 256;

/// Files by number.
#[derive(Debug)]
pub(crate) struct Files {
    paths: Vec<PathBuf>,
    open: Vec<Option<File>>,
    /// Those that may be closed, the oldest first.
    closable: VecDeque<u32>,
}

impl Files {
    /// These files, none of them open.
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let open = paths.iter().map(|_| None).collect();
        Self { paths, open, closable: VecDeque::new() }
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
            if self.closable.len() >= OPEN
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
