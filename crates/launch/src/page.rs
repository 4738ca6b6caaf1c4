//! How far a run has come, for the parent to look at whenever it likes.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;

use crate::channel::memory;
use crate::error::LaunchError;

/// Eight-byte words of the page.
const WORDS: usize = 5;

/// A small memory file that the child writes and the parent reads, with no lock: a parent that
/// looks between two stores sees an older date beside a newer count, which is near enough.
///
/// Its words, eight bytes each in the processor's order, are: the process that took the launch
/// over, or 0; the simulated date, as a double; ended ranks; messages; dates. A child may map the
/// page and store them, or call [`Page::update`].
#[derive(Debug)]
pub struct Page(File);

/// How far a run has come.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// The process that took the launch over; 0 if none did.
    pub process: u32,
    /// The simulated date, in seconds.
    pub date: f64,
    /// Ranks that have ended.
    pub ended: u64,
    /// Messages so far.
    pub messages: u64,
    /// Dates at which something happened so far.
    pub dates: u64,
}

impl Page {
    /// Bytes of the page: how much to map.
    pub const SIZE: usize = 8 * WORDS;

    /// A page of zeros.
    pub(crate) fn create() -> Result<Self, LaunchError> {
        let page = Self(memory("foretell-progress")?.into());
        page.begin(0)?;
        Ok(page)
    }

    /// The page that a parent made.
    pub(crate) fn inherited(file: OwnedFd) -> Self {
        Self(file.into())
    }

    /// The number of the file, for mapping it.
    pub fn number(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Writes all words but the first, which stays that of [`crate::Launch::receive`]. A system
    /// call, so not for every message.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses to write.
    pub fn update(&self, progress: &Progress) -> Result<(), LaunchError> {
        self.write(&progress.words()[8..], 8)
    }

    /// Starts anew, for a process that takes the launch over.
    pub(crate) fn begin(&self, process: u32) -> Result<(), LaunchError> {
        self.write(&Progress { process, ..Progress::default() }.words(), 0)
    }

    fn write(&self, bytes: &[u8], at: u64) -> Result<(), LaunchError> {
        self.0.write_all_at(bytes, at).map_err(LaunchError::system("write to the progress page"))
    }

    /// How far the run has come by now.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses to read.
    pub fn progress(&self) -> Result<Progress, LaunchError> {
        let mut words = [0; Self::SIZE];
        self.0
            .read_exact_at(&mut words, 0)
            .map_err(LaunchError::system("read the progress page"))?;
        Ok(Progress::from_words(&words))
    }
}

impl Progress {
    fn words(&self) -> [u8; Page::SIZE] {
        let numbers =
            [self.process.into(), self.date.to_bits(), self.ended, self.messages, self.dates];
        let mut words = [0; Page::SIZE];
        for (word, number) in words.chunks_exact_mut(8).zip(numbers) {
            word.copy_from_slice(&number.to_ne_bytes());
        }
        words
    }

    fn from_words(words: &[u8; Page::SIZE]) -> Self {
        let word = |index: usize| {
            let bytes = words[8 * index..8 * index + 8].try_into();
            u64::from_ne_bytes(bytes.expect("a word has eight bytes"))
        };
        Self {
            process: word(0) as u32,
            date: f64::from_bits(word(1)),
            ended: word(2),
            messages: word(3),
            dates: word(4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_child_writes_the_parent_reads() {
        let page = Page::create().unwrap();
        assert_eq!(page.progress().unwrap(), Progress::default());
        let progress = Progress { process: 7, date: 0.125, ended: 3, messages: 1 << 40, dates: 9 };
        page.begin(7).unwrap();
        page.update(&Progress { process: 0, ..progress }).unwrap();
        assert_eq!(page.progress().unwrap(), progress);
    }
}
