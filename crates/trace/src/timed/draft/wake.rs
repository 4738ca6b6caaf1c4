//! Large files go to the disk while they grow.
//!
//! Left alone, the system keeps what is written in memory for as long as there is some: a trace of
//! a few hundred megabytes takes as much memory that was not in use, which costs far more time than
//! copying, and pushes out what others have there. So what was written is sent to the disk soon, and
//! its memory serves for what comes next.

use std::fs::File;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use rustix::fs::{Advice, fadvise};

/// How much is sent at once.
const STRETCH: u64 = 4 << 20;
/// How much of what was sent stays in memory: the disk must be through with what goes from there.
const KEPT: u64 = 16 << 20;
/// A run does not wait for its trace: a disk that takes longer for a stretch is left to the system.
const PATIENCE: Duration = Duration::from_millis(50);

/// How far that has come.
#[derive(Debug, Default)]
pub(super) struct Wake {
    sent: u64,
    is_left_alone: bool,
}

impl Wake {
    /// The file has grown to so many bytes.
    #[inline]
    pub(super) fn follow(&mut self, file: &File, length: u64) {
        if length >= self.sent + STRETCH && !self.is_left_alone {
            self.send(file, length);
        }
    }

    #[cold]
    fn send(&mut self, file: &File, length: u64) {
        let begin = Instant::now();
        // Memory that is not needed any more goes at once if it is on the disk, and is sent there
        // if it is not; so it goes when this is said again.
        let free = |from: u64, to: u64| {
            if let Some(length) = NonZeroU64::new(to - from) {
                let _ = fadvise(file, from, Some(length), Advice::DontNeed);
            }
        };
        free(self.sent, length);
        free(self.sent.saturating_sub(KEPT), length.saturating_sub(KEPT));
        self.sent = length;
        self.is_left_alone = begin.elapsed() > PATIENCE;
    }
}
