//! Notes of what happens, handed in batches to a thread that writes the trace.

use std::io;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use foretell_mpi::{Happening, Mark};
use foretell_trace::Problem;

use super::scribe::Scribe;

/// How many notes are handed over at once.
const BATCH: usize = 2048;
/// How many batches may lie between the simulation and the thread: a simulation that is ahead by
/// more waits.
const AHEAD: usize = 8;

/// What was seen at a date.
#[derive(Debug)]
pub(super) enum Note {
    Happens(f64, Happening),
    /// A communicator and its members.
    Forms(f64, u32, Box<[u32]>),
    /// A rank and what it marks.
    Marks(f64, u32, Mark, Box<str>),
}

impl Note {
    pub(super) fn date(&self) -> f64 {
        let (Note::Happens(date, ..) | Note::Forms(date, ..) | Note::Marks(date, ..)) = self;
        *date
    }
}

/// The simulation's side.
#[derive(Debug)]
pub(super) struct Aside {
    batch: Vec<Note>,
    /// Gone, like the thread, once all is written.
    full: Option<SyncSender<Word>>,
    /// Batches that were worked off, to be filled again.
    empty: Receiver<Vec<Note>>,
    thread: Option<JoinHandle<Result<(), Problem>>>,
}

/// What the thread is told. If it hears nothing more before the end, the trace is given up.
#[derive(Debug)]
enum Word {
    Batch(Vec<Note>),
    End,
}

impl Aside {
    /// Begins the thread.
    pub(super) fn begin(scribe: Scribe) -> io::Result<Self> {
        let (full, to_write) = sync_channel(AHEAD);
        let (done, empty) = channel();
        let thread = thread::Builder::new()
            .name("trace".into())
            .spawn(move || work_off(scribe, &to_write, &done))?;
        Ok(Self { batch: Vec::with_capacity(BATCH), full: Some(full), empty, thread: Some(thread) })
    }

    #[inline]
    pub(super) fn note(&mut self, note: Note) {
        self.batch.push(note);
        if self.batch.len() == BATCH {
            self.hand_over();
        }
    }

    #[cold]
    fn hand_over(&mut self) {
        let next = self.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(BATCH));
        let batch = mem::replace(&mut self.batch, next);
        self.tell(Word::Batch(batch));
    }

    fn tell(&self, word: Word) {
        if let Some(full) = &self.full {
            // A thread that is gone has panicked, which is told at the end.
            _ = full.send(word);
        }
    }

    /// Waits until all is written.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        self.hand_over();
        self.tell(Word::End);
        self.join().unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn join(&mut self) -> thread::Result<Result<(), Problem>> {
        self.full = None;
        self.thread.take().map_or(Ok(Ok(())), JoinHandle::join)
    }
}

/// A trace that is not finished leaves nothing behind.
impl Drop for Aside {
    fn drop(&mut self) {
        // Only a trace that is finished is written, so there is nothing to tell.
        _ = self.join();
    }
}

/// The thread's side: until the simulation has no more to say.
fn work_off(
    mut scribe: Scribe,
    to_write: &Receiver<Word>,
    done: &Sender<Vec<Note>>,
) -> Result<(), Problem> {
    for word in to_write {
        match word {
            Word::Batch(mut batch) => {
                batch.drain(..).for_each(|note| scribe.hear(note));
                // Nobody takes it back once the simulation has ended.
                _ = done.send(batch);
            }
            Word::End => return scribe.finish(),
        }
    }
    Ok(())
}
